"""What many outcomes come to: wins with their confidence intervals, places, scores and lengths."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median

from kontor_games.service.arena.contest import Outcome

Z95 = 1.959963984540054
"""The normal quantile of a two-sided 95% interval."""


def wilson(wins: float, matches: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval for a share: honest near 0 and 1 and for few matches, where ± is not."""
    if not matches:
        return 0.0, 1.0
    share, spread = wins / matches, z * z / matches
    centre = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / matches + spread / (4 * matches))
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table: how those fared who have something in common, such as their bot or their seat."""

    name: str
    matches: int
    wins: float
    """A win shared by k seats counts 1/k for each."""
    fair: float
    """The share of the wins that would fall to them if all seats were equal."""
    places: tuple[int, ...]
    """How often they came first, second …"""
    scores: Mapping[str, float]
    """Mean by category, in the order of the game."""

    @property
    def share(self) -> float:
        """Wins for each match."""
        return self.wins / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, with 95% confidence."""
        return wilson(self.wins, self.matches)

    @property
    def place(self) -> float:
        """The mean place."""
        return sum(place * count for place, count in enumerate(self.places, 1)) / sum(self.places)

    @property
    def verdict(self) -> int:
        """1 where they win more than their fair share beyond chance, -1 where less, else 0."""
        low, high = self.interval
        return (low > self.fair) - (high < self.fair)


@dataclass(frozen=True, slots=True)
class Length:
    """How long matches were, counted in one unit."""

    mean: float
    median: float
    least: int
    most: int


class Tally:
    """Counts outcomes."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        """Keeps them in the order in which they come, so that equal contests give equal sums."""
        self.outcomes = tuple(outcomes)

    @property
    def matches(self) -> int:
        """How many matches were played."""
        return len(self.outcomes)

    @property
    def shared(self) -> int:
        """How many of them had more than one winner."""
        return sum(outcome.places.count(1) > 1 for outcome in self.outcomes)

    def by_bot(self) -> list[Line]:
        """By the name of the bot; several of one name count together."""
        return self._lines(lambda outcome, seat: outcome.bots[seat])

    def by_seat(self) -> list[Line]:
        """By the seat, whoever sat there: what a fixed set-up gives."""
        return self._lines(lambda outcome, seat: f"seat {seat}")

    def by_order(self) -> list[Line]:
        """By the place in the order of play, counted clockwise from the seat that moved first."""
        lines = self._lines(lambda outcome, seat: f"moves {_ordinal((seat - outcome.starter) % len(outcome.places) + 1)}")
        return sorted(lines, key=lambda line: line.name)

    def by_bot_and_seat(self) -> list[Line]:
        """By both."""
        lines = self._lines(lambda outcome, seat: f"{outcome.bots[seat]}, seat {seat}")
        return sorted(lines, key=lambda line: line.name)

    def lengths(self) -> dict[str, Length]:
        """Rounds (where the game counts them), decisions and facts of a match."""
        counts: dict[str, list[int]] = {
            "rounds": [outcome.rounds for outcome in self.outcomes if outcome.rounds is not None],
            "decisions": [outcome.decisions for outcome in self.outcomes],
            "facts": [outcome.facts for outcome in self.outcomes],
        }
        return {unit: Length(fmean(n), median(n), min(n), max(n)) for unit, n in counts.items() if n}

    def _lines(self, label: Callable[[Outcome, int], str]) -> list[Line]:
        chairs: dict[str, list[tuple[Outcome, int]]] = defaultdict(list)
        for outcome in self.outcomes:
            for seat in range(len(outcome.places)):
                chairs[label(outcome, seat)].append((outcome, seat))
        return [_line(name, group) for name, group in chairs.items()]


def _line(name: str, chairs: Sequence[tuple[Outcome, int]]) -> Line:
    seats = len(chairs[0][0].places)
    matches = len({outcome.number for outcome, _ in chairs})
    placed = [outcome.places[seat] for outcome, seat in chairs]
    return Line(
        name=name,
        matches=matches,
        wins=sum(1 / outcome.places.count(1) for outcome, seat in chairs if outcome.places[seat] == 1),
        fair=len(chairs) / seats / matches,
        places=tuple(placed.count(place) for place in range(1, seats + 1)),
        scores={kind: fmean(outcome.scores[seat][kind] for outcome, seat in chairs) for kind in chairs[0][0].scores[chairs[0][1]]},
    )


def _ordinal(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")
