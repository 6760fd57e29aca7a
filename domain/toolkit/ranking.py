"""Places from results."""

from collections.abc import Sequence
from typing import Any


def places(worth: Sequence[Any]) -> tuple[int, ...]:
    """The place of each seat: 1 for the highest worth; equal worth shares a place."""
    return tuple(1 + sum(other > mine for other in worth) for mine in worth)
