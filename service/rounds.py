"""Work that the leading process does at intervals, for all."""

from collections.abc import Callable

import structlog

from service.crew import Crew
from service.errors import UnavailableError

_LOG = structlog.get_logger(__name__)
_SOON_S = 1.0


class Rounds:
    """Does its work again and again: soon where there was something to do, else after a pause."""

    def __init__(self, name: str, work: Callable[[], object], pause_s: float) -> None:
        """Waits until it has taken up its duty; the work answers something true where there may be more to do."""
        self._name = name
        self._work = work
        self._pause_s = pause_s
        self._crew = Crew(self._run)

    def take_up(self) -> None:
        """Begins."""
        self._crew = Crew(self._run)
        self._crew.start()

    def lay_down(self) -> None:
        """Stops after the work at hand."""
        self._crew.close()

    def revive(self) -> None:
        """Goes on should the thread have died."""
        self._crew.revive()

    def _run(self) -> None:
        pause = _SOON_S
        while not self._crew.closing.wait(pause):
            try:
                pause = _SOON_S if self._work() else self._pause_s
            except UnavailableError:
                _LOG.warning("interrupted", work=self._name)
                pause = self._pause_s
