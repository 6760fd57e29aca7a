"""Work that the leading process does at intervals, for all."""

from collections.abc import Callable

import structlog

from kontor_games.service.background.threads import ThreadGroup
from kontor_games.service.errors import UnavailableError

_LOG = structlog.get_logger(__name__)
_SOON_S = 1.0


class Periodic:
    """Repeats its work: after a second while items are left, otherwise after a pause."""

    def __init__(self, name: str, work: Callable[[], int | None], pause_s: float) -> None:
        """Does nothing before `start`. The work returns how many items it processed: more than none may mean that more are left."""
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
