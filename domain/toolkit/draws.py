"""Draws that are not uniform."""

from collections.abc import Sequence

from kontor_games.domain.chance import Draws


def weighted(draws: Draws, weights: Sequence[int]) -> int:
    """Return an index drawn by weight. This takes one draw below the sum of all weights."""
    value = draws.below(sum(weights))
    for index, weight in enumerate(weights):
        if value < weight:
            return index
        value -= weight
    raise ValueError("the drawn value is not below the sum of the weights")
