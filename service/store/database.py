"""One interface to SQLite and PostgreSQL: `?` placeholders, rows as dicts, several writes in a transaction.

It uses the connections of the event store, so that facts and other rows can be written in one transaction.
The pool connects when a connection is first needed, so that a process can start while PostgreSQL is
unavailable.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from time import monotonic
from typing import Any, TypeVar

import psycopg
import structlog
from eventsourcing.persistence import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    PersistenceError,
)
from eventsourcing.postgres import PostgresDatastore
from eventsourcing.sqlite import SQLiteDatastore
from psycopg import Connection
from psycopg.conninfo import make_conninfo
from psycopg.errors import LockNotAvailable, QueryCanceled, ReadOnlySqlTransaction
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from kontor_games.service.errors import UnavailableError
from kontor_games.service.metrics import database_failures
from kontor_games.service.store.statement_watch import SURELY_S, StatementWatch
from kontor_games.service.threads import ThreadGroup

Statement = tuple[str, Sequence[Any]]
"""SQL with `?` placeholders, and its values."""

Datastore = PostgresDatastore | SQLiteDatastore
T = TypeVar("T")
CONNECTION_ERRORS = (OperationalError, InterfaceError)
_ERRORS: dict[type, type[PersistenceError]] = {
    ReadOnlySqlTransaction: OperationalError,  # a primary that was demoted, or a standby
    psycopg.InterfaceError: InterfaceError,
    psycopg.OperationalError: OperationalError,
    psycopg.IntegrityError: IntegrityError,
    psycopg.DatabaseError: DatabaseError,
    psycopg.Error: PersistenceError,
}
_LOG = structlog.get_logger(__name__)
_LOG_INTERVAL_S = 10.0
_MAX_REASON_CHARS = 200
_DISK_FULL = ("disk is full", "no space left", "disk full")
"""The messages of SQLite and PostgreSQL when nothing can be written."""
_MAX_IDS = 500
"""Ids in one query; older versions of SQLite take at most 999 values."""
_CONNECTION_WAIT_S = 2.0
"""How long a call waits for a free connection before it fails."""
LOCK_WAIT_MS = 5000
"""How long a statement waits for a lock that another session holds."""
SHORT_LOCK_WAIT_MS = 200
"""The same for a group commit, where others would wait too: a blocked entry then waits separately."""
_MAX_BLOCKED = 8
"""Entries that wait for locks at the same time; further ones fail."""
_SESSION = (
    "SET statement_timeout = '6s'; SET lock_timeout = '{}ms'; SET idle_in_transaction_session_timeout = '5s'"
)


class _Reports:
    """Reports why the database is unavailable: in the log, and in the error that callers get."""

    def __init__(self) -> None:
        self._last_reason, self._last_logged_at = "", 0.0

    def unavailable(self, error: Exception) -> UnavailableError:
        """Log the reason, the same one at most every 10 s; return the error to raise instead."""
        reason, now = str(error.__cause__ or error).strip().split("\n")[0][:_MAX_REASON_CHARS], monotonic()
        database_failures.inc()
        if reason != self._last_reason or now > self._last_logged_at + _LOG_INTERVAL_S:
            self._last_reason, self._last_logged_at = reason, now
            _LOG.error("database_unavailable", reason=reason)
        if is_blocked(error):
            fault = "Another session of the database holds a lock on this."
        elif isinstance(error.__cause__, ReadOnlySqlTransaction):
            fault = "The database accepts no writes."
        elif any(sign in reason.lower() for sign in _DISK_FULL):
            fault = "The disk of the database is full."
        else:
            fault = "The database can't be reached."
        return UnavailableError(f"{fault} Try again with the same Idempotency-Key.")


def is_blocked(error: BaseException | None) -> bool:
    """Whether a statement failed because another session held a lock for too long."""
    return isinstance(error, OperationalError) and isinstance(error.__cause__, LockNotAvailable)


unavailable = _Reports().unavailable
"""Translates a connection error of the driver."""


@contextmanager
def translate_connection_errors() -> Iterator[None]:
    """Raise UnavailableError instead of the driver's connection errors."""
    try:
        yield
    except CONNECTION_ERRORS as error:
        raise unavailable(error) from error


