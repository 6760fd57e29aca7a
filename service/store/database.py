"""One interface to SQLite and PostgreSQL: `?` placeholders, rows as dicts, several writes in a transaction.

It uses the connections of the event store, so that facts and other rows can be written in one transaction.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from eventsourcing.persistence import InterfaceError, OperationalError
from eventsourcing.postgres import PostgresDatastore
from eventsourcing.sqlite import SQLiteDatastore
from psycopg_pool import PoolTimeout

from kontor_games.service.errors import UnavailableError

Statement = tuple[str, Sequence[Any]]
"""SQL with `?` placeholders, and its values."""

Datastore = PostgresDatastore | SQLiteDatastore
T = TypeVar("T")
_MOST_IDS = 500
"""Ids in one query; older versions of SQLite take at most 999 values."""


@contextmanager
def translate_connection_errors() -> Iterator[None]:
    """Raise UnavailableError in place of the driver's connection errors."""
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        raise UnavailableError(
            "The database can't be reached. Try again with the same Idempotency-Key."
        ) from error


def retry_once(datastore: Datastore, call: Callable[[], T]) -> T:
    """Repeat a call that failed because its connection was lost, after all lost connections were replaced."""
    try:
        return call()
    except (InterfaceError, OperationalError) as error:
        if isinstance(datastore, SQLiteDatastore) or isinstance(error.__cause__, PoolTimeout):
            raise
    datastore.pool.check()
    return call()


def execute(cursor: Any, statement: Statement, *, postgres: bool) -> None:
    """Execute a statement in the dialect of its database."""
    sql, values = statement
    cursor.execute(sql.replace("?", "%s") if postgres else sql, tuple(values))


class Database:
    """The tables beside the event store."""

    def __init__(self, datastore: Datastore) -> None:
        """Shares the connections of the event store."""
        self._datastore = datastore
        self.is_postgres = isinstance(datastore, PostgresDatastore)

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Return the rows of a query."""
        with translate_connection_errors():
            return retry_once(self._datastore, lambda: self._read((sql, values)))

    def read_many(self, sql: str, ids: Sequence[str]) -> list[dict[str, Any]]:
        """Return the rows of a query for any number of ids; `{}` in the SQL stands for their placeholders."""
        batches = [ids[start : start + _MOST_IDS] for start in range(0, len(ids), _MOST_IDS)]
        return [row for batch in batches for row in self.read(sql.format(", ".join("?" * len(batch))), batch)]

    def write(self, *statements: Statement) -> None:
        """Execute all statements in one transaction; raise IntegrityError if a unique key is taken.

        They are executed again if the connection was lost before the answer, so they must be safe to repeat:
        protected by a unique key, or without further effect the second time.
        """
        with translate_connection_errors():
            retry_once(self._datastore, lambda: self._write(statements))

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
