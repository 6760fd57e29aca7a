"""Starts the processes in which searching bots play, and replaces those that have died."""

import os
import subprocess
import sys
from collections.abc import Callable
from threading import Event
from uuid import uuid4

import structlog

from kontor_games.service.settings import Settings
from kontor_games.service.threads import DueWork
from kontor_games.service.wakeups.feed import Change, Feed

_LOG = structlog.get_logger(__name__)
_PAUSE_S = 1.0
_PATIENCE_S = 5.0
"""How long a process may take to end before it is killed."""


class BotProcesses(DueWork):
    """Child processes on this machine, started when they are first needed.

    Each holds the end of a pipe and ends when the pipe is closed, also when this process is killed.
    """

    def __init__(self, settings: Settings, is_needed: Callable[[], bool], feed: Feed | None = None) -> None:
        """Looks whether processes are needed after each change of a match with a searching bot."""
        super().__init__(self._work, Event(), _PAUSE_S, "bot_processes_interrupted")
        self._is_needed = is_needed
        self._environ = {**os.environ, "KONTOR_DATABASE_URL": settings.database_url}
        self._environ.pop("PROMETHEUS_MULTIPROC_DIR", None)  # those are the metrics of API processes
        self._names = [f"{uuid4()}.{number}" for number in range(settings.bot_processes)]
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        if feed is not None:
            feed.on_change(self._on_change)

    def _on_change(self, change: Change) -> None:
        if change.searched and not self.children:
            self.due.set()

    def _work(self) -> None:
        if not self.children and not self._is_needed():
            return
        for name in self._names:
            child = self.children.get(name)
            if child is not None and child.poll() is None:
                continue
            if child is not None:
                _LOG.error("bot_process_died", status=child.returncode)
                _release(child)
            if not self.closing.is_set():
                self.children[name] = self._start_child(name)

    def _start_child(self, name: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "kontor_games.service.bot_process", name]
        return subprocess.Popen(command, stdin=subprocess.PIPE, env=self._environ)  # noqa: S603

    def close(self) -> None:
        """End the thread, then the processes."""
        super().close()
        children, self.children = self.children, {}
        for child in children.values():
            _release(child)
        for child in children.values():
            try:
                child.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def _release(child: "subprocess.Popen[bytes]") -> None:
    """Close the pipe that a child waits for."""
    if child.stdin is not None:
        child.stdin.close()
