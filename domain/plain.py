"""Plain data: its canonical form, and how values of simple types are encoded, parsed and described."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

Plain = Any
"""Data that JSON can hold: dicts with string keys, lists, strings, integers, booleans, None."""

MAX_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader keeps exact; no move needs a larger one."""


_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
)


text_of = _ENCODER.encode
"""The canonical form of plain data as text: sorted keys, no spaces."""


def canonical(data: Plain) -> bytes:
    """The canonical form of plain data as bytes: sorted keys, no spaces, UTF-8.

    Hashes are computed over it.
    """
    return text_of(data).encode()


def digest(data: Plain) -> str:
    """SHA-256 of the canonical form, in hex."""
    return hashlib.sha256(canonical(data)).hexdigest()


@dataclass(frozen=True)
class Fault:
    """One thing wrong with untrusted data: where (a JSON Pointer) and what."""

    pointer: str
    detail: str
    known: tuple[str, ...] = field(default=(), compare=False)
    """The names that are known where this one is not, for suggestions."""

    @classmethod
    def unknown(cls, pointer: str, name: Any, known: Iterable[str]) -> "Fault":
        """An unknown field of the object at a pointer."""
        return cls(f"{pointer}/{pointer_step(name)}", "is not a known field", tuple(known))


def pointer_step(name: Any) -> str:
    """A key as one step of a JSON Pointer (RFC 6901); characters that cannot be sent back become `?`."""
    text = str(name).encode(errors="replace").decode().replace("\0", "?")
    return text.replace("~", "~0").replace("/", "~1")


@dataclass(frozen=True, slots=True)
class FieldFormat:
    """How values of one field are encoded, decoded, parsed and described."""

    schema: dict[str, Plain]
    parse: Callable[[Plain, str, list[Fault]], Any]
    encode: Callable[[Any], Plain] | None = None
    """None, like `revive`, if a value is its own plain form."""
    revive: Callable[[Plain], Any] | None = None
    write: Callable[[Any], str] | None = None
    """Returns the canonical text of a value; None if the slot takes the value as it is, which is faster."""
    slot: str = "%s"

    @property
    def text(self) -> Callable[[Any], str]:
        """A function that writes one value."""
        return self.write or self.slot.__mod__


def add_fault(faults: list[Fault], pointer: str, detail: str) -> None:
    """Append a fault and return None, the value of malformed data."""
    faults.append(Fault(pointer, detail))


