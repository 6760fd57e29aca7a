"""Leader election: one process runs the background tasks. If it dies, another takes over within a second.

A leader that is frozen but not dead keeps its lock. So the others check when it was last active, and take the
lock from it after some seconds. When it resumes, it notices that within a second. Until then its tasks can do
no harm: each change names the version that it was decided on, and only one change of a version is stored.
"""

import fcntl
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import IO

import psycopg
import structlog
from psycopg.conninfo import make_conninfo

from kontor_games.service import metrics
from kontor_games.service.store.database import Database
from kontor_games.service.threads import ThreadGroup

_LOG = structlog.get_logger(__name__)
_LOCK_NUMBER = 0x6B6F6E746F72
"""The number of the advisory lock: "kontor" in ASCII."""
_PAUSE_S = 1.0
FROZEN_S = 8.0
"""A leader that has not confirmed its lock for this time is replaced."""
_FROZEN = """
    SELECT pg_terminate_backend(held.pid)
    FROM pg_locks held JOIN pg_stat_activity session ON session.pid = held.pid
    WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 1
    AND held.classid = %s AND held.objid = %s AND session.datname = current_database()
    AND session.state_change < clock_timestamp() - make_interval(secs => %s)"""


_LEADERS = """
    SELECT held.pid FROM pg_locks held JOIN pg_stat_activity session ON session.pid = held.pid
    WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 1
    AND held.classid = ? AND held.objid = ? AND session.datname = current_database()"""


def has_leader(database: Database, path: Path | None) -> bool:
    """Whether some process leads; `path` is that of a SQLite database."""
    if path is None:
        return bool(database.read(_LEADERS, (_LOCK_NUMBER >> 32, _LOCK_NUMBER & 0xFFFFFFFF)))
    try:
        with lead_file(path).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        pass
    return False


def lead_file(path: Path) -> Path:
    """Return the file beside a SQLite database that the leader locks."""
    return path.with_name(f"{path.name}.lead")


class PostgresLeaderLock:
    """An advisory lock of a session; PostgreSQL releases it when the session ends.

    The leader uses its session every second, so an idle session that holds the lock belongs to a frozen
    leader.
    """

    def __init__(self, database_url: str) -> None:
        self._url = make_conninfo(database_url, connect_timeout=5, tcp_user_timeout=10_000)
        self._connection: psycopg.Connection | None = None

    def acquire(self) -> bool:
        """Return whether this process holds the lock; if its connection was lost, so was the lock."""
        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(self._url, autocommit=True)
                return self._lock(self._connection)
            row = self._connection.execute(
                "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'"
            ).fetchone()
            return bool(row and row[0]) or self._lock(self._connection)
        except psycopg.Error as error:
            _LOG.warning("leadership_interrupted", error=type(error).__name__)
            self.release()
            return False

    def _lock(self, connection: psycopg.Connection) -> bool:
        row = connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK_NUMBER,)).fetchone()
        if row and row[0]:
            return True
        number = (_LOCK_NUMBER >> 32, _LOCK_NUMBER & 0xFFFFFFFF, FROZEN_S)
        if connection.execute(_FROZEN, number).fetchone():
            _LOG.warning("frozen_leader_replaced")
        return False

    def release(self) -> None:
        """Close the connection, which releases the lock."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class FileLeaderLock:
    """A locked file beside the SQLite database; the operating system releases it when the process ends.

    The leader touches the file every second. A locked file with an old modification time belongs to a frozen
    leader: it is replaced by a new file, and the holder of the old one notices that the inode has changed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def acquire(self) -> bool:
        """Return whether this process holds the lock, after trying to lock the file if it does not."""
        if self._file is not None and not self._is_current(self._file):
            self.release()
        if self._file is None:
            self._file = self._lock() or self._replace()
        if self._file is not None:
            os.utime(self._file.fileno())
        return self._file is not None

    def _is_current(self, file: IO[str]) -> bool:
        with suppress(FileNotFoundError):
            return os.fstat(file.fileno()).st_ino == self._path.stat().st_ino
        return False

    def _lock(self) -> IO[str] | None:
        file = self._path.open("a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return None
        return file

    def _replace(self) -> IO[str] | None:
        """Replace the file of a frozen leader; a second locked file ensures that only one process does so."""
        with self._path.with_name(f"{self._path.name}.replace").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            if time.time() - self._path.stat().st_mtime < FROZEN_S:
                return None
            _LOG.warning("frozen_leader_replaced")
            self._path.unlink()
            return self._lock()

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class Leader(ThreadGroup):
    """Runs the tasks while this process holds the leader lock."""

    def __init__(self, lock: PostgresLeaderLock | FileLeaderLock, tasks: Sequence[ThreadGroup]) -> None:
        super().__init__(self._compete)
        self._lock = lock
        self._tasks = tasks
        self.leads = Event()
        """Set while this process leads and its tasks are running."""

    def _compete(self) -> None:
        while not self.closing.is_set():
            self._update(leads=self._lock.acquire())
            self.closing.wait(_PAUSE_S)
        self._update(leads=False)
        self._lock.release()

    def _update(self, *, leads: bool) -> None:
        """Start or stop the tasks if the leadership has changed; otherwise restart their dead threads."""
        if leads and self.leads.is_set():
            for task in self._tasks:
                task.restart_dead()
        elif leads:
            for task in self._tasks:
                task.start()
            self.leads.set()
            metrics.leads.set(1)
            _LOG.info("leadership", leads=True)
        elif self.leads.is_set():
            self.leads.clear()
            metrics.leads.set(0)
            _LOG.info("leadership", leads=False)
            for task in self._tasks:
                task.stop()
            for task in self._tasks:
                task.close()
