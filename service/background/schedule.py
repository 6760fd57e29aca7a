"""The times at which matches are due for processing, with fair turns among those who created them."""

from collections import OrderedDict, deque
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Condition
from uuid import UUID

_MAX_STALE = 100
"""Stale heap items allowed beyond one for each match, before the heap is rebuilt."""


class Schedule:
    """One due time for each match.

    A due time can become earlier but never later: processing a match too early is harmless, but processing it
    too late gives a player extra time. The owners of due matches take turns, one match each, so that an owner
    with hundreds of matches does not delay the others.
    """

    def __init__(
        self, clock: Callable[[], int], on_taken: Callable[[float], None] = lambda late_s: None
    ) -> None:
        """Calls `on_taken` with the seconds that have passed since the due time of each match taken."""
        self._clock = clock
        self._on_taken = on_taken
        self._changed = Condition()
        self._due: dict[UUID, int] = {}
        self._owners: dict[UUID, str] = {}
        self._heap: list[tuple[int, int, UUID]] = []
        self._numbers = count()
        self._ready: OrderedDict[str, deque[UUID]] = OrderedDict()
        """The matches that are due, by owner; the owner whose turn is next comes first."""
        self._queued: set[UUID] = set()

    def __len__(self) -> int:
        return len(self._due)

    def put(self, match_id: UUID, due: int, owner: str = "") -> None:
        """Make a match of an owner due at a time, unless it is already due earlier."""
        with self._changed:
            planned = self._due.get(match_id)
            if planned is not None and planned <= due:
                return
            self._due[match_id] = due
            self._owners[match_id] = owner or self._owners.get(match_id, "")
            heappush(self._heap, (due, next(self._numbers), match_id))
            if len(self._heap) > 2 * len(self._due) + _MAX_STALE:
                self._heap = [(due, next(self._numbers), match_id) for match_id, due in self._due.items()]
                heapify(self._heap)
            self._changed.notify()

    def take(self, timeout_s: float) -> tuple[UUID, str] | None:
        """Remove and return the next due match and its owner; None if none becomes due before the timeout."""
        with self._changed:
            found = self._pop()
            if found is None:
                wait_ms = self._heap[0][0] - self._clock() if self._heap else timeout_s * 1000
                self._changed.wait(min(timeout_s, max(wait_ms, 0) / 1000))
                found = self._pop()
            return found

    def wake(self) -> None:
        """Wake all threads that wait in `take`."""
        with self._changed:
            self._changed.notify_all()

    def _pop(self) -> tuple[UUID, str] | None:
        self._queue_due()
        if not self._ready:
            return None
        owner, queue = self._ready.popitem(last=False)
        match_id = queue.popleft()
        if queue:
            self._ready[owner] = queue  # its next match comes after one of every other owner
        self._queued.remove(match_id)
        self._on_taken((self._clock() - self._due[match_id]) / 1000)
        del self._due[match_id], self._owners[match_id]
        return match_id, owner

    def _queue_due(self) -> None:
        """Move the matches that are due from the heap to their owners' queues, ordered by time."""
        while self._heap and self._heap[0][0] <= self._clock():
            due, _, match_id = heappop(self._heap)
            # If the match was moved to an earlier time, this item is stale.
            if self._due.get(match_id) == due and match_id not in self._queued:
                self._queued.add(match_id)
                self._ready.setdefault(self._owners[match_id], deque()).append(match_id)
