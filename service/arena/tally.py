"""Statistics over many outcomes: wins with confidence intervals, places, scores and lengths.

Outcomes are added up one by one and not stored, so that a million matches need no more memory than a
thousand.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kontor_games.domain.statistics import wilson
from kontor_games.service.arena.contest import Outcome


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table: the results of one bot, one seat or one place in the order of play."""

    name: str
    matches: int
    wins: float
    """A win shared by k seats counts 1/k for each."""
    fair: float
    """The expected share of the wins if all seats were equally strong."""
    places: tuple[int, ...]
    """How often they were first, second …"""
    scores: Mapping[str, float]
    """Mean score of each category, in the order of the game."""

    @property
    def share(self) -> float:
        """Wins per match."""
        return self.wins / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the share."""
        return wilson(self.wins, self.matches)

    @property
    def place(self) -> float:
        return sum(place * count for place, count in enumerate(self.places, 1)) / sum(self.places)

    @property
    def verdict(self) -> int:
        """1 if the share is significantly above the fair share, -1 if significantly below, otherwise 0."""
        low, high = self.interval
        return (low > self.fair) - (high < self.fair)


@dataclass(frozen=True, slots=True)
class Length:
    """The length of matches, in one unit."""

    mean: float
    median: float
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class _Cell:
    """A bot at a seat and in a place of the order of play: the unit in which results are added up."""

    bot: str
    seat: int
    order: int
    """The place in the order of play, from 0."""
    seats: int


@dataclass(slots=True)
class _Sums:
    """Sums over the matches of one cell. All are integers, so their order does not matter."""

    count: int = 0
    places: Counter[int] = field(default_factory=Counter)
    winners: Counter[int] = field(default_factory=Counter)
    """Number of wins by the number of seats that shared them."""
    scores: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome, seat: int, winners: int) -> None:
        self.count += 1
        self.places[outcome.places[seat]] += 1
        if outcome.places[seat] == 1:
            self.winners[winners] += 1
        self.scores.update(outcome.scores[seat])

    def merge(self, other: "_Sums") -> None:
        self.count += other.count
        self.places.update(other.places)
        self.winners.update(other.winners)
        self.scores.update(other.scores)


class Tally:
    """Statistics over the outcomes of a contest."""

    def __init__(self, outcomes: Iterable[Outcome] = ()) -> None:
        self.matches = 0
        self.shared = 0
        """The number of matches with more than one winner."""
        self.faults = 0
        """Illegal, late and crashed moves of own bots."""
        self.first_fault: str | None = None
        self.fault_kinds: dict[str, Counter[str]] = {}
        """For each own bot, the number of its faults of each kind."""
        self._cells: dict[_Cell, _Sums] = {}
        self._with_bot: Counter[str] = Counter()
        self._lengths = {unit: Counter[int]() for unit in ("rounds", "decisions", "facts")}
        for outcome in outcomes:
            self.add(outcome)

    def add(self, outcome: Outcome) -> None:
        seats, winners = len(outcome.places), outcome.places.count(1)
        self.matches += 1
        self.shared += winners > 1
        self.faults += sum(outcome.faults)
        self.first_fault = self.first_fault or outcome.first_fault
        for bot, kinds in outcome.fault_kinds.items():
            self.fault_kinds.setdefault(bot, Counter()).update(kinds)
        self._with_bot.update(set(outcome.bots))
        for seat, bot in enumerate(outcome.bots):
            cell = _Cell(bot, seat, (seat - outcome.starter) % seats, seats)
            self._cells.setdefault(cell, _Sums()).add(outcome, seat, winners)
        self._lengths["decisions"][outcome.decisions] += 1
        self._lengths["facts"][outcome.facts] += 1
        if outcome.rounds is not None:
            self._lengths["rounds"][outcome.rounds] += 1

    @property
    def starters(self) -> int:
        """The number of seats that moved first in some match."""
        return len({cell.seat for cell in self._cells if cell.order == 0})

    def by_bot(self) -> list[Line]:
        """Return one line for each bot; several seats with the same bot count together."""
        return self._lines(lambda cell: cell.bot, self._with_bot.__getitem__)

    def by_seat(self) -> list[Line]:
        """Return one line for each seat, whichever bot played it."""
        lines = self._lines(lambda cell: f"seat {cell.seat}")
        return sorted(lines, key=lambda line: int(line.name.removeprefix("seat ")))

    def by_order(self) -> list[Line]:
        """Return one line for each place in the order of play, clockwise from the seat that moved first."""
        return _sorted(self._lines(lambda cell: f"moves {_ordinal(cell.order + 1)}"))

    def by_bot_and_seat(self) -> list[Line]:
        """Return one line for each bot at each seat."""
        return _sorted(self._lines(lambda cell: f"{cell.bot}, seat {cell.seat}"))

    def lengths(self) -> dict[str, Length]:
        """Return the lengths of the matches in rounds (if the game has rounds), decisions and facts."""
        return {unit: _length(counts) for unit, counts in self._lengths.items() if counts}

    def _lines(
        self, label: Callable[[_Cell], str], matches: Callable[[str], int] | None = None
    ) -> list[Line]:
        """Merge the cells of each label. `matches` is needed if a label can have several seats of a match."""
        groups: dict[str, tuple[int, _Sums]] = {}
        for cell, sums in self._cells.items():
            groups.setdefault(label(cell), (cell.seats, _Sums()))[1].merge(sums)
        return [
            _line(name, seats, sums, matches(name) if matches else sums.count)
            for name, (seats, sums) in groups.items()
        ]


def _line(name: str, seats: int, sums: _Sums, matches: int) -> Line:
    return Line(
        name=name,
        matches=matches,
        wins=sum(times / winners for winners, times in sorted(sums.winners.items())),
        fair=sums.count / seats / matches,
        places=tuple(sums.places[place] for place in range(1, seats + 1)),
        scores={kind: score / sums.count for kind, score in sums.scores.items()},
    )


def _sorted(lines: Sequence[Line]) -> list[Line]:
    return sorted(lines, key=lambda line: line.name)


def _length(counts: Counter[int]) -> Length:
    total = counts.total()
    middle = (_at(counts, (total - 1) // 2) + _at(counts, total // 2)) / 2
    mean = sum(value * times for value, times in counts.items()) / total
    return Length(mean, middle, min(counts), max(counts))


def _at(counts: Counter[int], index: int) -> int:
    """Return the value at this index of the sorted values."""
    for value in sorted(counts):
        index -= counts[value]
        if index < 0:
            return value
    raise IndexError(index)


def _ordinal(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")
