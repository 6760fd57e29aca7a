"""Draws that are not uniform."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from kontor_games.domain.chance import Draws


def weighted(draws: Draws, weights: Sequence[int]) -> int:
    """Return an index, each as likely as its weight. This takes one draw below the sum of all weights."""
    bounds = list(accumulate(weights))
    return bisect_right(bounds, draws.below(bounds[-1] if bounds else 0))
