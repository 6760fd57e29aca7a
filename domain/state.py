"""The base class of all game states: only facts change them, and equal states have equal digests."""

from functools import cache
from typing import Any, ClassVar

from kontor_games.domain.codec import Codec, Plain, Record, digest


class State:
    """The state of a game: a mutable object with `__slots__`, changed by facts only."""

    __slots__ = ()
    STATIC: ClassVar[frozenset[str]] = frozenset()
    """Slots that are not part of a position: a fresh state of the same table has or recomputes them."""
    PARTS: ClassVar[tuple[type, ...]] = ()
    """The named tuples and records that a state may hold."""

    seats: Any
    """Number of seats: a slot or a property of each game's state."""

    def copy(self) -> "State":
        """An independent copy; each game implements it by hand for speed."""
        raise LookupError(f"{type(self).__name__} does not implement copy")

    def restored(self) -> None:
        """Recompute the STATIC slots, after a position was set up in a fresh state."""

    @classmethod
    def slots(cls) -> list[str]:
        """The names of all slots but those in STATIC, with those of base classes, in alphabetical order."""
        names = (name for base in cls.__mro__ for name in getattr(base, "__slots__", ()))
        return sorted(name for name in names if name not in cls.STATIC)

    def dump(self) -> Plain:
        """The complete state, hidden parts included, as plain data; the same for equal states everywhere."""
        return {name: _plain(getattr(self, name)) for name in self.slots()}

    def digest(self) -> str:
        """A hash of the dump; equal states have equal digests."""
        return digest(self.dump())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.seats} seats, {self.digest()[:8]}>"


@cache
def _codec_of(cls: type[Record]) -> Codec:
    return Codec([cls])


def _plain(value: Any) -> Plain:
    if isinstance(value, State):
        return value.dump()
    if isinstance(value, Record):
        return _codec_of(type(value)).encode(value)  # type: ignore[arg-type]  # a class can be hashed
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=repr)
    if isinstance(value, list | tuple | bytearray | bytes):
        return [_plain(item) for item in value]
    return value
