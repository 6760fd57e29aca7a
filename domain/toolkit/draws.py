"""Draws that are not uniform."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from kontor_games.domain.chance import Draws


def weighted(draws: Draws, weights: Sequence[int]) -> int:
    """Return an index drawn by weight. This takes one draw below the sum of all weights."""
    return bisect_right(list(accumulate(weights)), draws.below(sum(weights)))
