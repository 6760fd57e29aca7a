"""The event store: every accepted command of a match is one stored event that holds its facts as plain JSON.

The key is (match, version of the first fact), so two commands decided on the same version can't both be
stored. The stored topic is `match.<command>` and does not depend on module names. Built on eventsourcing's
Application with our own mapper, because the default mapper costs six times as much per fact, and with our own
recorders, which execute other statements in the same transaction.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple, cast
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import IntegrityError, Mapper, PersistenceError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment, EnvType, get_topic

from kontor_games.domain.codec import Plain
from kontor_games.service.store.database import (
    CONNECTION_ERRORS,
    EntryFactory,
    Statement,
    execute,
    translate_connection_errors,
    unavailable,
)
from kontor_games.service.store.postgres_recorder import PostgresEntryRecorder

_PAGE_CACHE_KB = 512
_SELECT = """SELECT originator_version, topic, state FROM kontor_events
    WHERE originator_id = ? AND originator_version > ? ORDER BY originator_version"""


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
        entry = cast(StoredEntry, domain_event)
        topic = f"{entry.kind}.{entry.stored.command['type']}"
        return StoredEvent(
            entry.originator_id, entry.originator_version, topic, _ENCODER.encode(entry.stored)
        )

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        match_id, version = cast(UUID, stored_event.originator_id), stored_event.originator_version
        kind = stored_event.topic.partition(".")[0]
        return StoredEntry(match_id, version, _DECODER.decode(stored_event.state), kind)


class OverwritingPool(SQLiteConnectionPool):
    """Connections to SQLite that overwrite deleted content with zeros, so that erased names are not kept.

    Each has a small cache.
    """

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        connection.cursor().execute("PRAGMA secure_delete = ON", [])
        # The default of 2 MB for every connection fills within minutes.
        connection.cursor().execute(f"PRAGMA cache_size = -{_PAGE_CACHE_KB}", [])
        return connection


class SQLiteEntryDatastore(SQLiteDatastore):
    """Connections to SQLite, with separate ones for readers.

    In a single pool of the library, a thread that waits for the writer blocks all others: a slow write would
    delay all reads, and after 5 s they would fail.
    """

    def __init__(self, db_name: str, lock_timeout: int | None) -> None:
        super().__init__(db_name, lock_timeout=lock_timeout)
        self.pool.close()
        self.pool, self._readers = (
            OverwritingPool(db_name=db_name, lock_timeout=lock_timeout) for _ in range(2)
        )

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        """Use a connection of the pool for writers (`commit`) or of the pool for readers."""
        pool = self.pool if commit else self._readers
        connection = pool.get_connection(is_writer=commit)
        try:
            yield connection
        finally:
            pool.put_connection(connection)

    def close(self) -> None:
        self._readers.close()
        super().close()


class SQLiteEntryFactory(SQLiteFactory):
    """Builds the store on SQLite."""

    def __init__(self, env: Environment) -> None:
        super().__init__(env)
        pool = self.datastore.pool
        self.datastore = SQLiteEntryDatastore(pool.db_name, pool.lock_timeout)


class SQLiteEntryRecorder(SQLiteApplicationRecorder):
    """The library's recorder, with other statements in the same transaction."""

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
        with self.datastore.transaction(commit=False) as cursor:  # faster than `select_events` of the library
            cursor.execute(_SELECT, (match_id.hex, version))
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

    def append_all(self, entries: Sequence[NewEntry]) -> list[Exception | None]:
        """Store entries of several matches in as few transactions as possible.

        Each has its own result: None, IntegrityError if its key is taken, or UnavailableError.
        """
        to_stored = self.mapper.to_stored_event
        events = [
            (to_stored(StoredEntry(entry.match_id, entry.first, entry.stored)), entry.statements)
            for entry in entries
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
        return [self.mapper.to_domain_event(row) for row in rows]  # type: ignore[misc]  # by our mapper

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each match, or 0."""
        with translate_connection_errors():
            return self.recorder.newest(match_ids) if match_ids else {}
