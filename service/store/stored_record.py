"""Reads the stored record of a match for an audit, row by row, and reports damaged rows."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import cache, lru_cache, partial
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.persistence import StoredEvent

from kontor_games.domain.anomalies import anomaly
from kontor_games.domain.audit import BrokenRecordError, read_command, read_stored_command
from kontor_games.domain.chain import GENESIS, Sealed, any_sealed, link, seal_facts
from kontor_games.domain.codec import Codec, MalformedError, text_of
from kontor_games.domain.game import Fact, Rules
from kontor_games.domain.match_audit import Draw, MatchAuditor
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.stream import Command, Decider, Entry
from kontor_games.service.store.database import translate_connection_errors
from kontor_games.service.store.entries import UNREADABLE, S, read_entry
from kontor_games.service.store.event_store import EventStore


@contextmanager
def _reading(version: int) -> Iterator[None]:
    """Raise BrokenRecordError for the version if the data can't be decoded."""
    try:
        yield
    except UNREADABLE as error:
        raise _unreadable(version, error) from error


def _unreadable(version: int, error: Exception) -> BrokenRecordError:
    return BrokenRecordError(version, anomaly("unreadable", detail=f"{type(error).__name__}: {error}"))


def _rows(store: EventStore, match_id: UUID) -> Sequence[StoredEvent]:
    with translate_connection_errors():
        return store.recorder.entries_after(match_id, 0)


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
_MAX_CACHED = 4096
"""Number of commands and of lists of facts that are cached: about 3 MB of each."""


@lru_cache(maxsize=_MAX_CACHED)
def _read_command(raw: bytes, codec: Codec) -> tuple[Command, str] | None:
    """Read a stored command; None if it is malformed. Cached, because the same few commands recur."""
    data = _PLAIN.decode(raw)
    try:
        command, text = read_command(data, codec)
    except MalformedError:
        return None
    return (command, text) if text == text_of(data) else None


class _Row:
    """A row of a record, and the results of the steps of a replay."""

    __slots__ = ("command_text", "draws", "entry", "hashes", "recorded", "row", "stored", "written")

    stored: _StoredRow
    recorded: Entry
    """The command with its author and time; the rest is computed."""
    command_text: str
    entry: Entry
    """The outcome of the command."""
    draws: list[Draw]
    written: bytes
    """The facts of the entry as they are stored."""
    hashes: list[str]

    def __init__(self, row: StoredEvent) -> None:
        self.row = row


def replay_record(
    store: EventStore, match_id: UUID, auditor: MatchAuditor
) -> Iterator[tuple[list[str], list[Draw]]]:
    """Execute every stored command again and compare the outcome with the stored facts.

    Yields the hashes of the facts and the draws of each command. Each step is taken for all rows before the
    next step, which is measurably faster; still, the error that is raised is that of the earliest broken row.
    """
    stored = _rows(store, match_id)
    if not stored:
        return
    entry, head = _read(store, MATCHES, stored[0], auditor.match)
    hashes = auditor.take(entry)
    _require_head(hashes, head, entry)
    yield hashes, auditor.match.collect_draws()
    rows, broken = [_Row(row) for row in stored[1:]], None
    for step in (_read_command_of, _execute_again, partial(_compare, store), _bind):
        broken = _for_each(rows, step, auditor) or broken
    for row in rows:
        yield row.hashes, row.draws
    if broken is not None:
        raise broken


def _for_each(
    rows: list[_Row], step: Callable[[_Row, MatchAuditor], None], auditor: MatchAuditor
) -> BrokenRecordError | None:
    """Take a step for each row; return the error of the first broken one, and drop the rows from there on."""
    for index, row in enumerate(rows):
        try:
            step(row, auditor)
        except BrokenRecordError as error:
            del rows[index:]
            return error
    return None


