"""The database connections of one simulated process; they have what the service uses of the real ones."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from eventsourcing.postgres import PostgresDatastore

from kontor_games.service.store import postgres_recorder
from tests.simulation.postgres import Server
from tests.simulation.statements import Cursor, Row

T = TypeVar("T")


class Pool:
    """Stands in for the connection pool; simulated connections need no check."""

    def check(self) -> None:
        pass


class PooledConnection:
    """A connection of the pool in autocommit mode."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._inside: Cursor | None = None

    def execute(self, sql: str, values: Sequence[Any] = (), **_: object) -> Cursor:
        is_read = sql.startswith("SELECT")
        with self.server.reading() if is_read else self.server.transaction() as cursor:
            return cursor.execute(sql, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self.server.transaction() as self._inside:
            yield
        self._inside = None

    @contextmanager
    def cursor(self, **_: object) -> Iterator[Any]:
        yield self._inside or self


class Inserts:
    """Stands in for `PreparedInserts`."""

    def insert(self, connection: PooledConnection, row: Row) -> None:
        connection.execute(postgres_recorder._INSERT, row)

    def insert_group(self, connection: PooledConnection, rows: Sequence[Row]) -> set[Row]:
        with connection.server.transaction() as cursor:
            return set(cursor.insert_group(rows))


class Datastore(PostgresDatastore):
    """The database connections of one simulated process."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.pool = Pool()  # type: ignore[assignment]
        self.schema, self.originator_id_type, self.lock_timeout = "public", "uuid", 0
        self.db_type_names: set[str] = set()
        self.short_wait = self.long_wait = self

    def register_type_adapters(self) -> None:
        pass

    @contextmanager
    def get_connection(self) -> Iterator[Any]:
        yield PooledConnection(self._server)

    def with_connection(self, call: Callable[[Any], T]) -> T:
        return call(PooledConnection(self._server))

    @contextmanager
    def cursor(self) -> Iterator[Any]:
        with self._server.reading() as cursor:
            yield cursor

    @contextmanager
    def transaction(self, *, commit: bool = False) -> Iterator[Any]:
        with self._server.transaction() as cursor:
            yield cursor

    def close(self) -> None:
        pass

    def __del__(self) -> None:
        pass
