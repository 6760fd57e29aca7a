"""Plain data: its one byte form, and the forms in which values of the simple types are written, read, checked and described."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Plain = Any
"""JSON-able data that passes through untouched: dicts with string keys, lists, strings, integers, booleans, None."""

LARGEST = 2**53 - 1
"""The largest integer that every JSON reader keeps exact; no move needs a larger one."""


_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
)


text_of = _ENCODER.encode
"""The one form of plain data, as text: sorted keys, no spaces."""


def canonical(data: Plain) -> bytes:
    """The one byte form of plain data: sorted keys, no spaces, UTF-8. Hashes are taken over this."""
    return text_of(data).encode()


def digest(data: Plain) -> str:
    """SHA-256 of the canonical form, in hex."""
    return hashlib.sha256(canonical(data)).hexdigest()


@dataclass(frozen=True)
class Fault:
    """One thing wrong with untrusted data: where (a JSON Pointer) and what."""

    pointer: str
    detail: str


class Form:
    """How values of one annotation are written, read back, checked and described."""

    def __init__(
        self,
        schema: dict[str, Plain],
        parse: Callable[[Plain, str, list[Fault]], Any],
        encode: Callable[[Any], Plain] | None = None,
        revive: Callable[[Plain], Any] | None = None,
        *,
        slot: str = "",
        write: Callable[[Any], str] | None = None,
    ) -> None:
        """Without `encode` and `revive` a value is its own plain form.

        The canonical text of a value is what `write` says, or the value put into the `slot` as it is: facts are hashed by the thousand.
        """
        self.schema = schema
        self.parse = parse
        self.encode = encode
        self.revive = revive
        self.slot = slot or "%s"
        self.write = None if slot else write or _text_after(encode)

    @property
    def text(self) -> Callable[[Any], str]:
        """What writes one value by itself."""
        return self.write or self.slot.__mod__


def _text_after(encode: Callable[[Any], Plain] | None) -> Callable[[Any], str]:
    return (lambda value: text_of(encode(value))) if encode else text_of


def refuse(faults: list[Fault], pointer: str, detail: str) -> None:
    """Notes a fault; what was wrong has no value."""
    faults.append(Fault(pointer, detail))


def _whole(value: Plain) -> Plain:
    """JSON Schema calls 5.0 an integer, so that is how it is read."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _writable(value: Plain) -> bool:
    """Whether plain data has a canonical form: half a surrogate pair and NaN can be sent, but neither stored nor sent back."""
    try:
        canonical(value)
    except (ValueError, RecursionError):
        return False
    return True


def integer(low: int, high: int) -> Form:
    """A whole number between two bounds, both included."""

    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        value = _whole(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return refuse(faults, at, "must be an integer")
        if not low <= value <= high:
            return refuse(faults, at, f"must be between {low} and {high}")
        return value

    return Form({"type": "integer", "minimum": low, "maximum": high}, parse, slot="%d")


def string(low: int, high: int) -> Form:
    """A text of so many characters."""

    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        if not isinstance(value, str):
            return refuse(faults, at, "must be a string")
        if not low <= len(value) <= high:
            return refuse(faults, at, f"must have between {low} and {high} characters")
        return value if _writable(value) else refuse(faults, at, "must be Unicode text")

    return Form({"type": "string", "minLength": low, "maxLength": high}, parse)


def boolean() -> Form:
    """Yes or no."""

    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        return value if isinstance(value, bool) else refuse(faults, at, "must be true or false")

    return Form({"type": "boolean"}, parse, write=lambda value: "true" if value else "false")


def choice(values: tuple[Any, ...]) -> Form:
    """One of a few values."""

    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        value = _whole(value)
        for known in values:
            if value == known and type(value) is type(known):
                return known
        return refuse(faults, at, "must be one of " + ", ".join(json.dumps(v) for v in values))

    words = all(isinstance(value, str) and text_of(value) == f'"{value}"' for value in values)
    return Form({"enum": list(values)}, parse, slot='"%s"' if words else "")


def plain() -> Form:
    """Any JSON."""

    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        return (
            value
            if _writable(value)
            else refuse(faults, at, "must be JSON in Unicode text, with finite numbers")
        )

    return Form({}, parse)


def optional(inner: Form) -> Form:
    """A value or null."""

    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        return None if value is None else inner.parse(value, at, faults)

    encode, revive, text = inner.encode, inner.revive, inner.text
    return Form(
        {"anyOf": [inner.schema, {"type": "null"}]},
        parse,
        encode and (lambda v: None if v is None else encode(v)),
        revive and (lambda v: None if v is None else revive(v)),
        write=lambda v: "null" if v is None else text(v),
    )


def list_of(inner: Form, low: int, high: int) -> Form:
    """So many values of one form, as a tuple."""

    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        if not isinstance(value, list):
            return refuse(faults, at, "must be a list")
        if not low <= len(value) <= high:
            return refuse(faults, at, f"must have between {low} and {high} items")
        return tuple(inner.parse(v, f"{at}/{i}", faults) for i, v in enumerate(value))

    encode, revive, text = inner.encode, inner.revive, inner.text
    return Form(
        {"type": "array", "items": inner.schema, "minItems": low, "maxItems": high},
        parse,
        (lambda v: [encode(x) for x in v]) if encode else list,
        (lambda v: tuple([revive(x) for x in v])) if revive else tuple,
        write=lambda v: f"[{','.join(map(text, v))}]",
    )


def tuple_of(inners: tuple[Form, ...]) -> Form:
    """One value of each form, in this order."""

    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        if not isinstance(value, list) or len(value) != len(inners):
            return refuse(faults, at, f"must be a list of {len(inners)} items")
        return tuple(
            f.parse(v, f"{at}/{i}", faults) for i, (f, v) in enumerate(zip(inners, value, strict=True))
        )

    def encode(value: Any) -> Plain:
        return [f.encode(v) if f.encode else v for f, v in zip(inners, value, strict=True)]

    def revive(value: Plain) -> Any:
        return tuple(f.revive(v) if f.revive else v for f, v in zip(inners, value, strict=True))

    def write(value: Any) -> str:
        return f"[{','.join([text(v) for text, v in zip(texts, value, strict=True)])}]"

    texts = tuple(f.text for f in inners)
    size = {"minItems": len(inners), "maxItems": len(inners)}
    return Form(
        {"type": "array", "prefixItems": [f.schema for f in inners], **size},
        parse,
        encode,
        revive,
        write=write,
    )
