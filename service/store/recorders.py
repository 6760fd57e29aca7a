"""How entries get into SQLite and PostgreSQL: eventsourcing's recorders, with rows of other tables in the same transaction.

The one for PostgreSQL stores a move in one round trip and without the table lock of the stock recorder, which serialises all matches:
nobody here tails the global order, each match is followed by its own versions. It connects when a connection is first needed, so that a
process can start while the database is away, and with everything that the operator's URL says.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any
from uuid import UUID

from eventsourcing.persistence import InfrastructureFactory, IntegrityError, PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor, SQLiteDatastore
from eventsourcing.utils import Environment
from psycopg import Connection
from psycopg.conninfo import make_conninfo
from psycopg.rows import dict_row, tuple_row

from kontor_games.service.store.database import Statement, ask_twice, run
from kontor_games.service.store.group_commit import GroupCommit

Row = tuple[UUID | str, int, str, bytes]
"""An entry as it is stored: match, version, name, JSON."""

_CONNECTION_WAIT_S = 2.0
"""How long a call waits for a free connection before it is told to come back."""
_SESSION = "SET statement_timeout = '10s'; SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '5s'"
_INSERT = "INSERT INTO kontor_events (originator_id, originator_version, topic, state) VALUES (%s, %s, %s, %s)"
_INSERT_GROUP = """INSERT INTO kontor_events (originator_id, originator_version, topic, state)
    SELECT * FROM unnest(%s::uuid[], %s::bigint[], %s::text[], %s::bytea[]) ON CONFLICT DO NOTHING RETURNING originator_id, originator_version"""
_SELECT = """SELECT originator_version, topic, state FROM kontor_events
    WHERE originator_id = %s AND originator_version > %s ORDER BY originator_version"""
_NEWEST = "SELECT id, (SELECT max(originator_version) FROM kontor_events WHERE originator_id = id) FROM unnest(%s) AS ids (id)"
"""A subquery for each match, since it reads one row of the index where a GROUP BY would read them all."""


class SQLiteEntryRecorder(SQLiteApplicationRecorder):
    """The stock recorder, with rows of other tables in the same transaction."""

    def __init__(self, datastore: SQLiteDatastore, events_table_name: str = "kontor_events") -> None:
        """The table has the same name on both databases."""
        super().__init__(datastore, events_table_name)

    def tables(self) -> list[str]:
        """The statements that make the table."""
        return list(self.create_table_statements)

    def _insert_events(
        self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], *, also: Sequence[Statement] = (), **kwargs: Any
    ) -> Sequence[int] | None:
        ids = super()._insert_events(c, stored_events, **kwargs)
        for statement in also:
            run(c, statement, postgres=False)
        return ids

    def entries_after(self, match_id: UUID, version: int) -> Sequence[StoredEvent]:
        """A match's entries beyond a version."""
        return self.select_events(match_id, gt=version)

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """For each match the version of the first fact of its newest entry."""
        found: dict[UUID, int] = {}
        with self.datastore.transaction(commit=False) as cursor:
            for match_id in match_ids:
                cursor.execute(f"SELECT MAX(originator_version) FROM {self.events_table_name} WHERE originator_id = ?", (match_id.hex,))  # noqa: S608
                found[match_id] = cursor.fetchone()[0] or 0
        return found


class EntryDatastore(PostgresDatastore):
    """A pool of connections to the database that the operator's URL names."""

    def __init__(self, database_url: str, pool_size: int) -> None:
        """Connects to nothing yet."""
        super().__init__("", "", "", "", "", pool_size=pool_size, max_overflow=pool_size, connect_timeout=_CONNECTION_WAIT_S)
        # The base class would pass on a few parts of the URL only, and not for instance its sslmode.
        self.pool.conninfo = make_conninfo(database_url, tcp_user_timeout=10_000)
        self.pool.kwargs = {"row_factory": dict_row}
        self.pool.reconnect_timeout = 1.0  # and then anew when a connection is wanted: longer attempts come at ever longer intervals

    def after_connect_func(self) -> Callable[[Connection[Any]], None]:
        """What every new connection is told."""

        def after_connect(connection: Connection[Any]) -> None:
            connection.autocommit = True
            connection.execute(_SESSION)

        return after_connect

    def register_type_adapters(self) -> None:
        """There are none: the types of the stock recorder are not used."""


class EntryFactory(PostgresFactory):
    """Builds the store on PostgreSQL from the operator's URL."""

    def __init__(self, env: Environment) -> None:
        """Needs STORE_URL and STORE_POOL."""
        InfrastructureFactory.__init__(self, env)
        self.datastore = EntryDatastore(str(env.get("STORE_URL")), int(str(env.get("STORE_POOL"))))


class PostgresEntryRecorder(PostgresApplicationRecorder):
    """Stores an entry in one round trip: a single INSERT is a transaction of its own."""

    def tables(self) -> list[str]:
        """The statements that make the table and its index, without the stock recorder's types and function: nobody calls those here."""
        texts = [statement.as_string() for statement in self.sql_create_statements]
        return [text for text in texts if text.startswith(("CREATE TABLE", "CREATE UNIQUE INDEX"))]

    @cached_property
    def _groups(self) -> GroupCommit[Row]:
        return GroupCommit(self._insert_group)

    def insert_events(self, stored_events: Sequence[StoredEvent], *, also: Sequence[Statement] = (), **_: Any) -> Sequence[int] | None:
        """Entries, and rows of other tables in the same transaction. A retry after a lost answer may find its own entry stored."""
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in stored_events]
        if len(rows) == 1 and not also:
            self._groups.put(rows[0])
        else:
            ask_twice(self.datastore, lambda: self._insert(rows, also))
        return None

    def _insert(self, rows: Sequence[Row], also: Sequence[Statement] = ()) -> None:
        with self.datastore.get_connection() as connection:
            if len(rows) == 1 and not also:
                connection.execute(_INSERT, rows[0], prepare=True)
                return
            with connection.transaction(), connection.cursor() as cursor:
                for row in rows:
                    cursor.execute(_INSERT, row, prepare=True)
                for statement in also:
                    run(cursor, statement, postgres=True)

    def _insert_group(self, rows: Sequence[Row]) -> list[Exception | None]:
        """Stores single entries of several matches; tells for each whether another holds its place."""
        try:
            if len(rows) == 1:
                ask_twice(self.datastore, lambda: self._insert(rows))
                return [None]
            first = {row[:2]: row for row in reversed(rows)}  # of two for one place only the first has a chance
            stored = set(self._ask(_INSERT_GROUP, tuple(map(list, zip(*first.values(), strict=True)))))
        except PersistenceError as error:
            return [error] * len(rows)
        return [None if row[:2] in stored and row is first[row[:2]] else IntegrityError("another entry is there") for row in rows]

    def entries_after(self, match_id: UUID, version: int) -> list[StoredEvent]:
        """A match's entries beyond a version."""
        return [StoredEvent(match_id, *row) for row in self._ask(_SELECT, (match_id, version))]

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """For each match the version of the first fact of its newest entry."""
        return {match_id: version or 0 for match_id, version in self._ask(_NEWEST, (list(match_ids),))}

    def _ask(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        def ask() -> list[tuple[Any, ...]]:
            with self.datastore.get_connection() as connection, connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                return cursor.execute(query, values, prepare=True).fetchall()

        return ask_twice(self.datastore, ask)
