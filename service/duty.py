"""Work that one process does for all: it follows running matches, by what it is told and by looking around for what it was not told."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from uuid import UUID

import structlog

from service.agenda import Agenda
from service.crew import Crew
from service.errors import NotFoundError, UnavailableError
from service.feed import Change, Feed
from service.matches import Matches

_LOG = structlog.get_logger(__name__)
_PAUSE_S = 0.2


class Duty(ABC):
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
        self.agenda = Agenda(clock)
        self._crew: Crew | None = None
        self._known: dict[UUID, int] = {}
        feed.on_change(self._hear)

    @abstractmethod
    def hear(self, change: Change) -> None:
        """Makes an appointment where a change calls for one; must return at once."""

    @abstractmethod
    def attend(self, match_id: UUID) -> None:
        """Does what is to be done for a match now."""

    def take_up(self) -> None:
        """Begins, with all matches there are."""
        self._known = {}
        self._crew = Crew(self._go_round, *[self._work] * self.hands)
        self._crew.start()

    def lay_down(self) -> None:
        """Stops when what is at hand is done; the rest another will do."""
        if self._crew is not None:
            self._crew.close()
            self._crew = None

    def revive(self) -> None:
        """Goes on where a thread has died."""
        if self._crew is not None:
            self._crew.revive()

    def _hear(self, change: Change) -> None:
        if self._crew is not None:
            self.hear(change)

    def _work(self) -> None:
        crew = self._on_duty()
        while not crew.closing.is_set():
            match_id = self.agenda.take(_PAUSE_S)
            if match_id is not None:
                self._try_to_attend(match_id)

    def _try_to_attend(self, match_id: UUID) -> None:
        try:
            self.attend(match_id)
        except NotFoundError:
            return
        except UnavailableError:
            _LOG.warning("duty_interrupted", duty=self.kind)
            self.agenda.put(match_id, self.clock() + int(_PAUSE_S * 1000))

    def _go_round(self) -> None:
        crew = self._on_duty()
        while not crew.closing.is_set():
            try:
                self._look_around()
            except UnavailableError:
                _LOG.warning("duty_interrupted", duty=self.kind)
                crew.closing.wait(_PAUSE_S)
            else:
                crew.closing.wait(self.round_s)

    def _look_around(self) -> None:
        running = self.matches.running(self.kind)
        for match_id, version in running.items():
            if self._known.get(match_id) != version:
                self.agenda.put(match_id, self.clock())
        self._known = running

    def _on_duty(self) -> Crew:
        if self._crew is None:
            raise RuntimeError("nobody is on duty")
        return self._crew
