"""Reads the stored record of a match for an audit, row by row, and reports what is damaged."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from uuid import UUID

from msgspec import MsgspecError

from kontor_games.domain.audit import BrokenRecordError, read_stored_command
from kontor_games.domain.chain import GENESIS, link
from kontor_games.domain.commands import Entry
from kontor_games.domain.match import Match
from kontor_games.service.store.database import translate_connection_errors
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.store.match_cache import read_entry


@contextmanager
def _reading(version: int) -> Iterator[None]:
    """Raise BrokenRecordError for the version if the data can't be decoded."""
    try:
        yield
    except (AttributeError, LookupError, MsgspecError, TypeError, ValueError) as error:
        raise BrokenRecordError(
            version, f"what is stored can't be read ({type(error).__name__}: {error})"
        ) from error


def read_record(store: EventStore, match_id: UUID, match: Callable[[], Match]) -> Iterator[tuple[Entry, str]]:
    """Yield the entries of a match with their stored heads; `match` returns the match before each entry."""
    with translate_connection_errors():
        rows = store.recorder.entries_after(match_id, 0)
    for row in rows:
        with _reading(row.originator_version):
            stored = store.mapper.to_domain_event(row)
            entry = read_entry(stored, match(), partial(read_stored_command, row.originator_version))  # type: ignore[arg-type]  # our mapper makes nothing else
        yield entry, stored.stored.head  # type: ignore[attr-defined]


def chain_of(store: EventStore, match_id: UUID) -> list[str]:
    """Compute the hashes of all stored facts of a match, without checking the facts against the rules."""
    match, hashes = Match(), list[str]()
    for entry, _ in read_record(store, match_id, lambda: match):
        if entry.first != len(hashes) + 1:
            raise BrokenRecordError(
                entry.first, f"facts are missing or doubled; version {len(hashes) + 1} should come here"
            )
        with _reading(entry.first):
            if not hashes:
                match.fold_fact(entry.facts[0])
            head = hashes[-1] if hashes else GENESIS
            hashes += link(str(match_id), match.rules, entry, match.created.server_secret, head)
    return hashes
