"""Threads that work in the background for as long as a process runs."""

from collections.abc import Callable, Sequence
from threading import Event, Thread

import structlog

_LOG = structlog.get_logger(__name__)


class ThreadGroup:
    """Threads that belong together. A thread that died of a mistake of ours is noticed and replaced: work goes on with the next item."""

    def __init__(self, *works: Callable[[], None]) -> None:
        """Each work goes on until `closing` is set."""
        self._works = works
        self._threads: list[Thread] = []
        self.closing = Event()

    def start(self) -> None:
        """Begins all works."""
        self._threads = [self._begin(work) for work in self._works]

    def revive(self) -> None:
        """Begins those works again whose thread has died; the error itself is on record, as for every thread."""
        for place, thread in enumerate(self._threads):
            if not thread.is_alive() and not self.closing.is_set():
                _LOG.error("thread_died", work=thread.name)
                self._threads[place] = self._begin(self._works[place])

    def close(self) -> None:
        """Ends all works and waits until they have ended."""
        self.closing.set()
        for thread in self._threads:
            thread.join()
        self._threads = []

    def _begin(self, work: Callable[[], None]) -> Thread:
        thread = Thread(target=work, name=getattr(work, "__qualname__", "work"), daemon=True)
        thread.start()
        return thread


class Supervisor(ThreadGroup):
    """Sees to it that the threads of other crews live."""

    def __init__(self, groups: Sequence[ThreadGroup], pause_s: float = 1.0) -> None:
        """Watches those it is given."""
        super().__init__(self._watch)
        self._groups = groups
        self._pause_s = pause_s

    def _watch(self) -> None:
        while not self.closing.wait(self._pause_s):
            for group in self._groups:
                group.revive()
