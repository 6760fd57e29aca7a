"""Statistics over many outcomes: wins with confidence intervals, places, scores and lengths."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

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
    """Their share of the wins if all seats were equal."""
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
        """The mean place."""
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


class Tally:
    """Statistics over the outcomes of a contest."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        """Keep the order of the outcomes, so that equal contests give equal sums."""
        self.outcomes = tuple(outcomes)

    @property
    def matches(self) -> int:
        """The number of matches."""
        return len(self.outcomes)

    @property
    def shared(self) -> int:
        """The number of matches with more than one winner."""
        return sum(outcome.places.count(1) > 1 for outcome in self.outcomes)

    def by_bot(self) -> list[Line]:
        """Return one line for each bot; several seats with the same bot count together."""
        return self._lines(lambda outcome, seat: outcome.bots[seat])

    def by_seat(self) -> list[Line]:
        """Return one line for each seat, whichever bot played it."""
        return self._lines(lambda outcome, seat: f"seat {seat}")

    def by_order(self) -> list[Line]:
        """Return one line for each place in the order of play, clockwise from the seat that moved first."""
        lines = self._lines(
            lambda outcome, seat: f"moves {_ordinal((seat - outcome.starter) % len(outcome.places) + 1)}"
        )
        return sorted(lines, key=lambda line: line.name)

    def by_bot_and_seat(self) -> list[Line]:
        """Return one line for each bot at each seat."""
        lines = self._lines(lambda outcome, seat: f"{outcome.bots[seat]}, seat {seat}")
        return sorted(lines, key=lambda line: line.name)

    def lengths(self) -> dict[str, Length]:
        """Return the lengths of the matches in rounds (if the game has rounds), decisions and facts."""
        counts: dict[str, list[int]] = {
            "rounds": [outcome.rounds for outcome in self.outcomes if outcome.rounds is not None],
            "decisions": [outcome.decisions for outcome in self.outcomes],
            "facts": [outcome.facts for outcome in self.outcomes],
        }
        return {unit: Length(fmean(n), median(n), min(n), max(n)) for unit, n in counts.items() if n}

    def _lines(self, label: Callable[[Outcome, int], str]) -> list[Line]:
        groups: dict[str, list[tuple[Outcome, int]]] = defaultdict(list)
        for outcome in self.outcomes:
            for seat in range(len(outcome.places)):
                groups[label(outcome, seat)].append((outcome, seat))
        return [_line(name, group) for name, group in groups.items()]


def _line(name: str, group: Sequence[tuple[Outcome, int]]) -> Line:
    seats = len(group[0][0].places)
    matches = len({outcome.number for outcome, _ in group})
    placed = [outcome.places[seat] for outcome, seat in group]
    return Line(
        name=name,
        matches=matches,
        wins=sum(1 / outcome.places.count(1) for outcome, seat in group if outcome.places[seat] == 1),
        fair=len(group) / seats / matches,
        places=tuple(placed.count(place) for place in range(1, seats + 1)),
        scores={
            kind: fmean(outcome.scores[seat][kind] for outcome, seat in group)
            for kind in group[0][0].scores[group[0][1]]
        },
    )


def _ordinal(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")
