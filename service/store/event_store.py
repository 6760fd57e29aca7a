"""The event store: every accepted command of a match is one stored event, its facts plain JSON inside.

Stored under (match, version of the first fact): two commands decided on the same version can't both be stored. The stored name
is `match.<command>`, whatever our modules are called. Built on eventsourcing's Application with a mapper of our own, since
its default costs six times as much per fact.
"""

from collections.abc import Sequence
from typing import cast
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, StoredEvent
from eventsourcing.utils import Environment, EnvType, get_topic

from kontor_games.domain.codec import Plain
from kontor_games.service.store.database import Statement, when_away
from kontor_games.service.store.recorders import EntryFactory, PostgresEntryRecorder, SQLiteEntryRecorder


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


def environment(database_url: str, pool_size: int) -> dict[str, str]:
    """What eventsourcing wants to know, from our one setting."""
    shared = {"MAPPER_TOPIC": get_topic(EntryMapper), "CREATE_TABLE": "n"}
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
    return {
        **shared,
        "PERSISTENCE_MODULE": get_topic(EntryFactory),
        "STORE_URL": database_url,
        "STORE_POOL": str(pool_size),
        "APPLICATION_RECORDER_TOPIC": get_topic(PostgresEntryRecorder),
    }


class EventStore(Application[UUID]):
    """All matches' entries, in the table `kontor_events`."""

    name = "kontor"
    recorder: SQLiteEntryRecorder | PostgresEntryRecorder

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """What it was told, and nothing that happens to stand in the environment of the process."""
        return Environment(name, env)

    def append(self, match_id: UUID, first: int, stored: Stored, also: Sequence[Statement] = ()) -> None:
        """Stores one entry, durable when this returns; IntegrityError where another holds its place."""
        with when_away():
            self.events.put([StoredEntry(match_id, first, stored)], also=also)

    def entries(self, match_id: UUID, *, after: int = 0) -> Sequence[StoredEntry]:
        """A match's entries whose facts come after a version."""
        with when_away():
            rows = self.recorder.entries_after(match_id, after)
        return [self.mapper.to_domain_event(row) for row in rows]  # type: ignore[misc]  # our mapper makes nothing else

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """For each match the version of the first fact of its newest entry, 0 where there is none: whether anything is new."""
        with when_away():
            return self.recorder.newest(match_ids) if match_ids else {}
