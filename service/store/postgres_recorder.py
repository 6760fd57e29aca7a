"""Stores entries in PostgreSQL: one INSERT for each, or one for all that are ready at the same time."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from time import monotonic, perf_counter
from typing import Any, cast
from uuid import UUID

from eventsourcing.persistence import IntegrityError, PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg import Connection
from psycopg.rows import tuple_row

from kontor_games.service.metrics import group_commit_entries, group_commit_seconds
from kontor_games.service.store.database import (
    LOCK_WAIT_MS,
    EntryDatastore,
    Statement,
    execute,
    is_blocked,
    retry_once,
)
from kontor_games.service.store.group_commit import GroupCommit
from kontor_games.service.store.prepared_insert import Key, PreparedInserts, Row

_INSERT = (
    "INSERT INTO kontor_events (originator_id, originator_version, topic, state) VALUES (%s, %s, %s, %s)"
)
_SELECT = """SELECT originator_version, topic, state FROM kontor_events
    WHERE originator_id = %s AND originator_version > %s ORDER BY originator_version"""
_SELECT_MANY = """SELECT originator_id, originator_version, topic, state
    FROM unnest(%s::uuid[], %s::bigint[]) AS wanted (id, after)
    JOIN kontor_events ON originator_id = id AND originator_version > after
    ORDER BY originator_id, originator_version"""
_NEWEST = """SELECT originator_id, max(originator_version)
    FROM unnest(%s::uuid[], %s::bigint[]) AS wanted (id, since)
    JOIN kontor_events ON originator_id = id AND originator_version >= since
    GROUP BY originator_id"""
"""A distributed PostgreSQL sends plain joins to its shards, but not subqueries that refer to `unnest`."""
_ADAPT = (
    # The numbers of rows grow with the table, so an index of ranges of pages finds the newest ones.
    """CREATE INDEX IF NOT EXISTS kontor_events_by_order ON kontor_events
        USING brin (notification_id) WITH (pages_per_range = 32, autosummarize = on)""",
    # That of the library is one more write for each move, and a distributed table can't have it.
    "DROP INDEX IF EXISTS kontor_events_notification_id_idx",
    # Joins read the newest few entries of a match. With statistics of whole matches they scan the table.
    "ALTER TABLE kontor_events ALTER COLUMN originator_id SET (n_distinct = -0.05)",
)


class PostgresEntryRecorder(PostgresApplicationRecorder):
    """Stores an entry in one round trip: a single INSERT is its own transaction.

    It does without the table lock of the library's recorder, which would serialise all matches. The lock
    guarantees a global order of events, which is not needed here: each match is read by its own versions.
    """

    datastore: EntryDatastore

    def tables(self) -> list[str]:
        """Return the statements that create the table and its index, without unused types and functions."""
        texts = [statement.as_string() for statement in self.sql_create_statements]
        return [*(text for text in texts if text.startswith("CREATE TABLE")), *_ADAPT]

    @cached_property
    def _inserts(self) -> PreparedInserts:
        return PreparedInserts()

    @cached_property
    def _group_commit(self) -> GroupCommit[Row]:
        return GroupCommit(self._insert_measured)

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, statements: Sequence[Statement] = (), **_: Any
    ) -> Sequence[int] | None:
        """Insert one entry with other statements in the same transaction.

        If the connection was lost after the commit, the retry raises IntegrityError: the entry is stored.
        """
        [event] = stored_events
        [error] = self.insert_all([(event, statements)])
        if error is not None:
            raise error
        return None

    def insert_all(self, events: Sequence[tuple[StoredEvent, Sequence[Statement]]]) -> list[Exception | None]:
        """Insert entries of several matches as one group; those with statements in separate transactions."""
        rows = [_row(event) for event, statements in events if not statements]
        errors = iter(self._store_all(rows) if rows else ())
        return [
            self._insert_with(statements, _row(event)) if statements else next(errors)
            for event, statements in events
        ]

    def _insert_with(self, statements: Sequence[Statement], row: Row) -> Exception | None:
        error = self._insert_alone(self.datastore.short_wait, row, statements)
        if is_blocked(error):
            error = self._insert_alone(self.datastore.long_wait, row, statements)
        return error

    def _store_all(self, rows: Sequence[Row]) -> list[Exception | None]:
        """Store entries in a group with those of other callers; return an error or None for each.

        If another session holds a lock that one entry needs, the others are stored first, and that entry
        waits separately.
        """
        errors = list(self._group_commit.put_all(rows))
        if any(map(is_blocked, errors)):
            errors = self._retry_blocked(self.datastore.short_wait, rows, errors)
            errors = self._retry_blocked(self.datastore.long_wait, rows, errors)
        return errors

    def _retry_blocked(
        self, store: EntryDatastore, rows: Sequence[Row], errors: Sequence[Exception | None]
    ) -> list[Exception | None]:
        """Store the blocked entries one by one, until the deadline."""
        until = monotonic() + LOCK_WAIT_MS / 1000
        return [
            self._insert_alone(store, row) if is_blocked(error) and monotonic() < until else error
            for row, error in zip(rows, errors, strict=True)
        ]

    def _insert_alone(
        self, store: EntryDatastore, row: Row, statements: Sequence[Statement] = ()
    ) -> PersistenceError | None:
        """Insert an entry in a transaction of its own; return the error if that fails."""
        try:
            retry_once(store, lambda: self._insert(store, row, statements))
        except PersistenceError as error:
            return error
        return None

    def _insert(self, store: EntryDatastore, row: Row, statements: Sequence[Statement] = ()) -> None:
        if not statements:
            store.with_connection(lambda connection: self._inserts.insert(connection, row))
            return
        with (
            store.get_connection() as connection,
            connection.transaction(),
            connection.cursor() as cursor,
        ):
            cursor.execute(_INSERT, row, prepare=True)
            for statement in statements:
                execute(cursor, statement, postgres=True)

    def _insert_measured(self, rows: Sequence[Row]) -> list[Exception | None]:
        began = perf_counter()
        try:
            return self._insert_group(rows)
        finally:
            group_commit_seconds.observe(perf_counter() - began)
            group_commit_entries.observe(len(rows))

    def _insert_group(self, rows: Sequence[Row]) -> list[Exception | None]:
        """Insert entries of several matches; return for each an IntegrityError if its key is taken."""
        short_wait = self.datastore.short_wait
        if len(rows) == 1:
            return [self._insert_alone(short_wait, rows[0])]
        try:
            # Of two rows with the same key, the first is stored.
            first = {row[:2]: row for row in reversed(rows)}
            stored = retry_once(short_wait, lambda: self._insert_many(short_wait, list(first.values())))
        except PersistenceError as error:
            return [error] * len(rows)
        return [
            None if row[:2] in stored and row is first[row[:2]] else IntegrityError("the key is taken")
            for row in rows
        ]

    def _insert_many(self, store: EntryDatastore, rows: Sequence[Row]) -> set[Key]:
        return store.with_connection(lambda connection: self._inserts.insert_group(connection, rows))

    def entries_after(self, match_id: UUID, version: int) -> list[StoredEvent]:
        """Return the entries of a match after a version."""
        return [StoredEvent(match_id, *row) for row in self._fetch(_SELECT, (match_id, version))]

    def entries_of_many(self, after: Mapping[UUID, int]) -> Iterable[StoredEvent]:
        """Return the entries of several matches, each after a version."""
        return [StoredEvent(*row) for row in self._fetch(_SELECT_MANY, (list(after), list(after.values())))]

    def newest(self, since: Mapping[UUID, int]) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each match, unless it is older."""
        return dict(self._fetch(_NEWEST, (list(since), list(since.values()))))

    def _fetch(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        def fetch(connection: Connection[Any]) -> list[tuple[Any, ...]]:
            with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                return cursor.execute(query, values, prepare=True).fetchall()

        return retry_once(self.datastore, lambda: self.datastore.with_connection(fetch))


def _row(event: StoredEvent) -> Row:
    return cast(UUID, event.originator_id), event.originator_version, event.topic, event.state
