"""Random numbers that anyone can recompute: a SHA-256 stream for each (seed, stream name, index).

`docs/chance.md` specifies every byte, with test vectors. A draw is addressed, never "the next one": the third roll of the dice is
`chance.draws("dice", 2)`, whatever was drawn elsewhere before. So nothing has to be remembered between two moves but what the
game's own facts say, and a draw added to one stream never shifts another.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Protocol, TypeVar

T = TypeVar("T")

_DOMAIN = b"kontor.chance.1\n"
_SPAN = 1 << 64


class Draws(Protocol):
    """The random values of one draw, taken one after the other."""

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1, each equally likely."""

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in an order of which each is equally likely."""


class Chance(Protocol):
    """Where a match's random values come from: an argument of whatever needs them."""

    def draws(self, stream: str, index: int) -> Draws:
        """The draw with this number in the named stream."""


def shuffle(items: Sequence[T], below: Callable[[int], int]) -> list[T]:
    """Fisher–Yates from the last place down to the second."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


class SeededDraws:
    """The 64-bit words of one (seed, stream, index), block by block."""

    __slots__ = ("_block", "_prefix", "_words")

    def __init__(self, prefix: bytes) -> None:
        """Reads nothing until a value is wanted."""
        self._prefix = prefix
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            block = sha256(self._prefix + self._block.to_bytes(8, "big")).digest()
            self._block += 1
            self._words = [int.from_bytes(block[i : i + 8], "big") for i in (24, 16, 8, 0)]
        return self._words.pop()

    def below(self, bound: int) -> int:
        """Rejection sampling: words at or above the largest multiple of the bound are passed over."""
        if not 1 <= bound <= _SPAN:
            raise ValueError("a draw needs at least one possible value, and at most 2**64")
        limit = _SPAN - _SPAN % bound
        while (word := self._word()) >= limit:
            pass
        return word % bound

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Each order is equally likely."""
        return shuffle(items, self.below)


class Seeded:
    """Chance from a 32-byte seed."""

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        """A seed of another length is a mistake, not a shorter seed."""
        if len(seed) != 32:
            raise ValueError("a seed has 32 bytes")
        self.seed = seed

    def draws(self, stream: str, index: int) -> SeededDraws:
        """The draw with this number in the named stream."""
        name = stream.encode("ascii")
        return SeededDraws(_DOMAIN + self.seed + bytes((len(name),)) + name + index.to_bytes(8, "big"))


def seed_from(text: str) -> bytes:
    """The seed that stands for a text or number given at the terminal: its SHA-256."""
    return sha256(text.encode()).digest()


class ScriptedDraws:
    """Values written down by a test: numbers for `below`, whole orders for `shuffled`."""

    def __init__(self, stream: str, script: list[object]) -> None:
        """Takes from the front of the stream's script."""
        self._stream = stream
        self._script = script

    def _next(self) -> object:
        if not self._script:
            raise LookupError(f"the script of stream {self._stream!r} is used up")
        return self._script.pop(0)

    def below(self, bound: int) -> int:
        """The next scripted number, which must be possible."""
        value = self._next()
        if not isinstance(value, int) or not 0 <= value < bound:
            raise ValueError(f"stream {self._stream!r}: {value!r} is not a number below {bound}")
        return value

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The next scripted order, which must hold the same items."""
        order = self._next()
        if not isinstance(order, list) or sorted(map(repr, order)) != sorted(map(repr, items)):
            raise ValueError(f"stream {self._stream!r}: {order!r} is no order of {items!r}")
        return list(order)


class Scripted:
    """Chance that a test dictates, stream by stream; streams without a script fall through to another chance."""

    def __init__(self, script: Mapping[str, Sequence[object]], otherwise: Chance | None = None) -> None:
        """Copies the script, so that one test can't use up another's."""
        self._script = {stream: list(values) for stream, values in script.items()}
        self._otherwise = otherwise

    def draws(self, stream: str, index: int) -> Draws:
        """The scripted values of the stream, in the order written, whatever the index."""
        if stream not in self._script and self._otherwise is not None:
            return self._otherwise.draws(stream, index)
        return ScriptedDraws(stream, self._script.setdefault(stream, []))
