"""The plain-data form of moves and facts: what is stored is what goes over the wire.

A *record* is a small frozen class whose annotations say everything: its fields, their JSON Schema, how they are read from
untrusted input, and who may see them. Its name on the wire and in the store derives from the class name by `key_of`.
"""

import hashlib
import json
import re
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

Plain = Any
"""JSON-able data that passes through untouched: dicts with string keys, lists, strings, integers, booleans, None."""

SPECTATOR = -1
"""A viewer who holds no seat. Seats are viewers 0, 1, 2 …"""
ARBITER = -2
"""A viewer from whom nothing is hidden: audits, and everybody once a match is over."""

_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")
_LARGEST = 2**53 - 1
"""The largest integer that every JSON reader keeps exact; no move needs a larger one."""


def key_of(cls: type) -> str:
    """The stored key, wire `type` or error `code` of a class: WorkerPlaced → worker_placed, NotYourTurnError → not_your_turn."""
    return _WORD_START.sub("_", cls.__name__.removesuffix("Error")).lower()


def canonical(data: Plain) -> bytes:
    """The one byte form of plain data: sorted keys, no spaces, UTF-8. Hashes are taken over this."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest(data: Plain) -> str:
    """SHA-256 of the canonical form, in hex."""
    return hashlib.sha256(canonical(data)).hexdigest()


def secret(*seen_by: str) -> Any:
    """A record field that only the seats named by the given fields may see; with no field named, nobody may."""
    return field(metadata={"seen_by": seen_by})


_R = TypeVar("_R", bound="Record")


@dataclass_transform(frozen_default=True, field_specifiers=(field, secret))
def record(cls: type[_R]) -> type[_R]:
    """Makes a class a frozen, slotted record."""
    return dataclass(frozen=True, slots=True)(cls)


class Record:
    """What moves, facts, options and their parts have in common."""

    __slots__ = ()
    type: ClassVar[str]
    revision: ClassVar[int] = 1
    """Raised when stored fields change; `upcast` then brings older data up to date."""

    def __init_subclass__(cls) -> None:
        """Names the record."""
        cls.type = key_of(cls)

    @classmethod
    def upcast(cls, data: dict[str, Plain], revision: int) -> dict[str, Plain]:
        """Stored data of an older revision in today's form."""
        raise LookupError(f"{cls.type} has no upcast from revision {revision}")


@dataclass(frozen=True)
class Between:
    """Bounds of an integer, both included: `Annotated[int, Between(0, 4)]`."""

    low: int
    high: int


@dataclass(frozen=True)
class Length:
    """Bounds of the length of a list or string: `Annotated[tuple[int, ...], Length(1, 8)]`."""

    low: int
    high: int


@dataclass(frozen=True)
class Fault:
    """One thing wrong with untrusted data: where (a JSON Pointer) and what."""

    pointer: str
    detail: str


class MalformedError(Exception):
    """Untrusted data that is no record of the wanted kind."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Keeps every fault, so that a caller can mend them all at once."""
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{f.pointer or '/'}: {f.detail}" for f in self.faults))


class _Form:
    """How values of one annotation are written, read back, checked and described."""

    def __init__(
        self,
        schema: dict[str, Plain],
        parse: Callable[[Plain, str, list[Fault]], Any],
        encode: Callable[[Any], Plain] | None = None,
        revive: Callable[[Plain], Any] | None = None,
    ) -> None:
        self.schema = schema
        self.parse = parse
        self.encode = encode
        self.revive = revive


def _refuse(faults: list[Fault], pointer: str, detail: str) -> None:
    faults.append(Fault(pointer, detail))


def _integer(low: int, high: int) -> _Form:
    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        # JSON Schema calls 5.0 an integer; Python's bool is not one.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return _refuse(faults, at, "must be an integer")
        if not low <= value <= high:
            return _refuse(faults, at, f"must be between {low} and {high}")
        return value

    return _Form({"type": "integer", "minimum": low, "maximum": high}, parse)


def _string(low: int, high: int) -> _Form:
    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        if not isinstance(value, str):
            return _refuse(faults, at, "must be a string")
        if not low <= len(value) <= high:
            return _refuse(faults, at, f"must have between {low} and {high} characters")
        return value

    return _Form({"type": "string", "minLength": low, "maxLength": high}, parse)


def _boolean() -> _Form:
    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        return value if isinstance(value, bool) else _refuse(faults, at, "must be true or false")

    return _Form({"type": "boolean"}, parse)


