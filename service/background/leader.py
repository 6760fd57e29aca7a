"""Exactly one process leads: it moves for the house bots and keeps the time. When it dies, another takes over within a second."""

import fcntl
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import IO, Protocol

import psycopg
import structlog
from psycopg.conninfo import make_conninfo

from kontor_games.service.background.threads import ThreadGroup

_LOG = structlog.get_logger(__name__)
_LOCK_NUMBER = 0x6B6F6E746F72
"""The advisory lock of this product: its name in ASCII."""
_PAUSE_S = 1.0


class Baton(Protocol):
    """What only one process can hold."""

    def grab(self) -> bool:
        """Tries to take it, or checks that it is still held."""

    def drop(self) -> None:
        """Gives it up."""


class PostgresBaton:
    """A session's advisory lock: PostgreSQL itself takes it back when the session ends."""

    def __init__(self, database_url: str) -> None:
        """Holds nothing yet."""
        self._url = make_conninfo(database_url, connect_timeout=5, tcp_user_timeout=10_000)
        self._connection: psycopg.Connection | None = None

    def grab(self) -> bool:
        """Tries to take the lock on a connection of its own; a lost connection has lost the lock."""
        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(self._url, autocommit=True)
                return self._lock(self._connection)
            held = self._connection.execute(
                "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'"
            ).fetchone()
            return bool(held and held[0]) or self._lock(self._connection)
        except psycopg.Error as error:
            _LOG.warning("leadership_interrupted", error=type(error).__name__)
            self.drop()
            return False

    def _lock(self, connection: psycopg.Connection) -> bool:
        row = connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK_NUMBER,)).fetchone()
        return bool(row and row[0])

    def drop(self) -> None:
        """Ends the session, and with it the lock."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class FileBaton:
    """A lock on a file beside the SQLite database: the system takes it back when the process ends."""

    def __init__(self, path: Path) -> None:
        """Holds nothing yet."""
        self._path = path
        self._file: IO[str] | None = None

    def grab(self) -> bool:
        """Tries to lock the file."""
        if self._file is not None:
            return True
        file = self._path.open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def drop(self) -> None:
        """Unlocks the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


class LeaderTask(Protocol):
    """Work that one process does for all."""

    def start(self) -> None:
        """Begins, from what the store says."""

    def stop(self) -> None:
        """Stops; what is half done another will do."""

    def revive(self) -> None:
        """Goes on where a thread has died."""


class Leader(ThreadGroup):
    """Tries to lead, and does the duties while it does."""

    def __init__(self, baton: Baton, tasks: Sequence[LeaderTask]) -> None:
        """Does nothing until it is started."""
        super().__init__(self._lead)
        self._baton = baton
        self._tasks = tasks
        self.leads = Event()

    def _lead(self) -> None:
        while not self.closing.is_set():
            self._turn(leads=self._baton.grab())
            self.closing.wait(_PAUSE_S)
        self._turn(leads=False)
        self._baton.drop()

    def _turn(self, *, leads: bool) -> None:
        if leads != self.leads.is_set():
            (self.leads.set if leads else self.leads.clear)()
            _LOG.info("leadership", leads=leads)
            for task in self._tasks:
                (task.start if leads else task.stop)()
        elif leads:
            for task in self._tasks:
                task.revive()