def _read_command_of(row: _Row, auditor: MatchAuditor) -> None:
    first, codec = row.row.originator_version, auditor.command_codec
    try:  # a context manager for each row would be measurably slower
        row.stored = stored = _ROW.decode(row.row.state)
        known = _read_command(bytes(stored.command), codec)
        if known is None:  # read it again, which raises an error that says what is wrong
            read_stored_command(first, codec, _PLAIN.decode(stored.command))
    except UNREADABLE as error:
        raise _unreadable(first, error) from error
    command, row.command_text = known  # type: ignore[misc]  # it is not None here
    row.recorded = Entry(first, stored.at, stored.by, None, command, "", "", ())


def _execute_again(row: _Row, auditor: MatchAuditor) -> None:
    auditor.require_next(row.recorded.first)
    row.entry = auditor.execute_again(row.recorded)
    row.draws = auditor.match.collect_draws()


def _compare(store: EventStore, row: _Row, auditor: MatchAuditor) -> None:
    entry, stored = row.entry, row.stored
    row.written = written_facts(entry.facts)
    if bytes(stored.facts) != row.written or stored.seat != entry.seat:
        auditor.compare(_read(store, MATCHES, row.row, auditor.match)[0], entry)


def _bind(row: _Row, auditor: MatchAuditor) -> None:
    row.hashes = auditor.bind_hashes(row.entry, row.command_text, _seal(row, auditor))
    _require_head(row.hashes, row.stored.head, row.entry)


def _seal(row: _Row, auditor: MatchAuditor) -> Sequence[Sealed]:
    """Seal the facts of a row. If none is hidden, they are cached: three of four rows repeat other rows.

    The key of the cache is what the audit computed, never what is stored.
    """
    rules = auditor.match.rules
    known = _known_facts(rules)
    facts = known.get(row.written)
    if facts is None:
        facts = seal_facts(MATCHES, auditor.id, auditor.match, row.entry)
        if len(known) == _MAX_CACHED:
            known.clear()
        if not any_sealed(facts):
            known[row.written] = facts
    return facts


@cache
def _known_facts(rules: Rules[Any]) -> dict[bytes, Sequence[Sealed]]:
    """The cache of sealed facts for one ruleset; the keys are facts as they are stored."""
    return {}


def _require_head(hashes: Sequence[str], head: str, entry: Entry) -> None:
    if hashes[-1] != head:
        raise BrokenRecordError(entry.last, anomaly("stored_hash"))


@cache
def _fact_prefix(cls: type[Fact]) -> bytes:
    """The beginning of a stored fact, before its own fields."""
    heading = _ENCODER.encode({"type": cls.type} | ({"revision": cls.revision} if cls.revision > 1 else {}))
    # Every fact is a dataclass.
    return heading[:-1] + (b"," if fields(cls) else b"")  # type: ignore[arg-type]


def written_facts(facts: Sequence[Fact]) -> bytes:
    """Facts as they are stored, except for fields that are left out where they hold their default.

    Stored facts that differ from it are decoded and compared one by one.
    """
    encode = _ENCODER.encode
    return (
        b"["
        # A class can be hashed.
        + b",".join([_fact_prefix(type(fact)) + encode(fact)[1:] for fact in facts])  # type: ignore[arg-type]
        + b"]"
    )


def _read(store: EventStore, decider: Decider[S], row: StoredEvent, state: S) -> tuple[Entry, str]:
    """Decode a row; `state` is the one before it, or any later one."""
    with _reading(row.originator_version):
        [stored] = store.decoded([row])
        entry = read_entry(decider, stored, state, partial(read_stored_command, row.originator_version))
    return entry, stored.stored.head


def chain_of(store: EventStore, decider: Decider[Any], stream_id: UUID) -> list[str]:
    """Compute the hashes of all stored facts of a stream, without checking the facts against its rules."""
    state, hashes = decider.empty(), list[str]()
    for row in _rows(store, stream_id):
        entry, _ = _read(store, decider, row, state)
        if entry.first != len(hashes) + 1:
            raise BrokenRecordError(entry.first, anomaly("missing_facts", expected=len(hashes) + 1))
        with _reading(entry.first):
            if not hashes:
                state.fold_fact(entry.facts[0])
            hashes += link(decider, str(stream_id), state, entry, hashes[-1] if hashes else GENESIS)
    return hashes
