"""The timekeeper: records a time-out when a deadline passes. Deadlines are in the log, so a restart neither loses nor gives time."""

from collections.abc import Callable
from heapq import heappop, heappush
from threading import Condition, Thread
from uuid import UUID

import structlog

from service.errors import NotFoundError, UnavailableError
from service.feed import Feed
from service.log import Logs
from service.matches import Matches

_LOG = structlog.get_logger(__name__)
_PAUSE_S = 0.5


class Timekeeper:
    """Watches the earliest deadline of every match that is played with time."""

    def __init__(self, logs: Logs, matches: Matches, feed: Feed, clock: Callable[[], int]) -> None:
        """Hears of every change; acts only while it has taken up its duty."""
        self._logs = logs
        self._matches = matches
        self._clock = clock
        self._changed = Condition()
        self._due: list[tuple[int, UUID]] = []
        self._latest: dict[UUID, int] = {}
        self._on_duty = False
        self._thread: Thread | None = None
        feed.on_change(self._hear)

    def take_up(self) -> None:
        """Begins with every running match that has a clock."""
        self._on_duty = True
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def lay_down(self) -> None:
        """Stops watching."""
        with self._changed:
            self._on_duty = False
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _hear(self, match_id: UUID) -> None:
        """A changed match is looked at at once: its deadline is known then."""
        if not self._on_duty:
            return
        try:
            match = self._logs.hold(match_id).match
        except (NotFoundError, UnavailableError):
            return
        if match.clock.runs or match.created.sealed:
            self._watch(self._clock(), match_id)

    def _watch(self, due: int, match_id: UUID) -> None:
        with self._changed:
            self._latest[match_id] = due
            heappush(self._due, (due, match_id))
            self._changed.notify()

    def _run(self) -> None:
        self._look_around()
        while self._on_duty:
            match_id = self._next_due()
            if match_id is not None:
                self._keep_time(match_id)

    def _look_around(self) -> None:
        try:
            for match_id in self._matches.running("clock"):
                self._watch(0, match_id)
        except UnavailableError:
            self._watch_later()

    def _watch_later(self) -> None:
        with self._changed:
            self._changed.wait(_PAUSE_S)
        if self._on_duty:
            self._look_around()

    def _next_due(self) -> UUID | None:
        """The match whose deadline has passed, after waiting for it at most a while."""
        with self._changed:
            if self._due and self._due[0][0] <= self._clock():
                due, match_id = heappop(self._due)
                # A deadline that a later move has replaced is passed over.
                return match_id if self._latest.get(match_id) == due and self._latest.pop(match_id) is not None else None
            wait_s = (self._due[0][0] - self._clock()) / 1000 if self._due else _PAUSE_S
            self._changed.wait(min(_PAUSE_S, wait_s))
            return None

    def _keep_time(self, match_id: UUID) -> None:
        try:
            deadline = self._matches.expire(match_id)
        except NotFoundError:
            return
        except UnavailableError:
            _LOG.warning("timekeeper_interrupted")
            deadline = self._clock() + int(_PAUSE_S * 1000)
        if deadline is not None:
            self._watch(deadline, match_id)
