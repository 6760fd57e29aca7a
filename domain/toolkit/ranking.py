"""Places of seats, computed from their results."""

from collections.abc import Sequence
from typing import Any


def places(worth: Sequence[Any]) -> tuple[int, ...]:
    """Return the place of each seat: 1 for the highest value; seats with equal values share a place."""
    return tuple(1 + sum(other > mine for other in worth) for mine in worth)
