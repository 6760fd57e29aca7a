"""What is to be looked at when."""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Condition
from uuid import UUID

_STALE = 100


class Schedule:
    """One appointment for each match. It is never put off: who looks too early makes the next one, who looks too late would give time."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """Nothing is planned yet."""
        self._clock = clock
        self._changed = Condition()
        self._due: dict[UUID, int] = {}
        self._heap: list[tuple[int, int, UUID]] = []
        self._numbers = count()

    def __len__(self) -> int:
        return len(self._due)

    def put(self, match_id: UUID, due: int) -> None:
        """Looks at a match when that moment has come, or earlier if that was planned."""
        with self._changed:
            planned = self._due.get(match_id)
            if planned is not None and planned <= due:
                return
            self._due[match_id] = due
            heappush(self._heap, (due, next(self._numbers), match_id))
            if len(self._heap) > 2 * len(self._due) + _STALE:
                self._heap = [(due, next(self._numbers), match_id) for match_id, due in self._due.items()]
                heapify(self._heap)
            self._changed.notify()

    def take(self, pause_s: float) -> UUID | None:
        """The next match whose moment has come, or None after a pause."""
        with self._changed:
            found = self._pop()
            if found is None:
                wait_ms = self._heap[0][0] - self._clock() if self._heap else pause_s * 1000
                self._changed.wait(min(pause_s, max(wait_ms, 0) / 1000))
                found = self._pop()
            return found

    def _pop(self) -> UUID | None:
        while self._heap and self._heap[0][0] <= self._clock():
            due, _, match_id = heappop(self._heap)
            # An appointment that was moved to an earlier time is passed over at its old one.
            if self._due.get(match_id) == due:
                del self._due[match_id]
                return match_id
        return None
