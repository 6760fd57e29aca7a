"""Goods cubes as one integer: five bits for each good, so that heaps of cubes add, subtract, copy and compare like numbers.

There are 9 cubes of each good (S-2), so a count never needs the fifth bit: it stays free as a guard for comparing all goods at once.
"""

from functools import lru_cache

GOODS = ("coffee", "tea", "saffron", "rubber", "carpet")
CUBES_OF_EACH = 9
UNIT = {good: 1 << 5 * place for place, good in enumerate(GOODS)}
"""One cube of a good."""
FIELD = {good: 15 * unit for good, unit in UNIT.items()}
"""The bits in which a good is counted: `heap & FIELD[good]` is true where the heap holds one."""
MARK = {good: 16 * unit for good, unit in UNIT.items()}
"""The bit that stands for a good in sets of goods, such as `kinds` makes."""

_ONES = sum(UNIT.values())
_GUARD = sum(MARK.values())
ALL_CUBES = CUBES_OF_EACH * _ONES
"""Every cube of the game (S-2)."""


@lru_cache(4096)
def pack(goods: tuple[str, ...]) -> int:
    """The heap that these cubes make."""
    return sum(UNIT[good] for good in goods)


@lru_cache(4096)
def unpack(heap: int) -> tuple[str, ...]:
    """The cubes of a heap, good by good."""
    return tuple(good for good in GOODS for _ in range(count(heap, good)))


def count(heap: int, good: str) -> int:
    """How many cubes of a good a heap holds."""
    return (heap & FIELD[good]) // UNIT[good]


def size(heap: int) -> int:
    """How many cubes a heap holds."""
    return len(unpack(heap))


def holds(heap: int, part: int) -> bool:
    """Whether the part can be taken from the heap: no guard bit is borrowed from."""
    return ((heap | _GUARD) - part) & _GUARD == _GUARD


def kinds(heap: int) -> int:
    """The set of goods of which the heap holds a cube, as marks."""
    return (heap + 15 * _ONES) & _GUARD


def kinds_up_to_three(heap: int) -> int:
    """As `kinds`, telling 0, 1, 2 and 3 or more cubes of a good apart."""
    return kinds(heap) | ((heap + 14 * _ONES) & _GUARD) >> 1 | ((heap + 13 * _ONES) & _GUARD) >> 2
