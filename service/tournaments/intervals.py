"""Intervals of points and strengths in the standings of a tournament, by block."""

from collections.abc import Sequence
from functools import lru_cache

from kontor_games.domain.chance import Seeded
from kontor_games.domain.statistics import Strength, bootstrap, strengths
from kontor_games.domain.tournaments.standings import UNIT, Finish, points_of
from kontor_games.domain.tournaments.tournament import Tournament

MOST_WITH_INTERVALS = 200
"""With more entrants the standings have no intervals: they would take too long to compute."""


class Spread:
    """Intervals of points and strengths, by block."""

    def __init__(self, points: dict[int, tuple[float, float]], strengths_: dict[int, Strength]) -> None:
        """Take the interval of the points per match, and the strength, of each entrant."""
        self.points = points
        self.strengths = strengths_


def spread_of(tournament: Tournament) -> Spread:
    """Return the intervals of all entrants; none if there are too few blocks or too many entrants."""
    blocks: dict[int, list[Finish]] = {}
    for finish in tournament.finishes:
        blocks.setdefault(finish.block, []).append(finish)
    if len(blocks) < 2 or len(tournament.entrants) > MOST_WITH_INTERVALS or tournament.chance is None:
        return Spread({}, {})
    return _computed(
        tournament.terms.points, tournament.chance.seed, tuple(tuple(b) for b in blocks.values())
    )


@lru_cache(maxsize=32)
def _computed(points: tuple[int, ...], seed: bytes, blocks: tuple[tuple[Finish, ...], ...]) -> Spread:
    """The intervals of these results; cached, because many readers ask for the same standings."""
    chance = Seeded(seed)

    def mean_points(drawn: Sequence[tuple[Finish, ...]]) -> dict[int, float]:
        won: dict[int, list[int]] = {}
        for block in drawn:
            for finish in block:
                awarded = points_of(points, finish.places)
                for entrant, units in zip(finish.entrants, awarded, strict=True):
                    won.setdefault(entrant, []).append(units)
        return {entrant: sum(units) / len(units) / UNIT for entrant, units in won.items()}

    orders = [[(finish.entrants, finish.places) for finish in block] for block in blocks]
    return Spread(
        bootstrap(blocks, mean_points, chance.draws("intervals", 0)),
        strengths(orders, chance.draws("strengths", 0)),
    )
