"""Random numbers that anyone can recompute: a SHA-256 stream for each (seed, stream name, index).

`docs/chance.md` specifies every byte, with test vectors. A draw has an address and is never just "the next
one": the third roll of the dice is `chance.draws("dice", 2)`, whatever was drawn from other streams before.
So the facts of the game are the only state between two moves, and a draw added to one stream does not change
another stream.
"""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from struct import unpack
from typing import Protocol, TypeVar

T = TypeVar("T")

_DOMAIN = b"kontor.chance.1\n"
_SPAN = 1 << 64


class Draws(Protocol):
    """The random values of one draw, taken one after the other."""

    def below(self, bound: int) -> int:
        """Return an integer from 0 to bound - 1, each equally likely."""

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order, each order equally likely."""


class Chance(Protocol):
    """The source of the random values of a match; always passed as an argument."""

    def draws(self, stream: str, index: int) -> Draws:
        """Return the draw with this index in a stream."""


def shuffle(items: Sequence[T], below: Callable[[int], int]) -> list[T]:
    """Shuffle by Fisher–Yates, from the last position down to the second."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


class SeededDraws:
    """The 64-bit words of one (seed, stream, index), block by block."""

    __slots__ = ("_block", "_prefix", "_words")

    def __init__(self, prefix: bytes) -> None:
        self._prefix = prefix
        self._block = 0
        self._words: list[int] = []

    def _next_words(self) -> list[int]:
        block = sha256(self._prefix + self._block.to_bytes(8, "big")).digest()
        self._block += 1
        self._words = [*unpack(">4Q", block)][::-1]
        return self._words

    def below(self, bound: int) -> int:
        """Return an integer by rejection sampling.

        Words that are not below the largest multiple of the bound are skipped.
        """
        if not 1 <= bound <= _SPAN:
            raise ValueError("a draw needs at least one possible value, and at most 2**64")
        limit = _SPAN - _SPAN % bound
        while (word := (self._words or self._next_words()).pop()) >= limit:
            pass
        return word % bound

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order, each order equally likely."""
        return shuffle(items, self.below)


class Seeded:
    """Chance from a 32-byte seed."""

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        """Raises ValueError for a seed of another length."""
        if len(seed) != 32:
            raise ValueError("a seed has 32 bytes")
        self.seed = seed

    def draws(self, stream: str, index: int) -> SeededDraws:
        return SeededDraws(self.prefix(stream, index))

    def prefix(self, stream: str, index: int) -> bytes:
        """Return the bytes that are hashed for a draw, to which the number of the block is appended."""
        return _DOMAIN + self.seed + _heading(stream) + index.to_bytes(8, "big")


@cache
def _heading(stream: str) -> bytes:
    """Return the name of a stream, prefixed with its length."""
    name = stream.encode("ascii")
    return bytes((len(name),)) + name


def seed_from(text: str) -> bytes:
    """Return the seed for a text given on the command line: its SHA-256."""
    return sha256(text.encode()).digest()
