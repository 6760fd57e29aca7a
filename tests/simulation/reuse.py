"""Caches the results of pure functions of stored rows, for all simulated processes.

Each process reads every row itself, as real ones do. But decoding a row and hashing its facts always give the
same result, and took a third of the time of a run. The cache is keyed by the bytes of a row, so an altered
row is still detected.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kontor_games.domain.chain import head_of_stored
from kontor_games.domain.codec import Codec, Plain
from kontor_games.domain.stream import Command, Decider, Entry
from kontor_games.service.store.entries import read_entry
from kontor_games.service.store.event_store import _DECODER, Stored, StoredEntry


class Rows:
    """Results by row of a simulated database. They keep a reference to the row, so no `id` is reused."""

    def __init__(self) -> None:
        self._stored: dict[bytes, Stored] = {}
        self._entries: dict[tuple[int, int, int], tuple[Stored, object, Entry]] = {}
        self._heads: dict[tuple[Any, ...], tuple[object, str]] = {}

    def decode(self, state: bytes) -> Stored:
        """Decode the stored bytes of an entry."""
        found = self._stored.get(state)
        if found is None:
            found = self._stored[state] = _DECODER.decode(state)
        return found

    def read_entry(
        self,
        decider: Decider[Any],
        row: StoredEntry,
        match: Any,
        read_command: Callable[[Codec, Plain], Command] = Codec.decode,
    ) -> Entry:
        """Like `read_entry` of the match cache."""
        rules = decider.fact_codec(match) if match.version else None
        key = (id(row.stored), row.originator_version, id(rules))
        found = self._entries.get(key)
        if found is None:
            found = self._entries[key] = row.stored, rules, read_entry(decider, row, match, read_command)
        return found[2]

    def head_of_stored(
        self,
        decider: Decider[Any],
        stream_id: str,
        stream: Any,
        entry: Entry,
        stored: Sequence[Mapping[str, Plain]],
        command: Plain,
        before: str,
    ) -> str:
        """Like `head_of_stored` of the hash chain."""
        salts, facts = decider.salts(stream_id, stream), decider.fact_codec(stream)
        given = (facts, entry, stored, command)
        key = (stream_id, salts, before, *map(id, given))
        found = self._heads.get(key)
        if found is None:
            head = head_of_stored(decider, stream_id, stream, entry, stored, command, before)
            found = self._heads[key] = given, head
        return found[1]
