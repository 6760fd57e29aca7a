"""Base class for work on running matches, done by the leading process.

A worker learns what is due from notifications and from regular scans of the store. It keeps no state of its
own, so a restart loses nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal
from uuid import UUID

import structlog

from kontor_games.service.background.schedule import Schedule
from kontor_games.service.errors import NotFoundError, RecordDamagedError, UnavailableError
from kontor_games.service.matches.house_commands import HouseCommands
from kontor_games.service.metrics import work_late_seconds
from kontor_games.service.threads import ThreadGroup
from kontor_games.service.wakeups.feed import Change, Feed

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
