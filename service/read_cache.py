"""A cache of values that were read from the database."""

from collections.abc import Callable
from threading import Lock
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class ReadCache(dict[K, V]):
    """Values by key; stale ones are dropped soon, and a full cache drops the oldest.

    Values contain their own age, which the caller must check.
    """

    def __init__(self, size: int, is_stale: Callable[[V], bool]) -> None:
        super().__init__()
        self._size = size
        self._is_stale = is_stale
        self._lock = Lock()
        self.removals = 0
        """The number of removals so far: read it before a value, and pass it to `put`."""

    def put(self, key: K, value: V, removals: int) -> None:
        """Store a value, unless any value was removed since the read started: then it may be out of date."""
        with self._lock:
            if removals == self.removals:
                self.pop(key, None)
                self._drop_oldest()
                self[key] = value

    def _drop_oldest(self) -> None:
        """Make room for a value; drop up to two stale ones, so that stale values do not accumulate."""
        for _ in range(2):
            oldest = next(iter(self), None)
            if oldest is not None and (len(self) >= self._size or self._is_stale(self[oldest])):
                del self[oldest]

    def remove_if(self, condition: Callable[[V], bool]) -> None:
        """Remove all values that meet a condition."""
        with self._lock:
            self.removals += 1
            for key in [key for key, value in self.items() if condition(value)]:
                del self[key]

    def remove(self, key: K) -> None:
        with self._lock:
            self.removals += 1
            self.pop(key, None)
