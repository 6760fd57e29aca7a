"""Reads the stored record of a match for an audit, row by row, and reports what is damaged."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.persistence import StoredEvent

from kontor_games.domain.audit import (
    Auditor,
    BrokenRecordError,
    Draw,
    RecordedCommand,
    read_command,
    read_stored_command,
)
from kontor_games.domain.chain import GENESIS, link
from kontor_games.domain.codec import Codec, MalformedError, text_of
from kontor_games.domain.commands import Command, Entry
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import fact_codec
from kontor_games.service.store.database import translate_connection_errors
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.store.match_cache import UNREADABLE, read_entry


@contextmanager
def _reading(version: int) -> Iterator[None]:
    """Raise BrokenRecordError for the version if the data can't be decoded."""
    try:
        yield
    except UNREADABLE as error:
        raise _unreadable(version, error) from error


def _unreadable(version: int, error: Exception) -> BrokenRecordError:
    return BrokenRecordError(version, f"what is stored can't be read ({type(error).__name__}: {error})")


def read_record(store: EventStore, match_id: UUID, match: Callable[[], Match]) -> Iterator[tuple[Entry, str]]:
    """Yield the entries of a match with their stored heads; `match` returns the match before each entry."""
    with translate_connection_errors():
        rows = store.recorder.entries_after(match_id, 0)
    for row in rows:
        yield _read(store, row, match())


class _StoredRow(msgspec.Struct, frozen=True):
    """A stored entry whose command and facts are not decoded."""

    at: int
    by: str
    command: msgspec.Raw
    facts: msgspec.Raw
    head: str
    seat: int | None = None


_ROW = msgspec.json.Decoder(_StoredRow)
_PLAIN = msgspec.json.Decoder(dict[str, Any])
_ENCODER = msgspec.json.Encoder()


@lru_cache(maxsize=20_000)
def _read_command(raw: bytes, codec: Codec) -> tuple[Command, str] | None:
    """Read a stored command; None if it is malformed. Cached, because the same few commands occur again and again."""
    data = _PLAIN.decode(raw)
    try:
        command, text = read_command(data, codec)
    except MalformedError:
        return None
    return (command, text) if text == text_of(data) else None


def replay_record(
    store: EventStore, match_id: UUID, auditor: Auditor
) -> Iterator[tuple[list[str], list[Draw]]]:
    """Carry out every stored command again and compare what comes of it with what is stored.

    Yields the hashes of the facts and the draws of each command. Facts are compared as stored
    bytes; they are decoded only to say what is wrong.
    """
    with translate_connection_errors():
        rows = store.recorder.entries_after(match_id, 0)
    for row in rows:
        first = row.originator_version
        if not auditor.match.version:
            linked, draws, head = _replay_first(store, row, auditor)
        else:
            linked, draws, head = _replay(store, row, auditor)
        if linked[-1] != head:
            raise BrokenRecordError(first + len(linked) - 1, "the stored hash is not that of the record")
        yield linked, draws


_Replayed = tuple[list[str], list[Draw], str]


def _replay_first(store: EventStore, row: StoredEvent, auditor: Auditor) -> _Replayed:
    entry, head = _read(store, row, auditor.match)
    return *auditor.take(entry), head


def _replay(store: EventStore, row: StoredEvent, auditor: Auditor) -> _Replayed:
    first = row.originator_version
    try:  # a context manager for each row would show in the profile
        stored = _ROW.decode(row.state)
        known = _read_command(bytes(stored.command), auditor.command_codec)
        if known is None:  # read it again to say what is wrong
            read_stored_command(first, auditor.command_codec, _PLAIN.decode(stored.command))
    except UNREADABLE as error:
        raise _unreadable(first, error) from error
    auditor.require_next(first)
    command, text = known  # type: ignore[misc]  # else it was refused
    expected = auditor.redo(RecordedCommand(first, stored.at, stored.by, command, text))
    encode = fact_codec(auditor.match.rules).encode
    if stored.seat != expected.seat or bytes(stored.facts) != _ENCODER.encode(
        [encode(f) for f in expected.facts]
    ):
        entry, _ = _read(store, row, auditor.match)
        auditor.compare(entry, expected)
    return (
        [linked.hash for linked in auditor.bind(expected, text)],
        auditor.match.collect_draws(),
        stored.head,
    )


def _read(store: EventStore, row: StoredEvent, match: Match) -> tuple[Entry, str]:
    """Decode a row; `match` is the match before it, or after it if its rules are known."""
    with _reading(row.originator_version):
        stored = store.mapper.to_domain_event(row)
        entry = read_entry(stored, match, partial(read_stored_command, row.originator_version))  # type: ignore[arg-type]  # our mapper makes nothing else
    return entry, stored.stored.head  # type: ignore[attr-defined]


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
