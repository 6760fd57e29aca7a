"""The history that pairing uses: points, meetings, seats and byes so far."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

Pair = tuple[int, int]


def pair_of(one: int, other: int) -> Pair:
    """Return two entrants in ascending order."""
    return (one, other) if one < other else (other, one)


def pairs_of(entrants: Sequence[int]) -> list[Pair]:
    """Return all pairs at a table."""
    return [pair_of(one, other) for i, one in enumerate(entrants) for other in entrants[i + 1 :]]


@dataclass(frozen=True)
class History:
    """The history of a tournament that pairing needs. Entrants are numbered in the order of their entry."""

    points: Mapping[int, int] = field(default_factory=dict)
    met: Mapping[Pair, int] = field(default_factory=dict)
    """How often two entrants sat at one table."""
    seated: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """How often an entrant sat in each seat."""
    byes: Mapping[int, int] = field(default_factory=dict)
    """Number of rounds that an entrant did not play, by a bye or by absence."""
    forbidden: frozenset[Pair] = frozenset()

    def forbidden_at(self, table: Sequence[int]) -> list[Pair]:
        return [pair for pair in pairs_of(table) if pair in self.forbidden]

    def after(self, tables: Iterable[Sequence[int]]) -> "History":
        """Return the history after these tables, without their points."""
        met = Counter(self.met)
        seated: defaultdict[int, Counter[int]] = defaultdict(Counter)
        seated.update({entrant: Counter(seats) for entrant, seats in self.seated.items()})
        for table in tables:
            met.update(pairs_of(table))
            for seat, entrant in enumerate(table):
                seated[entrant][seat] += 1
        return replace(self, met=met, seated=seated)


@dataclass(frozen=True)
class TableSize:
    """Number of entrants at a table."""

    seats: int
    least: int

    def cut(self, entrants: int) -> tuple[list[int], int]:
        """Return the sizes of the tables, larger ones first, and the number of byes.

        As few byes as possible, then as few tables as possible, then tables of equal size.
        """
        for idle in range(entrants + 1):
            playing = entrants - idle
            tables = -(-playing // self.seats)
            if not playing or tables * self.least > playing:
                continue
            size, larger = divmod(playing, tables)
            return [size + 1] * larger + [size] * (tables - larger), idle
        return [], entrants