def _choice(values: tuple[Any, ...]) -> _Form:
    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        for known in values:
            if value == known and type(value) is type(known):
                return known
        return _refuse(faults, at, "must be one of " + ", ".join(json.dumps(v) for v in values))

    return _Form({"enum": list(values)}, parse)


def _optional(inner: _Form) -> _Form:
    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        return None if value is None else inner.parse(value, at, faults)

    encode, revive = inner.encode, inner.revive
    return _Form(
        {"anyOf": [inner.schema, {"type": "null"}]},
        parse,
        encode and (lambda v: None if v is None else encode(v)),
        revive and (lambda v: None if v is None else revive(v)),
    )


def _list_of(inner: _Form, low: int, high: int) -> _Form:
    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        if not isinstance(value, list):
            return _refuse(faults, at, "must be a list")
        if not low <= len(value) <= high:
            return _refuse(faults, at, f"must have between {low} and {high} items")
        return tuple(inner.parse(v, f"{at}/{i}", faults) for i, v in enumerate(value))

    encode, revive = inner.encode, inner.revive
    return _Form(
        {"type": "array", "items": inner.schema, "minItems": low, "maxItems": high},
        parse,
        (lambda v: [encode(x) for x in v]) if encode else list,
        (lambda v: tuple([revive(x) for x in v])) if revive else tuple,
    )


def _tuple_of(inners: tuple[_Form, ...]) -> _Form:
    def parse(value: Plain, at: str, faults: list[Fault]) -> Any:
        if not isinstance(value, list) or len(value) != len(inners):
            return _refuse(faults, at, f"must be a list of {len(inners)} items")
        return tuple(f.parse(v, f"{at}/{i}", faults) for i, (f, v) in enumerate(zip(inners, value, strict=True)))

    def encode(value: Any) -> Plain:
        return [f.encode(v) if f.encode else v for f, v in zip(inners, value, strict=True)]

    def revive(value: Plain) -> Any:
        return tuple(f.revive(v) if f.revive else v for f, v in zip(inners, value, strict=True))

    size = {"minItems": len(inners), "maxItems": len(inners)}
    return _Form({"type": "array", "prefixItems": [f.schema for f in inners], **size}, parse, encode, revive)


def _plain() -> _Form:
    return _Form({}, lambda value, at, faults: value)


def _form_of(hint: Any) -> _Form:
    """The form of an annotation; a type that has none is a mistake in a record, found when its codec is built."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _bounded(args[0], args[1])
    if origin is Literal:
        return _choice(args)
    if origin in (Union, types.UnionType) and args[1:] == (type(None),):
        return _optional(_form_of(args[0]))
    if origin is tuple:
        return _list_of(_form_of(args[0]), 0, 1000) if args[1:] == (...,) else _tuple_of(tuple(map(_form_of, args)))
    if isinstance(hint, type) and issubclass(hint, Record):
        shape = Shape(hint)
        return _Form(shape.schema(), shape.parse, shape.encode, shape.revive)
    simple: dict[Any, Callable[[], _Form]] = {
        int: lambda: _integer(-_LARGEST, _LARGEST),
        str: lambda: _string(0, 1000),
        bool: _boolean,
        Any: _plain,
    }
    if hint in simple:
        return simple[hint]()
    raise TypeError(f"a record cannot hold {hint!r}")


def _bounded(hint: Any, bounds: Between | Length) -> _Form:
    if hint is int:
        return _integer(bounds.low, bounds.high)
    if hint is str:
        return _string(bounds.low, bounds.high)
    return _list_of(_form_of(get_args(hint)[0]), bounds.low, bounds.high)


class Shape:
    """Writes, reads, checks, redacts and describes the records of one class."""

    def __init__(self, cls: type[Record]) -> None:
        """Works out once what each field needs."""
        hints = get_type_hints(cls, include_extras=True)
        self.cls = cls
        self._fields = fields(cls)  # type: ignore[arg-type]  # every concrete record is a dataclass
        self._forms = {f.name: _form_of(hints[f.name]) for f in self._fields}
        self._names = tuple(f.name for f in self._fields)
        self._encoders = tuple((n, e) for n, form in self._forms.items() if (e := form.encode))
        self._revivers = tuple((n, r) for n, form in self._forms.items() if (r := form.revive))
        self.secrets = tuple((f.name, f.metadata["seen_by"]) for f in self._fields if "seen_by" in f.metadata)

    def encode(self, value: Any) -> dict[str, Plain]:
        """A record's fields as plain data."""
        data = {name: getattr(value, name) for name in self._names}
        for name, encode in self._encoders:
            data[name] = encode(data[name])
        return data

    def revive(self, data: Mapping[str, Plain]) -> Any:
        """The record that `encode` wrote; trusts its input, since it comes from the store."""
        if not self._revivers:
            return self.cls(**data)
        values = dict(data)
        for name, revive in self._revivers:
            if name in values:
                values[name] = revive(values[name])
        return self.cls(**values)

    def parse(self, data: Plain, at: str, faults: list[Fault]) -> Any:
        """The record that untrusted data describes, or None with the faults noted."""
        if not isinstance(data, dict):
            return _refuse(faults, at, "must be an object")
        before = len(faults)
        for name in data.keys() - self._forms.keys():
            _refuse(faults, f"{at}/{_escape(name)}", "is not known here")
        values = {}
        for f in self._fields:
            if f.name in data:
                values[f.name] = self._forms[f.name].parse(data[f.name], f"{at}/{f.name}", faults)
            elif f.default is MISSING and f.default_factory is MISSING:
                _refuse(faults, f"{at}/{f.name}", "is missing")
        return self.cls(**values) if len(faults) == before else None

    def schema(self, **first: Plain) -> dict[str, Plain]:
        """JSON Schema (2020-12) of the record, with the given properties before its own."""
        properties: dict[str, Plain] = dict(first)
        for f in self._fields:
            default = {} if f.default is MISSING else {"default": self._plain_default(f.name, f.default)}
            properties[f.name] = {**self._forms[f.name].schema, **default}
        missing = [f.name for f in self._fields if f.default is MISSING and f.default_factory is MISSING]
        described = {"description": self.cls.__doc__} if self.cls.__doc__ else {}
        required = [*first, *missing]
        return {
            "type": "object",
            **described,
            "properties": properties,
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }

    def _plain_default(self, name: str, value: Any) -> Plain:
        encode = self._forms[name].encode
        return encode(value) if encode else value


