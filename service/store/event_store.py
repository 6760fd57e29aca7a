"""The event store: every accepted command of a match is one stored event that holds its facts as plain JSON.

The key is (match, version of the first fact), so two commands decided on the same version can't both be
stored. The stored topic is `match.<command>` and does not depend on module names. Built on eventsourcing's
Application with our own mapper, because the default mapper costs six times as much per fact, and with our own
recorders, which execute other statements in the same transaction.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from time import monotonic
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import IntegrityError, Mapper, PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment, EnvType, get_topic
from psycopg import Connection
from psycopg.rows import tuple_row

from kontor_games.domain.codec import Plain
from kontor_games.service.metrics import measured
from kontor_games.service.store.database import (
    CONNECTION_ERRORS,
    LOCK_WAIT_MS,
    EntryDatastore,
    EntryFactory,
    Statement,
    execute,
    is_blocked,
    retry_once,
    translate_connection_errors,
    unavailable,
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
_NEWEST = """SELECT id, (SELECT max(originator_version) FROM kontor_events WHERE originator_id = id)
    FROM unnest(%s) AS ids (id)"""
"""A subquery for each match reads one row of the index; a GROUP BY would read all rows."""


class Stored(msgspec.Struct, frozen=True, omit_defaults=True):
    """The stored JSON of one entry (docs/facts.md)."""

    at: int
    by: str
    key: str
    body: str
    command: dict[str, Plain]
    facts: list[dict[str, Plain]]
    head: str
    """The hash of the last fact's record (docs/chain.md)."""
    seat: int | None = None


class StoredEntry(msgspec.Struct, frozen=True):
    """A stored entry with its key: the match or tournament, and the version of the first fact."""

    originator_id: UUID
    originator_version: int
    stored: Stored
    kind: str = "match"
    """`match` or `tournament`: the first word of the stored topic."""


class NewEntry(NamedTuple):
    """An entry to store, with the statements of its transaction."""

    match_id: UUID
    first: int
    stored: Stored
    statements: Sequence[Statement]


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Stored)


class EntryMapper(Mapper[UUID]):
    """Converts entries to stored events and back; the topics do not depend on module names."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        """Encode an entry."""
        stored = cast(StoredEntry, domain_event).stored
        return StoredEvent(
            originator_id=domain_event.originator_id,
            originator_version=domain_event.originator_version,
            topic=f"{cast(StoredEntry, domain_event).kind}.{stored.command['type']}",
            state=_ENCODER.encode(stored),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        """Decode an entry."""
        return StoredEntry(
            originator_id=cast(UUID, stored_event.originator_id),
            originator_version=stored_event.originator_version,
            stored=_DECODER.decode(stored_event.state),
            kind=stored_event.topic.partition(".")[0],
        )


class SQLiteEntryDatastore(SQLiteDatastore):
    """Connections to SQLite, with separate ones for readers.

    In one pool of the library, whoever waits for the writer lets nobody else pass: a slow write would delay all reads,
    and after 5 s they would fail.
    """

    def __init__(self, db_name: str, lock_timeout: int | None) -> None:
        super().__init__(db_name, lock_timeout=lock_timeout)
        self._readers = SQLiteConnectionPool(db_name=db_name, lock_timeout=lock_timeout)

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        """Take a connection out of one of the pools for a while."""
        pool = self.pool if commit else self._readers
        connection = pool.get_connection(is_writer=commit)
        try:
            yield connection
        finally:
            pool.put_connection(connection)

    def close(self) -> None:
        """Close all connections."""
        self._readers.close()
        super().close()


class SQLiteEntryFactory(SQLiteFactory):
    """Builds the store on SQLite."""

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        pool = self.datastore.pool
        self.datastore = SQLiteEntryDatastore(pool.db_name, pool.lock_timeout)


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

    def insert_all(self, events: Sequence[tuple[StoredEvent, Sequence[Statement]]]) -> list[Exception | None]:
        """Insert entries of several matches in one transaction; one after the other if a key is taken."""
        stored = [event for event, _ in events]
        try:
            self.insert_events(stored, statements=[one for _, statements in events for one in statements])
        except IntegrityError as error:
            return [error] if len(events) == 1 else [self.insert_all([event])[0] for event in events]
        except PersistenceError as error:
            return [error] * len(events)
        return [None] * len(events)

    def entries_after(self, match_id: UUID, version: int) -> Sequence[StoredEvent]:
        """Return the entries of a match after a version."""
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute(_SELECT.replace("%s", "?"), (match_id.hex, version))
            return [StoredEvent(match_id, *row) for row in cursor.fetchall()]

    def entries_of_many(self, after: Mapping[UUID, int]) -> Iterable[StoredEvent]:
        """Return the entries of several matches, each after a version."""
        return chain.from_iterable(
            self.entries_after(match_id, version) for match_id, version in after.items()
        )

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each match."""
        query = "SELECT MAX(originator_version) FROM kontor_events WHERE originator_id = ?"
        found: dict[UUID, int] = {}
        with self.datastore.transaction(commit=False) as cursor:
            for match_id in match_ids:
                cursor.execute(query, (match_id.hex,))
                found[match_id] = cursor.fetchone()[0] or 0
        return found


