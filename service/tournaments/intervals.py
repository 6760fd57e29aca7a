"""Intervals of points and strengths in the standings of a tournament, by block."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from kontor_games.domain.chance import Seeded
from kontor_games.domain.statistics import Strength, bootstrap, strengths
from kontor_games.domain.tournaments.standings import UNIT, Finish, points_of
from kontor_games.domain.tournaments.tournament import Tournament

MAX_WITH_INTERVALS = 200
"""With more entrants the standings have no intervals: they would take too long to compute."""
MIN_BLOCKS = 5
"""With fewer blocks an entrant has no interval: resampling so few blocks gives too narrow intervals."""

T = TypeVar("T")


class Spread(NamedTuple):
    """The interval of the points per match, and the strength, of each entrant, by block."""

    points: dict[int, tuple[float, float]]
    strengths: dict[int, Strength]


def spread_of(tournament: Tournament) -> Spread:
    """Return the intervals of the entrants who played enough blocks; none if there are too many entrants."""
    blocks: dict[int, list[Finish]] = {}
    for finish in tournament.finishes:
        blocks.setdefault(finish.block, []).append(finish)
    if len(blocks) < MIN_BLOCKS or len(tournament.entrants) > MAX_WITH_INTERVALS or tournament.chance is None:
        return Spread({}, {})
    return compute_spread(
        tournament.terms.points, tournament.chance.seed, tuple(tuple(b) for b in blocks.values())
    )


@lru_cache(maxsize=32)
def compute_spread(points: tuple[int, ...], seed: bytes, blocks: tuple[tuple[Finish, ...], ...]) -> Spread:
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
    blocks_played = Counter[int]()
    for block in blocks:
        blocks_played.update({entrant for finish in block for entrant in finish.entrants})

    def enough(figures: Mapping[int, T]) -> dict[int, T]:
        return {
            entrant: figure for entrant, figure in figures.items() if blocks_played[entrant] >= MIN_BLOCKS
        }

    return Spread(
        enough(bootstrap(blocks, mean_points, chance.draws("intervals", 0))),
        enough(strengths(orders, chance.draws("strengths", 0))),
    )
