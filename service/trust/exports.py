"""Writes the signed export of a match, with signed receipts inside."""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from kontor_games.domain.audit import Auditor, BrokenRecordError, Draw
from kontor_games.domain.chain import GENESIS, links_of, salts_of
from kontor_games.domain.codec import Plain, canonical
from kontor_games.domain.commands import Entry
from kontor_games.domain.export import FOOTER_PREFIX, export_footer, export_header, export_line, is_signed_at
from kontor_games.domain.match import Match
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.errors import MatchDamagedError, NotFoundError
from kontor_games.service.matches.queries import Queries
from kontor_games.service.matches.use_cases import match_uuid
from kontor_games.service.people.tokens import Caller
from kontor_games.service.slices import in_slices
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.trust.signing import Signer


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
        entries = self._cache.get(match_uuid(match_id)).entries
        known = [entry for entry in entries if entry.last <= visible.match.version]
        if not known:
            raise NotFoundError("There is no such match.")
        return write_export(match_id, visible.match, known, visible.viewer, self._signer, self._clock())

    def records(self, caller: Caller | None, match_id: str, after: int, last: int) -> list[Plain]:
        """Return the records of the facts after a version, up to another, as the caller may see them."""
        visible = self._queries.visible_match(caller, match_id)
        log = self._cache.get(match_uuid(match_id))
        first = bisect_right(log.entries, after, key=lambda entry: entry.last)
        entries = [entry for entry in log.entries[first:] if entry.first <= last]
        before = log.heads[first - 1] if first else GENESIS
        found = _records(match_id, visible.match, entries, visible.viewer, before)
        return [record for version, record in found if after < version <= last]


def _records(
    match_id: str, match: Match, entries: Sequence[Entry], viewer: int, before: str
) -> Iterator[tuple[int, Plain]]:
    """Yield version and record of the facts of consecutive entries, as a viewer may see them."""
    for entry in entries:
        linked = links_of(match_id, match.rules, entry, salts_of(match_id, match.created), before)
        before = linked[-1].hash
        for version, one in enumerate(linked, entry.first):
            yield version, json.loads(export_line(one, match, match.fact_viewer(viewer)))


def write_export(
    match_id: str, match: Match, entries: Sequence[Entry], viewer: int, signer: Signer, at: int
) -> bytes:
    """Return the export of a match after these entries, as a viewer may see it."""
    keys = [key.plain() for key in signer.public_keys()]
    lines = [canonical(export_header(match_id, match, viewer, keys, at))]
    head, draws, fact_viewer = GENESIS, _draws_of(match_id, match, entries), match.fact_viewer(viewer)
    for number, (entry, drawn) in enumerate(in_slices(zip(entries, draws, strict=True)), 1):
        linked = links_of(match_id, match.rules, entry, salts_of(match_id, match.created), head)
        head = linked[-1].hash
        receipt = (
            signer.receipt(match_id, entry.last, head, entry.at)
            if is_signed_at(number, last=number == len(entries))
            else None
        )
        for one in linked:
            signed = (receipt.key, receipt.signature) if receipt and one is linked[-1] else None
            lines.append(export_line(one, match, fact_viewer, drawn if one is linked[0] else (), signed))
    footer = export_footer(match, head, hashlib.sha256(_file(lines)).hexdigest())
    key, signature = signer.sign(FOOTER_PREFIX + canonical(footer), match.at)
    return _file([*lines, canonical({**footer, "key": key, "signature": signature})])


def _draws_of(match_id: str, match: Match, entries: Sequence[Entry]) -> list[Sequence[Draw]]:
    """Return the random draws of each command by replaying the match; none if something is still hidden."""
    if not match.revealed:
        return [()] * len(entries)
    # House bots are recomputed by the readers of the file.
    auditor = Auditor(match_id, is_signed, recompute_bots=False)
    try:
        return [auditor.take(entry)[1] for entry in in_slices(entries)]
    except BrokenRecordError as broken:
        raise MatchDamagedError(broken.version, broken.detail) from broken  # it must not be signed


def _file(lines: Sequence[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])
