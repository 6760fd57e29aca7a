"""How records are declared: moves, facts, commands, options and their parts.

A *record* is a small frozen class. Its annotations define its fields, their JSON Schema, how they are read
from untrusted input, and who may see them. Its name on the wire and in the store derives from the class name
by `key_of`. `domain/codec.py` reads and writes them.
"""

import re
import reprlib
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeVar, dataclass_transform

from kontor_games.domain.plain import Plain

_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")
_BRIEF = reprlib.Repr()
"""Shortens long fields, such as a deck of cards, in the repr of a record."""
_BRIEF.maxtuple, _BRIEF.maxdict, _BRIEF.maxstring, _BRIEF.maxother = 10, 6, 80, 160


def key_of(cls: type) -> str:
    """The stored key, wire `type` or error `code` of a class: NotYourTurnError → not_your_turn."""
    kept: str | None = vars(cls).get("KEY")  # a name that was published before the class was renamed
    return kept or _WORD_START.sub("_", cls.__name__.removesuffix("Error")).lower()


def secret(*seen_by: str) -> Any:
    """A record field that only the seats named by the given fields may see; without any, nobody may."""
    return field(metadata={"seen_by": seen_by})


def late(default: Any) -> Any:
    """A field that was added later. Its default is not written, so that old records keep their hash."""
    return field(default=default, metadata={"late": True})


_R = TypeVar("_R", bound="Record")


@dataclass_transform(frozen_default=True, field_specifiers=(field, secret, late))
def record(cls: type[_R]) -> type[_R]:
    """Turn a class into a frozen record with slots."""
    return dataclass(frozen=True, slots=True, repr=False)(cls)


class Record:
    """The base of moves, facts, commands, options and their parts."""

    __slots__ = ()
    type: ClassVar[str]
    revision: ClassVar[int] = 1
    """Raised when stored fields change; `upcast` then converts older data."""

    def __init_subclass__(cls) -> None:
        cls.type = key_of(cls)

    @classmethod
    def upcast(cls, data: dict[str, Plain], revision: int) -> dict[str, Plain]:
        """Convert stored data of an older revision to the current one."""
        raise LookupError(f"{cls.type} has no upcast from revision {revision}")

    def __repr__(self) -> str:
        shown = (f"{f.name}={_BRIEF.repr(getattr(self, f.name))}" for f in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(shown)})"


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