def _whole(value: Plain) -> Plain:
    """An integral float such as 5.0 as an int: JSON Schema calls it an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def with_whole_numbers(data: Plain) -> Plain:
    """The same data with 5 for 5.0, as canonical JSON requires; its lists become lists of JSON."""
    if isinstance(data, dict):
        return {name: with_whole_numbers(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [with_whole_numbers(value) for value in data]
    return _whole(data)


def _writable(value: Plain) -> bool:
    """Whether plain data has a canonical form; text with an unpaired surrogate and NaN have none."""
    try:
        canonical(value)
    except (ValueError, RecursionError):
        return False
    return True


def integer(low: int, high: int) -> FieldFormat:
    """An integer between two bounds, both included."""

    def parse(value: Plain, pointer: str, faults: list[Fault]) -> Any:
        value = _whole(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return add_fault(faults, pointer, "must be an integer")
        if not low <= value <= high:
            return add_fault(faults, pointer, f"must be between {low} and {high}")
        return value

    return FieldFormat({"type": "integer", "minimum": low, "maximum": high}, parse, slot="%d")


def string(low: int, high: int) -> FieldFormat:
    """A string with a bounded length."""

    def parse(value: Plain, pointer: str, faults: list[Fault]) -> Any:
        if not isinstance(value, str):
            return add_fault(faults, pointer, "must be a string")
        if not low <= len(value) <= high:
            return add_fault(faults, pointer, f"must have between {low} and {high} characters")
        return value if _writable(value) else add_fault(faults, pointer, "must be Unicode text")

    return FieldFormat({"type": "string", "minLength": low, "maxLength": high}, parse, write=text_of)


def boolean() -> FieldFormat:
    """The format of true or false."""

    def parse(value: Plain, pointer: str, faults: list[Fault]) -> Any:
        return value if isinstance(value, bool) else add_fault(faults, pointer, "must be true or false")

    return FieldFormat({"type": "boolean"}, parse, write=lambda value: "true" if value else "false")


def choice(values: tuple[Any, ...]) -> FieldFormat:
    """One of the given values."""

    def parse(value: Plain, pointer: str, faults: list[Fault]) -> Any:
        value = _whole(value)
        for known in values:
            if value == known and type(value) is type(known):
                return known
        return add_fault(faults, pointer, "must be one of " + ", ".join(json.dumps(v) for v in values))

    words = all(isinstance(value, str) and text_of(value) == f'"{value}"' for value in values)
    schema = {"enum": list(values)}
    return FieldFormat(schema, parse, slot='"%s"') if words else FieldFormat(schema, parse, write=text_of)


def plain() -> FieldFormat:
    """Any JSON value that can be stored: Unicode text, finite numbers."""

    def parse(value: Plain, pointer: str, faults: list[Fault]) -> Any:
        if _writable(value):
            return value
        return add_fault(faults, pointer, "must be JSON in Unicode text, with finite numbers")

    return FieldFormat({}, parse, write=text_of)


def optional(inner: FieldFormat) -> FieldFormat:
    """A value of another format, or null."""

    def parse(value: Plain, pointer: str, faults: list[Fault]) -> Any:
        return None if value is None else inner.parse(value, pointer, faults)

    encode, revive, text = inner.encode, inner.revive, inner.text
    return FieldFormat(
        {"anyOf": [inner.schema, {"type": "null"}]},
        parse,
        encode and (lambda v: None if v is None else encode(v)),
        revive and (lambda v: None if v is None else revive(v)),
        write=lambda v: "null" if v is None else text(v),
    )


def list_of(inner: FieldFormat, low: int, high: int) -> FieldFormat:
    """A list with a bounded length, as a tuple of values of one format."""

    def parse(value: Plain, pointer: str, faults: list[Fault]) -> Any:
        if not isinstance(value, list):
            return add_fault(faults, pointer, "must be a list")
        if not low <= len(value) <= high:
            return add_fault(faults, pointer, f"must have between {low} and {high} items")
        return tuple(inner.parse(v, f"{pointer}/{i}", faults) for i, v in enumerate(value))

    encode, revive, text = inner.encode, inner.revive, inner.text
    return FieldFormat(
        {"type": "array", "items": inner.schema, "minItems": low, "maxItems": high},
        parse,
        (lambda v: [encode(x) for x in v]) if encode else list,
        (lambda v: tuple([revive(x) for x in v])) if revive else tuple,
        write=lambda v: f"[{','.join(map(text, v))}]",
    )


def tuple_of(inners: tuple[FieldFormat, ...]) -> FieldFormat:
    """A list with one value of each format, in this order."""

    def parse(value: Plain, pointer: str, faults: list[Fault]) -> Any:
        if not isinstance(value, list) or len(value) != len(inners):
            return add_fault(faults, pointer, f"must be a list of {len(inners)} items")
        return tuple(
            f.parse(v, f"{pointer}/{i}", faults) for i, (f, v) in enumerate(zip(inners, value, strict=True))
        )

    def encode(value: Any) -> Plain:
        return [f.encode(v) if f.encode else v for f, v in zip(inners, value, strict=True)]

    def revive(value: Plain) -> Any:
        return tuple(f.revive(v) if f.revive else v for f, v in zip(inners, value, strict=True))

    def write(value: Any) -> str:
        return f"[{','.join([text(v) for text, v in zip(texts, value, strict=True)])}]"

    texts = tuple(f.text for f in inners)
    size = {"minItems": len(inners), "maxItems": len(inners)}
    return FieldFormat(
        {"type": "array", "prefixItems": [f.schema for f in inners], **size},
        parse,
        encode,
        revive,
        write=write,
    )
