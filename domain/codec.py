"""The plain-data form of moves, facts and commands (`domain/records.py`), as stored and sent."""

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from operator import attrgetter
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from kontor_games.domain import plain as formats
from kontor_games.domain.plain import (
    MAX_INTEGER,
    Fault,
    FieldFormat,
    Plain,
    add_fault,
    canonical,
    digest,
    pointer_step,
    text_of,
    with_whole_numbers,
)
from kontor_games.domain.records import Between, Length, Record, key_of, late, record, secret

__all__ = [
    "ARBITER",
    "SPECTATOR",
    "Between",
    "Codec",
    "Fault",
    "Length",
    "MalformedError",
    "Plain",
    "Record",
    "Shape",
    "canonical",
    "digest",
    "key_of",
    "late",
    "pointer_step",
    "record",
    "secret",
    "text_of",
    "with_whole_numbers",
]

SPECTATOR = -1
"""A viewer who holds no seat. Seats are viewers 0, 1, 2 …"""
ARBITER = -2
"""A viewer from whom nothing is hidden: audits, and everybody once a match is over."""

_RESERVED = ("type", "revision", "hidden")
"""Keys beside a record's own fields on the wire."""


class MalformedError(Exception):
    """Some values are invalid."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Takes all faults, so that a caller can correct them together."""
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{f.pointer or '/'}: {f.detail}" for f in self.faults))


_R = TypeVar("_R", bound=Record)
Families = Mapping[Any, FieldFormat]
"""The formats of fields whose annotation names a whole family of records, such as all moves of one game."""

_SIMPLE: Families = {
    int: formats.integer(-MAX_INTEGER, MAX_INTEGER),
    str: formats.string(0, 1000),
    bool: formats.boolean(),
    Any: formats.plain(),
}


