"""Intervals in standings: only for entrants who played enough blocks."""

import pytest

from kontor_games.domain.tournaments.standings import Finish
from kontor_games.service.tournaments.intervals import MIN_BLOCKS, Spread, compute_spread

pytestmark = pytest.mark.untraced

POINTS = (1, 0)


def _spread(*winners: tuple[int, int]) -> Spread:
    """Return the intervals after matches of two, given as (winner, loser); each match is a block."""
    blocks = tuple((Finish(number, pair, (1, 2), (9, 5)),) for number, pair in enumerate(winners))
    return compute_spread(POINTS, bytes(32), blocks)


def test_entrants_with_few_blocks_have_no_interval() -> None:
    spread = _spread(*[(0, 1)] * (MIN_BLOCKS - 1), (0, 2))
    assert set(spread.points) == {0}
    assert set(spread.strengths) == {0}


def test_entrants_with_enough_blocks_have_an_interval_around_their_mean() -> None:
    spread = _spread(*[(0, 1), (1, 0)] * MIN_BLOCKS)
    assert set(spread.points) == {0, 1}
    for low, high in spread.points.values():
        assert low < 0.5 < high
