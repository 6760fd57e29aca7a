"""The event store: every accepted command of a stream is one stored event that holds its facts as plain JSON.

The key is (stream, version of the first fact), so two commands decided on the same version can't both be
stored. The stored topic is `<kind>.<command>` and does not depend on module names. The library eventsourcing
gives the tables, the connections, the numbering of rows and the errors; its recorders are extended by other
statements in the same transaction. Aggregates, applications and mappers are our own (domain/stream.py).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple, cast
from uuid import UUID

import msgspec
from eventsourcing.persistence import IntegrityError, PersistenceError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
)

from kontor_games.domain.codec import Plain
from kontor_games.service.store.database import (
    CONNECTION_ERRORS,
    EntryDatastore,
    Statement,
    execute,
    translate_connection_errors,
    unavailable,
)
from kontor_games.service.store.postgres_recorder import PostgresEntryRecorder

_PAGE_CACHE_KB = 512
_SQLITE_LOCK_S = 10
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
    """A stored entry with its key: the stream, and the version of the first fact."""

    originator_id: UUID
    originator_version: int
    stored: Stored
    kind: str = "match"
    """The kind of stream, which is the first word of the stored topic."""


class NewEntry(NamedTuple):
    """An entry to store, with the statements of its transaction."""

    stream_id: UUID
    first: int
    stored: Stored
    statements: Sequence[Statement] = ()
    kind: str = "match"


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Stored)


def to_row(new: NewEntry) -> StoredEvent:
    """Encode an entry for the database."""
    topic = f"{new.kind}.{new.stored.command['type']}"
    return StoredEvent(new.stream_id, new.first, topic, _ENCODER.encode(new.stored))


def from_row(row: StoredEvent) -> StoredEntry:
    """Decode an entry from the database."""
    kind = row.topic.partition(".")[0]
    return StoredEntry(
        cast(UUID, row.originator_id), row.originator_version, _DECODER.decode(row.state), kind
    )


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


class SQLiteEntryRecorder(SQLiteApplicationRecorder):
    """The library's recorder, with other statements in the same transaction."""

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

    def newest(self, since: Mapping[UUID, int]) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each match, unless it is older."""
        query = "SELECT MAX(originator_version) FROM kontor_events WHERE originator_id = ?"
        found: dict[UUID, int] = {}
        with self.datastore.transaction(commit=False) as cursor:
            for match_id, known in since.items():
                cursor.execute(query, (match_id.hex,))
                version = cursor.fetchone()[0]
                if version is not None and version >= known:
                    found[match_id] = version
        return found


_EVENTS = "kontor_events"
NOTHING_KNOWN: Mapping[UUID, int] = {}


class EventStore:
    """The entries of all streams, in the table `kontor_events`."""

    recorder: SQLiteEntryRecorder | PostgresEntryRecorder

    def __init__(self, database_url: str, pool_size: int) -> None:
        if database_url.startswith("sqlite:///"):
            file = SQLiteEntryDatastore(database_url.removeprefix("sqlite:///"), _SQLITE_LOCK_S)
            self.recorder = SQLiteEntryRecorder(file, events_table_name=_EVENTS)
        else:
            self.recorder = PostgresEntryRecorder(
                EntryDatastore(database_url, pool_size), events_table_name=_EVENTS
            )

    def close(self) -> None:
        """Close all connections."""
        self.recorder.datastore.close()

    def append_all(self, entries: Sequence[NewEntry]) -> list[Exception | None]:
        """Store entries in as few transactions as possible, each together with its statements.

        Each has its own result: None, IntegrityError if its key is taken, or UnavailableError.
        """
        events = [(to_row(new), new.statements) for new in entries]
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
        return [from_row(row) for row in rows]

    def newest(
        self, stream_ids: Sequence[UUID], known: Mapping[UUID, int] = NOTHING_KNOWN
    ) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each stream, or 0.

        A version of the stream that is `known` saves reading what is older.
        """
        since = {stream_id: known.get(stream_id, 0) for stream_id in stream_ids}
        with translate_connection_errors():
            return {**since, **self.recorder.newest(since)} if since else {}