def _format_of(hint: Any, families: Families) -> FieldFormat:
    """The format of a field by its annotation; raises TypeError for a type that a record cannot hold."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _bounded(args[0], args[1], families)
    if origin is Literal:
        return formats.choice(args)
    if origin in (Union, types.UnionType) and args[1:] == (type(None),):
        return formats.optional(_format_of(args[0], families))
    if origin is tuple:
        items = [_format_of(arg, families) for arg in args if arg is not ...]
        return formats.list_of(items[0], 0, 1000) if args[1:] == (...,) else formats.tuple_of(tuple(items))
    if hint in families:
        return families[hint]
    if isinstance(hint, type) and issubclass(hint, Record):
        return _part(Shape(hint))
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    raise TypeError(f"a record cannot hold {hint!r}")


def _part(shape: "Shape") -> FieldFormat:
    if shape.secrets:
        raise TypeError(
            f"{shape.cls.type} is part of a record, which cannot redact it: make the whole field secret"
        )
    return FieldFormat(shape.schema(), shape.parse, shape.encode, shape.revive, write=shape.writer({}))


def _bounded(hint: Any, bounds: Any, families: Families) -> FieldFormat:
    if hint is int and isinstance(bounds, Between):
        return formats.integer(bounds.low, bounds.high)
    if hint is str and isinstance(bounds, Length):
        return formats.string(bounds.low, bounds.high)
    if get_origin(hint) is tuple and get_args(hint)[1:] == (...,) and isinstance(bounds, Length):
        return formats.list_of(_format_of(get_args(hint)[0], families), bounds.low, bounds.high)
    raise TypeError(f"{bounds!r} cannot be the bounds of {hint!r}")


class Shape:
    """Encodes, decodes, parses and describes the records of one class."""

    def __init__(self, cls: type[Record], families: Families | None = None) -> None:
        hints = get_type_hints(cls, include_extras=True)
        self.cls = cls
        self._fields = fields(cls)  # type: ignore[arg-type]  # every concrete record is a dataclass
        self._formats = {f.name: _format_of(hints[f.name], families or {}) for f in self._fields}
        self._names = tuple(f.name for f in sorted(self._fields, key=lambda f: "late" not in f.metadata))
        self._parsers = tuple(
            (f.name, f"/{f.name}", self._formats[f.name].parse, f.default is MISSING) for f in self._fields
        )
        self._encoders = tuple((name, form.encode) for name, form in self._formats.items() if form.encode)
        self._revivers = tuple((name, form.revive) for name, form in self._formats.items() if form.revive)
        self._late = tuple((f.name, f.default) for f in self._fields if "late" in f.metadata)
        self.secrets = tuple((f.name, f.metadata["seen_by"]) for f in self._fields if "seen_by" in f.metadata)
        self.hidden = tuple(name for name, _ in self.secrets)
        self._check_names()

    def _check_names(self) -> None:
        """Check the names when the class is defined, not only when a fact is stored or redacted."""
        for name in self._names:
            if name in _RESERVED:
                raise TypeError(
                    f"{self.cls.type}: a field cannot be called {name!r}, "
                    "which is reserved in the stored form"
                )
        for name, seen_by in self.secrets:
            for who in seen_by:
                if who not in self._names:
                    raise TypeError(
                        f"{self.cls.type}.{name} is visible to {who!r}, but there is no such field"
                    )

    def encode(self, value: Any) -> dict[str, Plain]:
        """The fields of a record as plain data."""
        data = {name: getattr(value, name) for name in self._names}
        for name, default in self._late:
            if data[name] == default:
                del data[name]
        for name, encode in self._encoders:
            if name in data:
                data[name] = encode(data[name])
        return data

    def encoder(self, heading: Mapping[str, Plain]) -> Callable[[Any], dict[str, Plain]]:
        """A function that encodes a record after its heading, which holds attributes of its class.

        It is fast for records whose fields are plain already, like most facts and moves.
        """
        keys = (*heading, *self._names)
        if self._late or self._encoders or len(keys) == 1:
            return lambda value: {**heading, **self.encode(value)}
        if len(self._names) == 1:
            [name], only = self._names, attrgetter(*self._names)
            return lambda value: {**heading, name: only(value)}
        get = attrgetter(*keys)
        return lambda value: dict(zip(keys, get(value), strict=True))

    def writer(self, heading: Mapping[str, Plain]) -> Callable[[Any], str]:
        """A function that writes the public part of a record, after its heading, in canonical form.

        It is fast, since every fact is hashed.
        """
        if not self._late:
            return self._template(heading, ())
        templates: dict[tuple[str, ...], Callable[[Any], str]] = {}

        def write(value: Any) -> str:
            left_out = tuple([name for name, default in self._late if getattr(value, name) == default])
            if left_out not in templates:
                templates[left_out] = self._template(heading, left_out)
            return templates[left_out](value)

        return write

    def _template(self, heading: Mapping[str, Plain], left_out: tuple[str, ...]) -> Callable[[Any], str]:
        shown = sorted({*heading, *self._names}.difference(self.hidden, left_out))
        names = [name for name in shown if name not in heading]
        slots = [
            f'"{name}":{text_of(heading[name]) if name in heading else self._formats[name].slot}'
            for name in shown
        ]
        template, get = f"{{{','.join(slots)}}}", _getter(names)
        special = tuple(
            (place, write) for place, name in enumerate(names) if (write := self._formats[name].write)
        )

        def fill(value: Any) -> str:
            values = list(get(value))
            for place, write in special:
                values[place] = write(values[place])
            return template % tuple(values)

        return fill if special else lambda value: template % get(value)

    def revive(self, data: Mapping[str, Plain]) -> Any:
        """The record that `encode` wrote; its input comes from the store and is not checked."""
        if not self._revivers:
            return self.cls(**data)
        values = dict(data)
        for name, revive in self._revivers:
            if name in values:
                values[name] = revive(values[name])
        return self.cls(**values)

    def parse(self, data: Plain, pointer: str, faults: list[Fault]) -> Any:
        """The record that untrusted data describes, or None with the faults noted."""
        if not isinstance(data, dict):
            return add_fault(faults, pointer, "must be an object")
        before = len(faults)
        unknown = [name for name in data if name not in self._formats]
        faults += [Fault.unknown(pointer, name, self._formats) for name in unknown]
        values = {}
        for name, step, parse, needed in self._parsers:
            if name in data:
                values[name] = parse(data[name], pointer + step, faults)
            elif needed:
                add_fault(faults, pointer + step, "is missing")
        return self.cls(**values) if len(faults) == before else None

    def schema(self, **first: Plain) -> dict[str, Plain]:
        """JSON Schema (2020-12) of the record, with the given properties before its own."""
        properties: dict[str, Plain] = dict(first)
        for f in self._fields:
            known = self._formats[f.name]
            properties[f.name] = dict(known.schema)
            if f.default is not MISSING:
                properties[f.name]["default"] = known.encode(f.default) if known.encode else f.default
        if self.hidden:
            properties["hidden"] = {
                "type": "array",
                "items": {"enum": list(self.hidden)},
                "minItems": 1,
                "uniqueItems": True,
            }
        needed = [f.name for f in self._fields if f.default is MISSING and f.name not in self.hidden]
        required = [*first, *needed]
        return {
            "type": "object",
            **({"description": self.cls.__doc__} if self.cls.__doc__ else {}),
            "properties": properties,
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }


def _getter(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that returns the values of these attributes as a tuple, for any number of names."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple([getattr(value, name) for name in names])


class Codec:
    """Plain-data form of a closed family of records, such as the moves of a game, distinguished by `type`."""

    def __init__(self, classes: Iterable[type[Record]], families: Families | None = None) -> None:
        """Refuses two classes with the same name, since a stored key must have one meaning."""
        self._shapes: dict[str, Shape] = {}
        self._headings: dict[str, dict[str, Plain]] = {}
        self._writers: dict[str, Callable[[Any], str]] = {}
        self._encoders: dict[str, Callable[[Any], dict[str, Plain]]] = {}
        for cls in classes:
            if cls.type in self._shapes:
                raise ValueError(f"two records are called {cls.type}")
            shape = self._shapes[cls.type] = Shape(cls, families)
            heading = self._headings[cls.type] = {"type": cls.type} | (
                {"revision": cls.revision} if cls.revision > 1 else {}
            )
            self._writers[cls.type] = shape.writer(heading)
            self._encoders[cls.type] = shape.encoder(heading)

    @property
    def types(self) -> tuple[str, ...]:
        """The names of all records known here."""
        return tuple(self._shapes)

    def encode(self, value: Record) -> dict[str, Plain]:
        """A record as plain data, `type` first; `revision` is written from the second one on."""
        return self._encoders[value.type](value)

    def decode(self, data: Mapping[str, Plain]) -> Any:
        """The record that `encode` once wrote, brought up to date if an older revision wrote it."""
        values = dict(data)
        shape = self._shapes[values.pop("type")]
        revision = values.pop("revision", 1)
        if revision != shape.cls.revision:
            values = shape.cls.upcast(values, revision)
        return shape.revive(values)

    @property
    def field_format(self) -> FieldFormat:
        """One record of this family, as part of another record."""
        return FieldFormat(
            {}, self.parse_into, self.encode, self.decode, write=lambda value: self.write_public(value)[0]
        )

    def parse(self, data: Plain, pointer: str = "") -> Any:
        """The record that untrusted data describes; raises MalformedError with every fault."""
        faults: list[Fault] = []
        value = self.parse_into(data, pointer, faults)
        if faults:
            raise MalformedError(faults)
        return value

    def parse_into(self, data: Plain, pointer: str, faults: list[Fault]) -> Any:
        """The record that untrusted data describes, or None with the faults noted."""
        if not isinstance(data, dict):
            return add_fault(faults, pointer, "must be an object")
        name = data.get("type")
        if not isinstance(name, str) or name not in self._shapes:
            return add_fault(faults, f"{pointer}/type", "must be one of " + ", ".join(self._shapes))
        values = dict(data)
        for key, due in self._headings[name].items():
            if values.get(key) == due:
                del values[key]
        return self._shapes[name].parse(values, pointer, faults)

    def redacted(self, value: Record, viewer: int) -> dict[str, Plain]:
        """A record as the viewer may see it: hidden fields are left out and named under `hidden`."""
        data = self.encode(value)
        hidden = self._hidden_from(value, viewer)
        for name in hidden:
            del data[name]
        if hidden:
            data["hidden"] = hidden
        return data

    def blinded(self, value: _R, viewer: int) -> _R:
        """A record as the viewer may see it: hidden fields are None."""
        hidden = self._hidden_from(value, viewer)
        return replace(value, **dict.fromkeys(hidden)) if hidden else value  # type: ignore[type-var]

    def _hidden_from(self, value: Record, viewer: int) -> list[str]:
        secrets = () if viewer == ARBITER else self._shapes[value.type].secrets
        return [
            name
            for name, seen_by in secrets
            if not any(_names(getattr(value, who), viewer) for who in seen_by)
        ]

    def write_public(self, value: Record) -> tuple[str, tuple[str, ...]]:
        """The canonical form of what everybody may see of a fact, and the names of its hidden fields."""
        return self._writers[value.type](value), self._shapes[value.type].hidden

    def hidden_fields(self, name: str) -> tuple[str, ...]:
        """The names of the hidden fields of one record."""
        return self._shapes[name].hidden

    def schema(self, name: str) -> dict[str, Plain]:
        """JSON Schema of one record as it is sent.

        A secret may be missing there, and is then named under `hidden`.
        """
        schema = self._shapes[name].schema(type={"const": name})
        schema["properties"] |= {key: {"const": value} for key, value in self._headings[name].items()}
        return schema


def _names(seats: Any, viewer: int) -> bool:
    """Whether a field that holds a seat or a tuple of seats names the viewer; it never names a spectator."""
    if viewer < 0:
        return False
    return viewer in seats if isinstance(seats, tuple) else bool(seats == viewer)
