"""A queue that serves addresses round-robin, and limits the concurrent requests of each if there are several.

A round-robin queue alone is not fair enough: Python runs one thread at a time, so a request also waits for
all requests that are already running.
"""

import time
from collections import defaultdict, deque
from threading import Condition
from typing import Generic, TypeVar

T = TypeVar("T")
_MIXED_S = 2.0
"""How long the smaller limit applies after items of different keys have arrived."""


class FairQueue(Generic[T]):
    """Items with a key (the address); `take` serves the keys round-robin, `done` frees a slot of a key."""

    def __init__(self, max_per_key: int, max_when_shared: int) -> None:
        """Set the maximum of concurrent items per key, and a smaller one while there are other keys."""
        self._max_per_key = max_per_key
        self._max_when_shared = max_when_shared
        self._last = ""
        self._mixed_until = 0.0
        self._changed = Condition()
        self._waiting: defaultdict[str, deque[T]] = defaultdict(deque)
        self._taken: defaultdict[str, int] = defaultdict(int)
        self._turn: deque[str] = deque()
        self._in_turn: set[str] = set()
        self.idle = 0
        """Number of threads that wait for an item."""
        self.length = 0
        """Number of items that wait for a thread."""

    def put(self, key: str, item: T) -> None:
        with self._changed:
            if key != self._last:  # several keys are present
                self._last, self._mixed_until = key, time.monotonic() + _MIXED_S
            self._waiting[key].append(item)
            self.length += 1
            self._admit(key)

    def take(self) -> tuple[str, T]:
        """Wait for an item and return it with its key, which goes to the end of the round-robin order."""
        with self._changed:
            self.idle += 1
            while not self._turn:
                self._changed.wait()
            self.idle -= 1
            key = self._turn.popleft()
            self._in_turn.remove(key)
            item = self._waiting[key].popleft()
            self.length -= 1
            self._taken[key] += 1
            self._admit(key)
            return key, item

    def done(self, key: str) -> None:
        """Record that an item of the key is done."""
        with self._changed:
            self._taken[key] -= 1
            self._admit(key)
            if not self._taken[key] and not self._waiting[key]:
                del self._taken[key], self._waiting[key]

    @property
    def _limit(self) -> int:
        several = len(self._taken) > 1 or time.monotonic() < self._mixed_until
        return self._max_when_shared if several else self._max_per_key

    def _admit(self, key: str) -> None:
        """Give the key a turn if it has an item that may be taken."""
        if key not in self._in_turn and self._waiting[key] and self._taken[key] < self._limit:
            self._in_turn.add(key)
            self._turn.append(key)
            self._changed.notify()
