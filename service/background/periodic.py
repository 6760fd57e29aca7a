"""Work that the leading process does at intervals, for all."""

from collections.abc import Callable

import structlog

from kontor_games.service.background.threads import ThreadGroup
from kontor_games.service.errors import UnavailableError

_LOG = structlog.get_logger(__name__)
_SOON_S = 1.0


class Periodic:
    """Does its work again and again: soon where there was something to do, else after a pause."""

    def __init__(self, name: str, work: Callable[[], object], pause_s: float) -> None:
        """Waits until it has taken up its duty; the work answers something true where there may be more to do."""
        self._name = name
        self._work = work
        self._pause_s = pause_s
        self._threads = ThreadGroup(self._run)

    def start(self) -> None:
        """Begins."""
        self._threads = ThreadGroup(self._run)
        self._threads.start()

    def stop(self) -> None:
        """Stops after the work at hand."""
        self._threads.close()

    def revive(self) -> None:
        """Goes on should the thread have died."""
        self._threads.revive()

    def _run(self) -> None:
        pause = _SOON_S
        while not self._threads.closing.wait(pause):
            try:
                pause = _SOON_S if self._work() else self._pause_s
            except UnavailableError:
                _LOG.warning("interrupted", work=self._name)
                pause = self._pause_s