_CONNECTION_INTACT = (PoolTimeout, LockNotAvailable, QueryCanceled)
"""Errors that do not affect the connection: a retry would only take as long again."""


def retry_once(datastore: Datastore, call: Callable[[], T]) -> T:
    """Repeat a call that failed because its connection was lost, after all lost connections were replaced.

    A call that failed only after a while is not repeated: if the database does not answer, the check of its
    other connections would not end either.
    """
    began = monotonic()
    try:
        return call()
    except CONNECTION_ERRORS as error:
        if isinstance(datastore, SQLiteDatastore) or isinstance(error.__cause__, _CONNECTION_INTACT):
            raise
        if monotonic() - began >= SURELY_S:
            raise
    datastore.pool.check()
    return call()


def _translated(error: psycopg.Error) -> PersistenceError:
    """Return the error of eventsourcing that corresponds to one of the driver."""
    found = next(_ERRORS[base] for base in type(error).__mro__ if base in _ERRORS)
    return found(str(error))


def execute(cursor: Any, statement: Statement, *, postgres: bool) -> None:
    """Execute a statement in the dialect of its database."""
    sql, values = statement
    cursor.execute(sql.replace("?", "%s") if postgres else sql, tuple(values))


class Database:
    """The tables beside the event store."""

    def __init__(self, datastore: Datastore) -> None:
        self._datastore = datastore
        self.is_postgres = isinstance(datastore, PostgresDatastore)

    @property
    def watchers(self) -> list[ThreadGroup]:
        """Threads that end calls which the database does not answer; for processes that serve players."""
        return [self._datastore.watch] if isinstance(self._datastore, EntryDatastore) else []

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Return the rows of a query."""
        with translate_connection_errors():
            return retry_once(self._datastore, lambda: self._read((sql, values)))

    def read_many(self, sql: str, ids: Sequence[str]) -> list[dict[str, Any]]:
        """Return the rows of a query for any number of ids; `{}` in the SQL stands for their placeholders."""
        batches = [ids[start : start + _MAX_IDS] for start in range(0, len(ids), _MAX_IDS)]
        return [row for batch in batches for row in self.read(sql.format(", ".join("?" * len(batch))), batch)]

    def write(self, *statements: Statement) -> None:
        """Execute all statements in one transaction; raise IntegrityError if a unique key is taken.

        They are executed again if the connection was lost before the answer, so they must be safe to repeat:
        protected by a unique key, or without further effect the second time.
        """
        with translate_connection_errors():
            retry_once(self._datastore, lambda: self._write(statements))

    def empty_journal(self) -> None:
        """Move the journal of SQLite into its file and empty it: it still has what was deleted."""
        if isinstance(self._datastore, SQLiteDatastore):
            with (
                translate_connection_errors(),
                self._datastore.get_connection(commit=True) as connection,
            ):
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)", [])

    def _read(self, statement: Statement) -> list[dict[str, Any]]:
        store = self._datastore
        with (
            store.cursor()
            if isinstance(store, PostgresDatastore)
            else store.transaction(commit=False) as cursor
        ):
            execute(cursor, statement, postgres=self.is_postgres)
            return [dict(row) for row in cursor.fetchall()]

    def _write(self, statements: Sequence[Statement]) -> None:
        with self._datastore.transaction(commit=True) as cursor:
            for statement in statements:
                execute(cursor, statement, postgres=self.is_postgres)


class EntryDatastore(PostgresDatastore):
    """A pool of connections to PostgreSQL, and beside it two smaller ones for entries.

    An entry whose row is locked by another session must not delay entries of other matches: neither in
    the statement that they share, nor by holding a connection that they need.
    """

    def __init__(
        self,
        database_url: str,
        pool_size: int,
        overflow: int | None = None,
        lock_wait_ms: int = LOCK_WAIT_MS,
    ) -> None:
        wait, more = _CONNECTION_WAIT_S, pool_size if overflow is None else overflow
        super().__init__("", "", "", "", "", pool_size=pool_size, max_overflow=more, connect_timeout=wait)
        self._url = database_url
        self._lock_wait_ms = lock_wait_ms
        self._parent: EntryDatastore | None = None
        self._others: list[EntryDatastore] = []
        self.watch = StatementWatch(self.drop_connections)
        # The base class would ignore some parts of the URL, for instance its sslmode.
        self.pool.conninfo = make_conninfo(database_url, connect_timeout=5, tcp_user_timeout=10_000)
        self.pool.kwargs = {"row_factory": dict_row}
        self.pool.check_connection = self._check_connection  # type: ignore[method-assign]
        # The next call tries again; within one attempt, the intervals keep growing.
        self.pool.reconnect_timeout = 1.0

    def _check_connection(self, conn: Connection[Any]) -> None:
        """Check a connection of the pool, which also needs an answer of the server."""
        self.watch.in_use[conn] = monotonic()
        try:
            ConnectionPool.check_connection(conn)
        finally:
            self.watch.in_use.pop(conn, None)

    def after_connect_func(self) -> Callable[[Connection[Any]], None]:
        """Return the function that configures a new connection."""

        def after_connect(connection: Connection[Any]) -> None:
            connection.autocommit = True
            connection.execute(_SESSION.format(self._lock_wait_ms))

        return after_connect

    def with_connection(self, call: Callable[[Connection[Any]], T]) -> T:
        """Call a function with a connection on which each statement is a transaction of its own.

        `get_connection` begins and ends transactions as well, which costs as much as storing an entry.
        """
        try:
            if self.pool.closed:
                self.pool.open()
            connection = self.pool.getconn()
            self.watch.in_use[connection] = monotonic()
            try:
                return call(connection)
            finally:
                self.watch.in_use.pop(connection, None)
                self.pool.putconn(connection)
        except ReadOnlySqlTransaction as error:
            self.drop_connections()
            raise _translated(error) from error
        except psycopg.Error as error:
            raise _translated(error) from error

    @contextmanager
    def get_connection(self) -> Iterator[Connection[Any]]:
        """Lend a connection; a read-only server counts as unavailable, and its connections are dropped."""
        try:
            with super().get_connection() as connection:
                self.watch.in_use[connection] = monotonic()
                try:
                    yield connection
                finally:
                    self.watch.in_use.pop(connection, None)
        except InternalError as error:
            if not isinstance(error.__cause__, ReadOnlySqlTransaction):
                raise
            self.drop_connections()
            raise OperationalError(str(error)) from error.__cause__

    def drop_connections(self) -> None:
        """Replace all connections, those in use when they are returned: they lead to the wrong server."""
        for store in (self, *self._others) if self._parent is None else (self._parent, *self._parent._others):
            if not store.pool.closed:
                store.pool.drain()

    @cached_property
    def short_wait(self) -> "EntryDatastore":
        """Connections for entries that are stored with others: they wait for locks only shortly."""
        return self._other(EntryDatastore(self._url, 1, 3, SHORT_LOCK_WAIT_MS))

    @cached_property
    def long_wait(self) -> "EntryDatastore":
        """Connections for entries that another session blocks, opened when they are needed."""
        return self._other(EntryDatastore(self._url, 0, _MAX_BLOCKED))

    def _other(self, other: "EntryDatastore") -> "EntryDatastore":
        other._parent, other.watch = self, self.watch
        self._others.append(other)
        return other

    def close(self) -> None:
        for other in self._others:
            other.close()
        super().close()

    def register_type_adapters(self) -> None:
        """Register nothing: the types of the library's own recorder are not used."""
