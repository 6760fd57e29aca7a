"""Writes the signed exports of streams; those of matches have signed receipts inside."""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.chain import GENESIS, links_of
from kontor_games.domain.codec import SPECTATOR, Plain, canonical
from kontor_games.domain.export import export_footer, export_header, export_line, footer_text, is_signed_at
from kontor_games.domain.match import Match
from kontor_games.domain.match_audit import Draw, MatchAuditor
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.stream import Decider, Entry, Stream
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import NotFoundError, RecordDamagedError
from kontor_games.service.matches.queries import Queries
from kontor_games.service.matches.use_cases import match_uuid
from kontor_games.service.people.tokens import Caller
from kontor_games.service.slices import in_slices
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.trust.signing import Signer

S = TypeVar("S", bound=Stream)


class Exports:
    """Exports matches as files that `kontor verify` checks."""

    def __init__(self, cache: MatchCache, queries: Queries, signer: Signer, clock: Callable[[], int]) -> None:
        self._cache = cache
        self._queries = queries
        self._signer = signer
        self._clock = clock

    def export(self, caller: Caller | None, match_id: str) -> bytes:
        """Return the export of a match as the caller may see it."""
        visible = self._queries.visible_match(caller, match_id)
        known = self._cache.get(match_uuid(match_id)).entries_until(visible.match.version)
        if not known:
            raise NotFoundError("There is no such match.")
        return write_export(match_id, visible.match, known, visible.viewer, self._signer, self._clock())

    def records(self, caller: Caller | None, match_id: str, after: int, last: int) -> list[Plain]:
        """Return the records of the facts after a version, up to another, as the caller may see them."""
        visible = self._queries.visible_match(caller, match_id)
        cached = self._cache.get(match_uuid(match_id))
        first = bisect_right(cached.entries, after, key=lambda entry: entry.last)
        entries = [entry for entry in cached.entries[first:] if entry.first <= last]
        before = cached.heads[first - 1] if first else GENESIS
        found = _records(match_id, visible.match, entries, visible.viewer, before)
        return [record for version, record in found if after < version <= last]


def _records(
    match_id: str, match: Match, entries: Sequence[Entry], viewer: int, before: str
) -> Iterator[tuple[int, Plain]]:
    """Yield version and record of the facts of consecutive entries, as a viewer may see them."""
    for entry in entries:
        linked = links_of(MATCHES, match_id, match, entry, before)
        before = linked[-1].hash
        for version, one in enumerate(linked, entry.first):
            yield version, json.loads(export_line(MATCHES, one, match, match.fact_viewer(viewer)))


def write_export(
    match_id: str, match: Match, entries: Sequence[Entry], viewer: int, signer: Signer, at: int
) -> bytes:
    """Return the export of a match after these entries, as a viewer may see it."""
    draws = _draws_of(match_id, match, entries)
    return write_file(
        MATCHES, match_id, match, entries, signer, at, viewer=viewer, draws=draws, receipts=True
    )


def write_file(
    decider: Decider[S],
    stream_id: str,
    stream: S,
    entries: Sequence[Entry],
    signer: Signer,
    at: int,
    *,
    viewer: int = SPECTATOR,
    draws: Sequence[Sequence[Draw]] | None = None,
    receipts: bool = False,
    inner: bytes = b"",
) -> bytes:
    """Return the export of a stream after these entries, with `inner` lines before the last one."""
    keys = [key.plain() for key in signer.public_keys()]
    lines = [canonical(export_header(decider, stream_id, stream, viewer, keys, at))]
    head, fact_viewer = GENESIS, decider.fact_viewer(stream, viewer)
    for number, entry in enumerate(in_slices(entries), 1):
        linked = links_of(decider, stream_id, stream, entry, head)
        head, receipt = linked[-1].hash, None
        if receipts and is_signed_at(number, last=number == len(entries)):
            receipt = signer.sign(decider.receipt_text(stream_id, entry.last, head, entry.at), entry.at)
        for one in linked:
            drawn = draws[number - 1] if draws and one is linked[0] else ()
            signed = receipt if one is linked[-1] else None
            lines.append(export_line(decider, one, stream, fact_viewer, drawn, signed))
    body = b"".join([line + b"\n" for line in lines]) + inner
    footer = export_footer(decider, stream, head, hashlib.sha256(body).hexdigest())
    key, signature = signer.sign(footer_text(decider, footer), stream.at)
    return body + canonical({**footer, "key": key, "signature": signature}) + b"\n"


def _draws_of(match_id: str, match: Match, entries: Sequence[Entry]) -> list[Sequence[Draw]]:
    """Return the random draws of each command by replaying the match; none if something is still hidden."""
    if not match.revealed:
        return [()] * len(entries)
    # House bots are recomputed by the readers of the file.
    auditor = MatchAuditor(match_id, is_signed, recompute_bots=False)
    try:
        return [_draws_of_entry(auditor, entry) for entry in in_slices(entries)]
    except BrokenRecordError as broken:
        raise RecordDamagedError(broken.version, broken.detail) from broken  # it must not be signed


def _draws_of_entry(auditor: MatchAuditor, entry: Entry) -> list[Draw]:
    auditor.take(entry)
    return auditor.match.collect_draws()