def _escape(token: Any) -> str:
    """A key as one step of a JSON Pointer (RFC 6901)."""
    return str(token).replace("~", "~0").replace("/", "~1")


class Codec:
    """Plain-data form of a closed family of records, such as the moves of one game, told apart by `type`."""

    def __init__(self, classes: Iterable[type[Record]]) -> None:
        """Two classes of one name would be two meanings of one stored key: refused."""
        self._shapes: dict[str, Shape] = {}
        for cls in classes:
            if cls.type in self._shapes:
                raise ValueError(f"two records are called {cls.type}")
            self._shapes[cls.type] = Shape(cls)

    @property
    def types(self) -> tuple[str, ...]:
        """The names of all records known here."""
        return tuple(self._shapes)

    def encode(self, value: Record) -> dict[str, Plain]:
        """A record as plain data, `type` first; `revision` is written from the second one on."""
        revision = {"revision": value.revision} if value.revision > 1 else {}
        return {"type": value.type, **revision, **self._shapes[value.type].encode(value)}

    def decode(self, data: Mapping[str, Plain]) -> Any:
        """The record that `encode` once wrote, brought up to date if an older revision wrote it."""
        values = dict(data)
        shape = self._shapes[values.pop("type")]
        revision = values.pop("revision", 1)
        if revision != shape.cls.revision:
            values = shape.cls.upcast(values, revision)
        return shape.revive(values)

    def parse(self, data: Plain, at: str = "") -> Any:
        """The record that untrusted data describes; raises MalformedError with every fault."""
        if not isinstance(data, dict):
            raise MalformedError([Fault(at, "must be an object")])
        name = data.get("type")
        if not isinstance(name, str) or name not in self._shapes:
            raise MalformedError([Fault(f"{at}/type", "must be one of " + ", ".join(self._shapes))])
        faults: list[Fault] = []
        value = self._shapes[name].parse({k: v for k, v in data.items() if k != "type"}, at, faults)
        if faults:
            raise MalformedError(faults)
        return value

    def show(self, value: Record, viewer: int) -> dict[str, Plain]:
        """A fact as the viewer may see it: what is not theirs is left out and named under `hidden`."""
        data = self.encode(value)
        if viewer == ARBITER:
            return data
        hidden = []
        for name, seen_by in self._shapes[value.type].secrets:
            if not any(_names(getattr(value, who), viewer) for who in seen_by):
                del data[name]
                hidden.append(name)
        if hidden:
            data["hidden"] = hidden
        return data

    def schema(self, name: str) -> dict[str, Plain]:
        """JSON Schema of one record, as it stands on the wire."""
        return self._shapes[name].schema(type={"const": name})


def _names(seats: Any, viewer: int) -> bool:
    """Whether a field that holds a seat, or a tuple of seats, names the viewer."""
    return viewer in seats if isinstance(seats, tuple) else bool(seats == viewer)
