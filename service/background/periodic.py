"""Work that the leading process repeats at intervals."""

from collections.abc import Callable

import structlog

from kontor_games.service.errors import UnavailableError
from kontor_games.service.threads import ThreadGroup

_LOG = structlog.get_logger(__name__)
_SOON_S = 1.0


class Periodic(ThreadGroup):
    """Repeats its work: after a second while items are left, otherwise after the pause."""

    def __init__(self, name: str, work: Callable[[], int | None], pause_s: float) -> None:
        """`work` returns the number of processed items; if it is not 0, there may be more."""
        super().__init__(self._run)
        self._name = name
        self._work = work
        self._pause_s = pause_s

    def _run(self) -> None:
        pause = _SOON_S
        while not self.closing.wait(pause):
            try:
                pause = _SOON_S if self._work() else self._pause_s
            except UnavailableError:
                _LOG.warning("interrupted", work=self._name)
                pause = self._pause_s
