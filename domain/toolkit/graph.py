"""Searches over a board."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

N = TypeVar("N")


def breadth_first(starts: Iterable[N], neighbours: Callable[[N], Iterable[N]]) -> Iterator[tuple[N, int]]:
    """Yield every reachable place once, with its distance, nearest first."""
    ring = list(dict.fromkeys(starts))
    seen, distance = set(ring), 0
    while ring:
        for place in ring:
            yield place, distance
        ring = list(
            dict.fromkeys(other for place in ring for other in neighbours(place) if other not in seen)
        )
        seen.update(ring)
        distance += 1
