"""One way to ask either database: `?` placeholders, rows as dicts, several writes in one transaction.

The connections are those of the event store's own datastore, so facts and rows can be written together.
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


@contextmanager
def when_away() -> Iterator[None]:
    """Turns a database that can't be reached into the one error that says so."""
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        raise UnavailableError("the database can't be reached now; try again with the same Idempotency-Key") from error


def ask_twice(datastore: Datastore, ask: Callable[[], T]) -> T:
    """Asks once more where a connection had died unnoticed, after all that died with it were replaced."""
    try:
        return ask()
    except (InterfaceError, OperationalError) as error:
        if isinstance(datastore, SQLiteDatastore) or isinstance(error.__cause__, PoolTimeout):
            raise
    datastore.pool.check()
    return ask()


def run(cursor: Any, statement: Statement, *, postgres: bool) -> None:
    """Executes one statement in the dialect of its database."""
    sql, values = statement
    cursor.execute(sql.replace("?", "%s") if postgres else sql, tuple(values))


class Database:
    """Rows beside the event store: players, tokens, the list of matches."""

    def __init__(self, datastore: Datastore) -> None:
        """Shares the event store's connections."""
        self._datastore = datastore
        self.is_postgres = isinstance(datastore, PostgresDatastore)

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """The rows of one query."""
        with when_away():
            return ask_twice(self._datastore, lambda: self._read((sql, values)))

    def write(self, *statements: Statement) -> None:
        """All statements or none; a violated uniqueness is an IntegrityError of the event store.

        Written again where the answer was lost, so they must be safe to repeat: held by a unique key, or the same twice as once.
        """
        with when_away():
            ask_twice(self._datastore, lambda: self._write(statements))

    def _read(self, statement: Statement) -> list[dict[str, Any]]:
        datastore = self._datastore
        with datastore.cursor() if isinstance(datastore, PostgresDatastore) else datastore.transaction(commit=False) as cursor:
            run(cursor, statement, postgres=self.is_postgres)
            return [dict(row) for row in cursor.fetchall()]

    def _write(self, statements: Sequence[Statement]) -> None:
        with self._datastore.transaction(commit=True) as cursor:
            for statement in statements:
                run(cursor, statement, postgres=self.is_postgres)
