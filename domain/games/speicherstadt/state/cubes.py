"""A heap of goods cubes as one integer, five bits a good: heaps add, subtract and compare like numbers.

There are 9 cubes of each good (S-2), so a count never needs the fifth bit. It is the *mark* of the good:
a guard for comparing all goods at once, and the good's bit in sets of goods, which are integers too.
"""

from functools import lru_cache

from kontor_games.domain.games.speicherstadt.data.cards import GOODS, Good

UNIT: dict[str, int] = {good: 1 << 5 * place for place, good in enumerate(GOODS)}
"""One cube of a good."""
FIELD = {good: 15 * unit for good, unit in UNIT.items()}
"""The bits that count a good: `heap & FIELD[good]` is true if the heap holds a cube of it."""
MARK = {good: 16 * unit for good, unit in UNIT.items()}
"""A good as a member of a set of goods."""

_ONES = sum(UNIT.values())
EVERY_GOOD = sum(MARK.values())
"""The set of all goods."""
_ONE_CARRIES, _TWO_CARRY, _THREE_CARRY = 15 * _ONES, 14 * _ONES, 13 * _ONES
"""Added to a heap, they set the mark of each good of which it holds at least one, two or three cubes."""
ALL_CUBES = 9 * _ONES
"""Every cube of the game (S-2)."""


@lru_cache(1024)
def pack(goods: tuple[str, ...]) -> int:
    """Return the heap of these cubes."""
    return sum(UNIT[good] for good in goods)


@lru_cache(1024)
def unpack(heap: int) -> tuple[Good, ...]:
    """Return the cubes of a heap, good by good."""
    return tuple([good for good in GOODS for _ in range((heap & FIELD[good]) // UNIT[good])])


def holds(heap: int, part: int) -> bool:
    """Whether all cubes of the part are in the heap: subtracting it borrows from no mark."""
    return ((heap | EVERY_GOOD) - part) & EVERY_GOOD == EVERY_GOOD


def kinds(heap: int) -> int:
    """Return the set of goods of which the heap holds a cube."""
    return (heap + _ONE_CARRIES) & EVERY_GOOD


def at_most_three(heap: int) -> int:
    """Return the heap without the fourth and further cubes of each good."""
    marks = ((heap + _ONE_CARRIES) & EVERY_GOOD) + ((heap + _TWO_CARRY) & EVERY_GOOD)
    return marks + ((heap + _THREE_CARRY) & EVERY_GOOD) >> 4
