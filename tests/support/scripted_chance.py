"""Chance with values that a test provides."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from kontor_games.domain.chance import Chance, Draws

T = TypeVar("T")


class ScriptedDraws:
    """Values that a test provides: integers for `below`, lists for `shuffled`."""

    def __init__(self, stream: str, script: list[object]) -> None:
        self._stream = stream
        self._script = script

    def _next(self) -> object:
        if not self._script:
            raise LookupError(f"the script of stream {self._stream!r} is used up")
        return self._script.pop(0)

    def below(self, bound: int) -> int:
        """Return the next scripted integer; raise ValueError if it is not below the bound."""
        value = self._next()
        if not isinstance(value, int) or not 0 <= value < bound:
            raise ValueError(f"stream {self._stream!r}: {value!r} is not a number below {bound}")
        return value

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the next scripted order; raise ValueError if it does not have the same items."""
        order = self._next()
        if not isinstance(order, list) or sorted(map(repr, order)) != sorted(map(repr, items)):
            raise ValueError(f"stream {self._stream!r}: {order!r} is no order of {items!r}")
        return list(order)


class Scripted:
    """Scripted values for tests; streams without a script use `otherwise`."""

    def __init__(self, script: Mapping[str, Sequence[object]], otherwise: Chance | None = None) -> None:
        """The script is copied, so that several tests can share it."""
        self._script = {stream: list(values) for stream, values in script.items()}
        self._otherwise = otherwise

    def draws(self, stream: str, index: int) -> Draws:
        """Return the scripted values of a stream in order, for any index."""
        if stream not in self._script and self._otherwise is not None:
            return self._otherwise.draws(stream, index)
        return ScriptedDraws(stream, self._script.setdefault(stream, []))
