"""A queue that takes from all addresses in turn, and never works on too many requests of one address at once."""

from collections import defaultdict, deque
from threading import Condition
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Items with a key; `take` goes round the keys, and `done` makes room for the next item of a key."""

    def __init__(self, most_of_one_key: int) -> None:
        """At most so many items of one key are taken and not yet done."""
        self._most = most_of_one_key
        self._changed = Condition()
        self._waiting: defaultdict[str, deque[T]] = defaultdict(deque)
        self._taken: defaultdict[str, int] = defaultdict(int)
        self._turn: deque[str] = deque()
        self._in_turn: set[str] = set()
        self.idle = 0
        """Threads that wait for an item."""
        self.length = 0
        """Items that wait for a thread."""

    def put(self, key: str, item: T) -> None:
        """Add an item."""
        with self._changed:
            self._waiting[key].append(item)
            self.length += 1
            self._admit(key)

    def take(self) -> tuple[str, T]:
        """Wait for an item; the key whose turn it is goes to the end of the line."""
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
        """Say that an item of the key needs no thread any more."""
        with self._changed:
            self._taken[key] -= 1
            self._admit(key)
            if not self._taken[key] and not self._waiting[key]:
                del self._taken[key], self._waiting[key]

    def _admit(self, key: str) -> None:
        """Give the key a turn if it has an item that may be taken."""
        if key not in self._in_turn and self._waiting[key] and self._taken[key] < self._most:
            self._in_turn.add(key)
            self._turn.append(key)
            self._changed.notify()
