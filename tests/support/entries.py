"""Stores single entries, as a command does."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from kontor_games.domain.stream import Entry
from kontor_games.service.store.database import Statement
from kontor_games.service.store.event_store import EventStore, NewEntry, Stored
from kontor_games.service.store.streams import CachedStream


def append(
    store: EventStore, stream_id: UUID, first: int, stored: Stored, statements: Sequence[Statement] = ()
) -> None:
    """Store an entry, or raise why it can't be stored."""
    [error] = store.append_all([NewEntry(stream_id, first, stored, statements)])
    if error is not None:
        raise error


def append_to(cached: CachedStream[Any], entry: Entry, state: Any) -> None:
    """Store an entry of a cached stream and publish it; `state` is the one after it."""
    new = cached.new_entry(entry, state, ())
    [error] = cached._store.append_all([new])
    if error is not None:
        raise error
    cached.publish(entry, state, new.stored.head, 0.0)
