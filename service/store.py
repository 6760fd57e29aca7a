"""The event store: every accepted command of a match is one stored event, its facts plain JSON inside.

Stored under (match, version of the first fact): two commands decided on the same version can't both be stored. The stored name
is `match.<command>`, whatever our modules are called. Built on eventsourcing's Application with a mapper of our own, since
its default costs six times as much per fact, and with a PostgreSQL recorder that stores a move in one round trip and without
the table lock that serialises all matches: nobody here tails the global order, each match is followed by its own versions.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import InterfaceError, Mapper, OperationalError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor
from eventsourcing.utils import get_topic, retry
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

from domain.codec import Plain
from service.database import Statement, run, when_away


class Stored(msgspec.Struct, frozen=True, omit_defaults=True):
    """The documented JSON form of one entry (docs/facts.md)."""

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
    """A stored entry with its place: which match, and the version of its first fact."""

    originator_id: UUID
    originator_version: int
    stored: Stored


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Stored)


class EntryMapper(Mapper[UUID]):
    """Entries to stored events and back, under names that do not depend on module paths."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        """The row of an entry."""
        stored = cast(StoredEntry, domain_event).stored
        return StoredEvent(
            originator_id=domain_event.originator_id,
            originator_version=domain_event.originator_version,
            topic=f"match.{stored.command['type']}",
            state=_ENCODER.encode(stored),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        """The entry of a row."""
        return StoredEntry(
            originator_id=cast(UUID, stored_event.originator_id),
            originator_version=stored_event.originator_version,
            stored=_DECODER.decode(stored_event.state),
        )


class SQLiteEntryRecorder(SQLiteApplicationRecorder):
    """The stock recorder, with rows of other tables in the same transaction."""

    def _insert_events(
        self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], *, also: Sequence[Statement] = (), **kwargs: Any
    ) -> Sequence[int] | None:
        ids = super()._insert_events(c, stored_events, **kwargs)
        for statement in also:
            run(c, statement, postgres=False)
        return ids


class PostgresEntryRecorder(PostgresApplicationRecorder):
    """Stores an entry in one round trip: a single INSERT is a transaction of its own."""

    @cached_property
    def _insert(self) -> Any:
        return SQL("INSERT INTO {}.{} (originator_id, originator_version, topic, state) VALUES (%s, %s, %s, %s)").format(
            Identifier(self.datastore.schema), Identifier(self.events_table_name)
        )

    @retry((InterfaceError, OperationalError), max_attempts=10, wait=0.2)
    def insert_events(self, stored_events: Sequence[StoredEvent], *, also: Sequence[Statement] = (), **_: Any) -> Sequence[int] | None:
        """Entries, and rows of other tables in the same transaction. A retry after a lost answer may find its own entry stored."""
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in stored_events]
        with self.datastore.get_connection() as connection:
            if len(rows) == 1 and not also:
                connection.execute(self._insert, rows[0], prepare=True)
                return None
            with connection.transaction(), connection.cursor() as cursor:
                for row in rows:
                    cursor.execute(self._insert, row, prepare=True)
                for statement in also:
                    run(cursor, statement, postgres=True)
        return None


def environment(database_url: str, pool_size: int) -> dict[str, str]:
    """What eventsourcing wants to know, from our one setting."""
    shared = {"MAPPER_TOPIC": get_topic(EntryMapper)}
    if database_url.startswith("sqlite:///"):
        path = database_url.removeprefix("sqlite:///")
        return {
            **shared,
            "PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "SQLITE_DBNAME": path,
            "SQLITE_LOCK_TIMEOUT": "10",
            "APPLICATION_RECORDER_TOPIC": get_topic(SQLiteEntryRecorder),
        }
    if urlsplit(database_url).scheme not in ("postgresql", "postgres"):
        raise ValueError("KONTOR_DATABASE_URL must begin with sqlite:/// or postgresql://")
    parts = conninfo_to_dict(database_url)
    return {
        **shared,
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(parts.get("dbname", "kontor")),
        "POSTGRES_HOST": str(parts.get("host", "127.0.0.1")),
        "POSTGRES_PORT": str(parts.get("port", 5432)),
        "POSTGRES_USER": str(parts.get("user", "kontor")),
        "POSTGRES_PASSWORD": str(parts.get("password", "")),
        "POSTGRES_POOL_SIZE": str(pool_size),
        "POSTGRES_MAX_OVERFLOW": str(pool_size),
        "POSTGRES_CONNECT_TIMEOUT": "10",
        "APPLICATION_RECORDER_TOPIC": get_topic(PostgresEntryRecorder),
    }


class Store(Application[UUID]):
    """All matches' entries, in the tables `kontor_events`."""

    name = "kontor"

    def append(self, match_id: UUID, first: int, stored: Stored, also: Sequence[Statement] = ()) -> None:
        """Stores one entry, durable when this returns; IntegrityError where another holds its place."""
        with when_away():
            self.events.put([StoredEntry(match_id, first, stored)], also=also)

    def entries(self, match_id: UUID, *, after: int = 0) -> Sequence[StoredEntry]:
        """A match's entries whose facts come after a version."""
        with when_away():
            rows = self.recorder.select_events(match_id, gt=after or None)
        return [self.mapper.to_domain_event(row) for row in rows]  # type: ignore[misc]  # our mapper makes nothing else
