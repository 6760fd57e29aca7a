"""Work that one process does for all: it follows running matches, by what it is told and by looking around for what it was not told."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from uuid import UUID

import structlog

from kontor_games.service.background.schedule import Schedule
from kontor_games.service.background.threads import ThreadGroup
from kontor_games.service.errors import NotFoundError, UnavailableError
from kontor_games.service.matches.use_cases import Matches
from kontor_games.service.wakeups.feed import Change, Feed

_LOG = structlog.get_logger(__name__)
_PAUSE_S = 0.2


class MatchWorker(ABC):
    """Looks at matches when it is time to; whatever the store says is what it knows, so a restart loses nothing."""

    kind: str
    """Which matches it is about: those with house bots (`bots`) or with deadlines (`clock`)."""
    hands = 1
    """How many matches it can look at at once."""
    round_s = 5.0
    """How often it looks around for changes of which it was not told."""

    def __init__(self, matches: Matches, feed: Feed, clock: Callable[[], int]) -> None:
        """Hears of every change; acts only while it has taken up its duty."""
        self.matches = matches
        self.clock = clock
        self.schedule = Schedule(clock)
        self._threads: ThreadGroup | None = None
        self._known: dict[UUID, int] = {}
        feed.on_change(self._on_change)

    @abstractmethod
    def on_change(self, change: Change) -> None:
        """Makes an appointment where a change calls for one; must return at once."""

    @abstractmethod
    def process(self, match_id: UUID) -> None:
        """Does what is to be done for a match now."""

    def start(self) -> None:
        """Begins, with all matches there are."""
        self._known = {}
        self._threads = ThreadGroup(self._go_round, *[self._work] * self.hands)
        self._threads.start()

    def stop(self) -> None:
        """Stops when what is at hand is done; the rest another will do."""
        if self._threads is not None:
            self._threads.close()
            self._threads = None

    def revive(self) -> None:
        """Goes on where a thread has died."""
        if self._threads is not None:
            self._threads.revive()

    def _on_change(self, change: Change) -> None:
        if self._threads is not None:
            self.on_change(change)

    def _work(self) -> None:
        threads = self._active_threads()
        while not threads.closing.is_set():
            match_id = self.schedule.take(_PAUSE_S)
            if match_id is not None:
                self._try_to_process(match_id)

    def _try_to_process(self, match_id: UUID) -> None:
        try:
            self.process(match_id)
        except NotFoundError:
            return
        except UnavailableError:
            _LOG.warning("worker_interrupted", worker=self.kind)
            self.schedule.put(match_id, self.clock() + int(_PAUSE_S * 1000))

    def _go_round(self) -> None:
        threads = self._active_threads()
        while not threads.closing.is_set():
            try:
                self._look_around()
            except UnavailableError:
                _LOG.warning("worker_interrupted", worker=self.kind)
                threads.closing.wait(_PAUSE_S)
            else:
                threads.closing.wait(self.round_s)

    def _look_around(self) -> None:
        running = self.matches.running(self.kind)
        for match_id, version in running.items():
            if self._known.get(match_id) != version:
                self.schedule.put(match_id, self.clock())
        self._known = running

    def _active_threads(self) -> ThreadGroup:
        if self._threads is None:
            raise RuntimeError("nobody is on duty")
        return self._threads
