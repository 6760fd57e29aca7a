"""Groups of background threads that are restarted when they die."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Event, Thread

import structlog

from kontor_games.service.errors import UnavailableError

_LOG = structlog.get_logger(__name__)
_SOON_S = 1.0


class ThreadGroup:
    """Threads that are started and stopped together. A thread that died of an exception can be restarted."""

    def __init__(self, *targets: Callable[[], None]) -> None:
        """Each target runs in its own thread, from `start` until `closing` is set."""
        self._targets = targets
        self._threads: list[Thread] = []
        self.closing = Event()

    def start(self) -> None:
        """Start all threads. A closed group can be started again."""
        self.closing.clear()
        self._threads = [self._start(target) for target in self._targets]

    def restart_dead(self) -> None:
        """Restart the threads that have died; the exception itself is logged by the thread hook."""
        for index, thread in enumerate(self._threads):
            if not thread.is_alive() and not self.closing.is_set():
                _LOG.error("thread_died", work=thread.name)
                self._threads[index] = self._start(self._targets[index])

    def stop(self) -> None:
        """Tell all threads to stop, without waiting. Subclasses wake threads that wait for anything else."""
        self.closing.set()

    def close(self) -> None:
        """Tell all threads to stop and wait until they have."""
        self.stop()
        for thread in self._threads:
            thread.join()
        self._threads = []

    def repeat(
        self, work: Callable[[], object], pause_s: float, event: str, *, retry_s: float | None = None
    ) -> None:
        """Call `work` at intervals until `closing` is set; log `event` if the database is unavailable."""
        while not self.closing.is_set():
            pause = pause_s
            try:
                work()
            except UnavailableError as error:
                _LOG.warning(event, worker=type(self).__name__, error=error.code)
                pause = pause_s if retry_s is None else retry_s
            self.closing.wait(pause)

    def _start(self, target: Callable[[], None]) -> Thread:
        name = f"{type(self).__name__}.{getattr(target, '__name__', 'repeat')}"
        thread = Thread(target=target, name=name, daemon=True)
        thread.start()
        return thread


class RepeatedWork(ThreadGroup):
    """A thread that repeats its work at intervals; it logs `event` if the database is unavailable."""

    def __init__(self, work: Callable[[], object], pause_s: float, event: str) -> None:
        super().__init__(partial(self.repeat, work, pause_s, event))


class DueWork(ThreadGroup):
    """A thread that works when `due` is set, and at intervals; it logs `event` if the database is down."""

    def __init__(self, work: Callable[[], object], due: Event, pause_s: float, event: str) -> None:
        super().__init__(partial(self._repeat_when_due, work, pause_s, event))
        self.due = due

    def stop(self) -> None:
        """Tell the thread to stop, and wake it."""
        super().stop()
        self.due.set()

    def _repeat_when_due(self, work: Callable[[], object], pause_s: float, event: str) -> None:
        while not self.closing.is_set():
            self.due.wait(pause_s)
            self.due.clear()
            try:
                work()
            except UnavailableError as error:
                _LOG.warning(event, error=error.code)


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


class Supervisor(ThreadGroup):
    """Restarts the dead threads of other groups at intervals."""

    def __init__(self, groups: Sequence[ThreadGroup]) -> None:
        super().__init__(self._supervise)
        self._groups = groups

    def _supervise(self) -> None:
        while not self.closing.wait(_SOON_S):
            for group in self._groups:
                group.restart_dead()
