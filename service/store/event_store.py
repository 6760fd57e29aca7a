"""The event store: every accepted command of a match is one stored event that holds its facts as plain JSON.

The key is (match, version of the first fact), so two commands decided on the same version can't both be
stored. The stored topic is `match.<command>` and does not depend on module names. Built on eventsourcing's
Application with our own mapper, because the default mapper costs six times as much per fact.
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
from kontor_games.service.store.database import Statement, translate_connection_errors
from kontor_games.service.store.recorders import EntryFactory, PostgresEntryRecorder, SQLiteEntryRecorder


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
    """A stored entry with its key: the match, and the version of the first fact."""

    originator_id: UUID
    originator_version: int
    stored: Stored


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
            topic=f"match.{stored.command['type']}",
            state=_ENCODER.encode(stored),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        """Decode an entry."""
        return StoredEntry(
            originator_id=cast(UUID, stored_event.originator_id),
            originator_version=stored_event.originator_version,
            stored=_DECODER.decode(stored_event.state),
        )


def environment(database_url: str, pool_size: int) -> dict[str, str]:
    """Return the settings of eventsourcing for a database."""
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
    """The entries of all matches, in the table `kontor_events`."""

    name = "kontor"
    recorder: SQLiteEntryRecorder | PostgresEntryRecorder

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Use the given settings only, and not the environment variables of the process."""
        return Environment(name, env)

    def append(
        self, match_id: UUID, first: int, stored: Stored, statements: Sequence[Statement] = ()
    ) -> None:
        """Store an entry and statements in one transaction; raise IntegrityError if the key is taken."""
        with translate_connection_errors():
            self.events.put([StoredEntry(match_id, first, stored)], statements=statements)

    def entries(self, match_id: UUID, *, after: int = 0) -> Sequence[StoredEntry]:
        """Return the entries of a match with a first fact after a version."""
        with translate_connection_errors():
            rows = self.recorder.entries_after(match_id, after)
        return [self.mapper.to_domain_event(row) for row in rows]  # type: ignore[misc]  # by our mapper

    def newest(self, match_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the version of the first fact of the newest entry of each match, 0 if there is none."""
        with translate_connection_errors():
            return self.recorder.newest(match_ids) if match_ids else {}
