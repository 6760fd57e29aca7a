"""Draws that are not uniform."""

from collections.abc import Sequence

from kontor_games.domain.chance import Draws


def weighted(draws: Draws, weights: Sequence[int]) -> int:
    """An index, each as likely as its weight: one draw below the sum of all weights."""
    at = draws.below(sum(weights))
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return index
    raise ValueError("no index has a weight")
