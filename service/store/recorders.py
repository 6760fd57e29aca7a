"""Recorders for SQLite and PostgreSQL: those of eventsourcing, with other statements in the same transaction.

The PostgreSQL recorder stores a move in one round trip and without the table lock of the stock recorder,
which would serialise all matches. The lock keeps a global order of events, which is not needed here: each
match is read by its own versions. The recorder connects when a connection is first needed, so that a process
can start while the database is unavailable.
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

from kontor_games.service.store.database import Statement, execute, retry_once
from kontor_games.service.store.group_commit import GroupCommit

Row = tuple[UUID | str, int, str, bytes]
"""A stored entry: match, version, topic, JSON."""

_CONNECTION_WAIT_S = 2.0
"""How long a call waits for a free connection before it fails."""
_SESSION = (
    "SET statement_timeout = '10s'; SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '5s'"
)
_INSERT = (
    "INSERT INTO kontor_events (originator_id, originator_version, topic, state) VALUES (%s, %s, %s, %s)"
)
_INSERT_GROUP = """INSERT INTO kontor_events (originator_id, originator_version, topic, state)
    SELECT * FROM unnest(%s::uuid[], %s::bigint[], %s::text[], %s::bytea[])
    ON CONFLICT DO NOTHING RETURNING originator_id, originator_version"""
_SELECT = """SELECT originator_version, topic, state FROM kontor_events
    WHERE originator_id = %s AND originator_version > %s ORDER BY originator_version"""
_NEWEST = """SELECT id, (SELECT max(originator_version) FROM kontor_events WHERE originator_id = id)
    FROM unnest(%s) AS ids (id)"""
"""A subquery for each match reads one row of the index; a GROUP BY would read all rows."""


class SQLiteEntryRecorder(SQLiteApplicationRecorder):
    """The stock recorder, with other statements in the same transaction."""

    def __init__(self, datastore: SQLiteDatastore, events_table_name: str = "kontor_events") -> None:
        super().__init__(datastore, events_table_name)

    def tables(self) -> list[str]:
        """Return the statements that create the table."""
        return list(self.create_table_statements)

    def _insert_events(
        self,
        c: SQLiteCursor,
        stored_events: Sequence[StoredEvent],
        *,
        statements: Sequence[Statement] = (),
        **kwargs: Any,
    ) -> Sequence[int] | None:
        ids = super()._insert_events(c, stored_events, **kwargs)
        for statement in statements:
            execute(c, statement, postgres=False)
        return ids

    def entries_after(self, match_id: UUID, version: int) -> Sequence[StoredEvent]:
        """Return the entries of a match after a version."""
        return self.select_events(match_id, gt=version)

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each match."""
        query = "SELECT MAX(originator_version) FROM kontor_events WHERE originator_id = ?"
        found: dict[UUID, int] = {}
        with self.datastore.transaction(commit=False) as cursor:
            for match_id in match_ids:
                cursor.execute(query, (match_id.hex,))
                found[match_id] = cursor.fetchone()[0] or 0
        return found


class EntryDatastore(PostgresDatastore):
    """A pool of connections to PostgreSQL."""

    def __init__(self, database_url: str, pool_size: int) -> None:
        super().__init__(
            "",
            "",
            "",
            "",
            "",
            pool_size=pool_size,
            max_overflow=pool_size,
            connect_timeout=_CONNECTION_WAIT_S,
        )
        # The base class would ignore some parts of the URL, for instance its sslmode.
        self.pool.conninfo = make_conninfo(database_url, tcp_user_timeout=10_000)
        self.pool.kwargs = {"row_factory": dict_row}
        self.pool.reconnect_timeout = (
            1.0  # the next call tries again; within one attempt, the intervals keep growing
        )

    def after_connect_func(self) -> Callable[[Connection[Any]], None]:
        """Return the function that configures a new connection."""

        def after_connect(connection: Connection[Any]) -> None:
            connection.autocommit = True
            connection.execute(_SESSION)

        return after_connect

    def register_type_adapters(self) -> None:
        """Register nothing: the types of the stock recorder are not used."""


class EntryFactory(PostgresFactory):
    """Builds the store on PostgreSQL."""

    def __init__(self, env: Environment) -> None:
        InfrastructureFactory.__init__(self, env)
        self.datastore = EntryDatastore(str(env.get("STORE_URL")), int(str(env.get("STORE_POOL"))))


class PostgresEntryRecorder(PostgresApplicationRecorder):
    """Stores an entry in one round trip: a single INSERT is its own transaction."""

    def tables(self) -> list[str]:
        """Return the statements that create the table and its index, without unused types and functions."""
        texts = [statement.as_string() for statement in self.sql_create_statements]
        return [text for text in texts if text.startswith(("CREATE TABLE", "CREATE UNIQUE INDEX"))]

    @cached_property
    def _group_commit(self) -> GroupCommit[Row]:
        return GroupCommit(self._insert_group)

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, statements: Sequence[Statement] = (), **_: Any
    ) -> Sequence[int] | None:
        """Insert entries with other statements in the same transaction.

        If the connection was lost after the commit, the retry raises IntegrityError: the entry is stored.
        """
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in stored_events]
        if len(rows) == 1 and not statements:
            self._group_commit.put(rows[0])
        else:
            retry_once(self.datastore, lambda: self._insert(rows, statements))
        return None

    def _insert(self, rows: Sequence[Row], statements: Sequence[Statement] = ()) -> None:
        with self.datastore.get_connection() as connection:
            if len(rows) == 1 and not statements:
                connection.execute(_INSERT, rows[0], prepare=True)
                return
            with connection.transaction(), connection.cursor() as cursor:
                for row in rows:
                    cursor.execute(_INSERT, row, prepare=True)
                for statement in statements:
                    execute(cursor, statement, postgres=True)

    def _insert_group(self, rows: Sequence[Row]) -> list[Exception | None]:
        """Insert entries of several matches; return for each an IntegrityError if its key is taken."""
        try:
            if len(rows) == 1:
                retry_once(self.datastore, lambda: self._insert(rows))
                return [None]
            first = {
                row[:2]: row for row in reversed(rows)
            }  # of two rows with the same key, the first is stored
            stored = set(self._fetch(_INSERT_GROUP, tuple(map(list, zip(*first.values(), strict=True)))))
        except PersistenceError as error:
            return [error] * len(rows)
        return [
            None if row[:2] in stored and row is first[row[:2]] else IntegrityError("the key is taken")
            for row in rows
        ]

    def entries_after(self, match_id: UUID, version: int) -> list[StoredEvent]:
        """Return the entries of a match after a version."""
        return [StoredEvent(match_id, *row) for row in self._fetch(_SELECT, (match_id, version))]

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each match."""
        return {match_id: version or 0 for match_id, version in self._fetch(_NEWEST, (list(match_ids),))}

    def _fetch(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        def fetch() -> list[tuple[Any, ...]]:
            with (
                self.datastore.get_connection() as connection,
                connection.cursor(binary=True, row_factory=tuple_row) as cursor,
            ):
                return cursor.execute(query, values, prepare=True).fetchall()

        return retry_once(self.datastore, fetch)
