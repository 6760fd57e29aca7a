"""A cache whose values expire after a fixed time."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")
ReadStart = tuple[int, int]
"""How many removals there had been, and the time, when a value was about to be read from the database."""


class TtlCache(Generic[K, V]):
    """Values read from the database, kept until they expire; a full cache drops the oldest."""

    def __init__(self, clock: Callable[[], int], ttl_ms: int, size: int) -> None:
        self._clock = clock
        self._ttl_ms = ttl_ms
        self._size = size
        self._lock = Lock()
        self._values: dict[K, tuple[V, int]] = {}
        self._removals = 0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        """Return a value that has not expired."""
        found = self._values.get(key)
        if found is None:
            return None
        if found[1] <= self._clock() < found[1] + self._ttl_ms:
            return found[0]
        self._values.pop(key, None)
        return None

    def start_read(self) -> ReadStart:
        """Call this before reading a value from the database, and pass the result to `put`."""
        return self._removals, self._clock()

    def put(self, key: K, value: V, start: ReadStart) -> None:
        """Keep a value, unless one was removed since the read started: then this one may be out of date."""
        removals, read_at = start
        with self._lock:
            if removals == self._removals:
                self._values.pop(key, None)
                if len(self._values) >= self._size:
                    del self._values[next(iter(self._values))]
                self._values[key] = value, read_at

    def remove(self, key: K) -> None:
        """Remove the value of a key."""
        with self._lock:
            self._removals += 1
            self._values.pop(key, None)

    def remove_if(self, condition: Callable[[V], bool]) -> None:
        """Remove all values that meet a condition."""
        with self._lock:
            self._removals += 1
            self._values = {key: entry for key, entry in self._values.items() if not condition(entry[0])}
