"""Base class for work on running matches, done by the leading process.

A worker learns what is due from notifications and from regular scans of the store. It keeps no state of its
own, so a restart loses nothing.
"""

from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Condition
from typing import Literal
from uuid import UUID

import structlog

from kontor_games.service.errors import NotFoundError, RecordDamagedError, UnavailableError
from kontor_games.service.matches.house_commands import HouseCommands
from kontor_games.service.metrics import work_late_seconds
from kontor_games.service.threads import ThreadGroup
from kontor_games.service.wakeups.feed import Change, Feed

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


_LOG = structlog.get_logger(__name__)
_RETRY_S = 0.2


class MatchWorker(ThreadGroup, ABC):
    """Processes matches when they are due."""

    kind: Literal["bots", "clock", "calls"]
    """The name of the work in metrics."""
    thread_count = 1
    """Number of matches that are processed at the same time."""
    scan_interval_s = 5.0
    """How often the store is scanned for changes whose notification was lost."""

    def __init__(self, house: HouseCommands, feed: Feed, clock: Callable[[], int]) -> None:
        """Subscribes to changes, but ignores them until it is started."""
        super().__init__(self._scan_regularly, *[self._process_due] * self.thread_count)
        self.house = house
        self.clock = clock
        self.schedule = Schedule(clock, work_late_seconds.labels(self.kind).observe)
        self.scanned: dict[UUID, int] = {}
        """The matches of the last scan, with their versions."""
        self.closing.set()
        feed.on_change(self._on_change)

    @abstractmethod
    def on_change(self, change: Change) -> None:
        """Schedule the match if the change requires it; must not block."""

    @abstractmethod
    def process(self, match_id: UUID) -> int | None:
        """Do the due work in a match; return the next due time, if it is known."""

    @abstractmethod
    def running(self) -> dict[UUID, tuple[int, str]]:
        """Return the matches to work on: the version of the newest entry, and the creator."""

    def start(self) -> None:
        """Start, beginning with a scan of all running matches."""
        self.scanned = {}
        super().start()

    def stop(self) -> None:
        """Tell all threads to stop; those that wait for a match wake up."""
        super().stop()
        self.schedule.wake()

    def _on_change(self, change: Change) -> None:
        if not self.closing.is_set():
            self.on_change(change)

    def _process_due(self) -> None:
        while not self.closing.is_set():
            taken = self.schedule.take(_RETRY_S)
            if taken is not None:
                self._try_to_process(*taken)

    def _try_to_process(self, match_id: UUID, owner: str = "") -> None:
        try:
            due = self.process(match_id)
        except (NotFoundError, RecordDamagedError):
            return  # a damaged match is left alone; a scan finds it again if its rows change
        except UnavailableError as error:
            _LOG.warning("worker_interrupted", worker=type(self).__name__, error=error.code)
            due = self.clock() + int(_RETRY_S * 1000)
        if due is not None:
            self.schedule.put(match_id, due, owner)

    def _scan_regularly(self) -> None:
        self.repeat(self.scan, self.scan_interval_s, "worker_interrupted", retry_s=_RETRY_S)

    def scan(self) -> None:
        """Schedule every running match whose version has changed since the last scan."""
        running = self.running()
        for match_id, (version, creator) in running.items():
            if self.scanned.get(match_id) != version:
                self.schedule.put(match_id, self.clock(), creator)
        self.scanned = {match_id: version for match_id, (version, _) in running.items()}