class PostgresEntryRecorder(PostgresApplicationRecorder):
    """Stores an entry in one round trip: a single INSERT is its own transaction.

    It works without the table lock of the stock recorder, which would serialise all matches. The lock keeps a
    global order of events, which is not needed here: each match is read by its own versions.
    """

    def tables(self) -> list[str]:
        """Return the statements that create the table and its index, without unused types and functions."""
        texts = [statement.as_string() for statement in self.sql_create_statements]
        return [text for text in texts if text.startswith(("CREATE TABLE", "CREATE UNIQUE INDEX"))]

    @cached_property
    def _inserts(self) -> PreparedInserts:
        return PreparedInserts()

    @cached_property
    def _group_commit(self) -> GroupCommit[Row]:
        return GroupCommit(measured(self._insert_group))

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, statements: Sequence[Statement] = (), **_: Any
    ) -> Sequence[int] | None:
        """Insert entries with other statements in the same transaction.

        If the connection was lost after the commit, the retry raises IntegrityError: the entry is stored.
        """
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in stored_events]
        if len(rows) == 1 and not statements:
            [error] = self._store_all(rows)
        else:
            error = self._insert_alone(self._stores.quick, rows, statements)
            if is_blocked(error):
                error = self._insert_alone(self._stores.patient, rows, statements)
        if error is not None:
            raise error
        return None

    @property
    def _stores(self) -> EntryDatastore:
        return cast(EntryDatastore, self.datastore)

    def _store_all(self, rows: Sequence[Row]) -> list[Exception | None]:
        """Store entries with those of others; return an error or None for each.

        If another session holds a lock that one of a group needs, the others are stored first, and it waits outside.
        """
        errors = list(self._group_commit.put_all(rows))
        if any(map(is_blocked, errors)):
            errors = self._retry_blocked(self._stores.quick, rows, errors)
            errors = self._retry_blocked(self._stores.patient, rows, errors)
        return errors

    def _retry_blocked(
        self, store: EntryDatastore, rows: Sequence[Row], errors: Sequence[Exception | None]
    ) -> list[Exception | None]:
        """Store the blocked entries one by one, until the deadline."""
        until = monotonic() + LOCK_WAIT_MS / 1000
        return [
            self._insert_alone(store, [row]) if is_blocked(error) and monotonic() < until else error
            for row, error in zip(rows, errors, strict=True)
        ]

    def _insert_alone(
        self, store: EntryDatastore, rows: Sequence[Row], statements: Sequence[Statement] = ()
    ) -> PersistenceError | None:
        """Insert entries in a transaction of their own; return the error if that fails."""
        try:
            retry_once(store, lambda: self._insert(store, rows, statements))
        except PersistenceError as error:
            return error
        return None

    def insert_all(self, events: Sequence[tuple[StoredEvent, Sequence[Statement]]]) -> list[Exception | None]:
        """Insert entries of several matches as one group; those with statements have their own transactions."""
        plain = [event for event, statements in events if not statements]
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in plain]
        errors = iter(self._store_all(rows) if rows else ())
        return [
            self._insert_one(event, statements) if statements else next(errors)
            for event, statements in events
        ]

    def _insert_one(self, event: StoredEvent, statements: Sequence[Statement]) -> Exception | None:
        try:
            self.insert_events([event], statements=statements)
        except PersistenceError as error:
            return error
        return None

    def _insert(
        self, store: EntryDatastore, rows: Sequence[Row], statements: Sequence[Statement] = ()
    ) -> None:
        if len(rows) == 1 and not statements:
            store.use(lambda connection: self._inserts.insert(connection, rows[0]))
            return
        with (
            store.get_connection() as connection,
            connection.transaction(),
            connection.cursor() as cursor,
        ):
            for row in rows:
                cursor.execute(_INSERT, row, prepare=True)
            for statement in statements:
                execute(cursor, statement, postgres=True)

    def _insert_group(self, rows: Sequence[Row]) -> list[Exception | None]:
        """Insert entries of several matches; return for each an IntegrityError if its key is taken."""
        quick = self._stores.quick
        try:
            if len(rows) == 1:
                retry_once(quick, lambda: self._insert(quick, rows))
                return [None]
            # Of two rows with the same key, the first is stored.
            first = {row[:2]: row for row in reversed(rows)}
            stored = retry_once(quick, lambda: self._insert_many(quick, list(first.values())))
        except PersistenceError as error:
            return [error] * len(rows)
        return [
            None if row[:2] in stored and row is first[row[:2]] else IntegrityError("the key is taken")
            for row in rows
        ]

    def _insert_many(self, store: EntryDatastore, rows: Sequence[Row]) -> set[Key]:
        return store.use(lambda connection: self._inserts.insert_group(connection, rows))

    def entries_after(self, match_id: UUID, version: int) -> list[StoredEvent]:
        """Return the entries of a match after a version."""
        return [StoredEvent(match_id, *row) for row in self._fetch(_SELECT, (match_id, version))]

    def entries_of_many(self, after: Mapping[UUID, int]) -> Iterable[StoredEvent]:
        """Return the entries of several matches, each after a version."""
        return [StoredEvent(*row) for row in self._fetch(_SELECT_MANY, (list(after), list(after.values())))]

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each match."""
        return {match_id: version or 0 for match_id, version in self._fetch(_NEWEST, (list(match_ids),))}

    def _fetch(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        def fetch(connection: Connection[Any]) -> list[tuple[Any, ...]]:
            with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                return cursor.execute(query, values, prepare=True).fetchall()

        return retry_once(self._stores, lambda: self._stores.use(fetch))


def environment(database_url: str, pool_size: int) -> dict[str, str]:
    """Return the settings of eventsourcing for a database."""
    shared = {"MAPPER_TOPIC": get_topic(EntryMapper), "CREATE_TABLE": "n"}
    if database_url.startswith("sqlite:///"):
        return {
            **shared,
            "PERSISTENCE_MODULE": get_topic(SQLiteEntryFactory),
            "SQLITE_DBNAME": database_url.removeprefix("sqlite:///"),
            "SQLITE_LOCK_TIMEOUT": "10",
            "APPLICATION_RECORDER_TOPIC": get_topic(SQLiteEntryRecorder),
        }
    if urlsplit(database_url).scheme not in ("postgresql", "postgres"):
        raise ValueError("KONTOR_DATABASE_URL must begin with sqlite:/// or postgresql://")
    return {
        **shared,
        "PERSISTENCE_MODULE": get_topic(EntryFactory),
        "STORE_URL": database_url,
        "STORE_POOL": str(pool_size),
        "APPLICATION_RECORDER_TOPIC": get_topic(PostgresEntryRecorder),
    }


class EventStore(Application[UUID]):
    """The entries of all matches, in the table `kontor_events`."""

    name = "kontor"
    recorder: SQLiteEntryRecorder | PostgresEntryRecorder

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Use the given settings only, and not the environment variables of the process."""
        return Environment(name, env)

    def append(
        self,
        match_id: UUID,
        first: int,
        stored: Stored,
        statements: Sequence[Statement] = (),
        *,
        kind: str = "match",
    ) -> None:
        """Store an entry and statements in one transaction; raise IntegrityError if the key is taken."""
        try:
            self.events.put([StoredEntry(match_id, first, stored, kind)], statements=statements)
        except CONNECTION_ERRORS as error:
            raise unavailable(error) from error

    def append_all(self, new: Sequence[NewEntry]) -> list[Exception | None]:
        """Store entries of several matches in as few transactions as possible.

        Each has its own result: None, IntegrityError if its key is taken, or UnavailableError.
        """
        to_stored = self.mapper.to_stored_event
        events = [
            (to_stored(StoredEntry(entry.match_id, entry.first, entry.stored)), entry.statements)
            for entry in new
        ]
        errors = self.recorder.insert_all(events) if events else []
        return [unavailable(error) if isinstance(error, CONNECTION_ERRORS) else error for error in errors]

    def rows_of_many(self, after: Mapping[UUID, int]) -> dict[UUID, list[StoredEvent]]:
        """Return the rows of several matches, each with a first fact after a version, with one query."""
        found: dict[UUID, list[StoredEvent]] = {match_id: [] for match_id in after}
        with translate_connection_errors():
            for row in self.recorder.entries_of_many(after):
                found[cast(UUID, row.originator_id)].append(row)
        return found

    def entries(self, match_id: UUID, *, after: int = 0) -> Sequence[StoredEntry]:
        """Return the entries of a match with a first fact after a version."""
        with translate_connection_errors():
            rows = self.recorder.entries_after(match_id, after)
        return self.decoded(rows)

    def decoded(self, rows: Iterable[StoredEvent]) -> list[StoredEntry]:
        """Decode rows."""
        return [self.mapper.to_domain_event(row) for row in rows]  # type: ignore[misc]  # by our mapper

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each match, or 0."""
        with translate_connection_errors():
            return self.recorder.newest(match_ids) if match_ids else {}
