"""The export of a match: one self-contained file of lines in canonical JSON (docs/export.md, schema in docs/export.schema.json).

The first line says what it is, then comes one line for each fact, and the last line closes the file. Whoever has the file of a
match that is over can check everything; of a running match it holds what its reader may know, and commitments to the rest.
"""

import hashlib
from collections.abc import Iterator, Sequence

from domain.audit import Draw
from domain.chain import GENESIS, hash_of, record_of, salt_of, seal
from domain.codec import ARBITER, Plain, canonical
from domain.entry import Entry, fact_codec
from domain.match import Match

FORMAT = "kontor.export.1"
FOOTER_PREFIX = b"kontor.export.1\n"
"""What a signature over a closing line begins with, so that it can stand for nothing else."""


def export_header(match_id: str, match: Match, viewer: int, keys: Sequence[Plain], at: int) -> Plain:
    """The first line: which match, under which rules, for whose eyes, and the keys that signed."""
    created = match.created
    return {
        "format": FORMAT,
        "match": match_id,
        "ruleset": {"game": created.game, "version": created.rules_version, "data": created.data, "data_hash": created.data_hash},
        "complete": match.over,
        "viewer": None if match.over or viewer < 0 else viewer,
        "exported_at": at,
        "keys": list(keys),
    }


def export_facts(match_id: str, match: Match, entries: Sequence[Entry], viewer: int) -> Iterator[list[Plain]]:
    """The lines of the facts, entry by entry; `match` is the one after all of them."""
    codec, secret, before = fact_codec(match.rules), match.created.server_secret, GENESIS
    eyes = match.eyes(viewer)
    for entry in entries:
        lines = []
        for version, happened in enumerate(entry.facts, entry.first):
            public, sealed = seal(codec, happened, version, secret)
            record = record_of(match_id, version, entry, public, sealed, before)
            before = hash_of(record)
            shown = codec.show(happened, eyes)
            shown.pop("hidden", None)
            opened = {name: salt_of(secret, version, name).hex() for name in sealed if name in shown and eyes != ARBITER}
            lines.append({**record, "fact": shown, "hash": before, **({"salts": opened} if opened else {})})
        yield lines


def with_draws(line: Plain, draws: Sequence[Draw]) -> Plain:
    """The first line of an entry, with the draws its command made: published once the match is over."""
    return {**line, "draws": [draw.plain() for draw in draws]} if draws else line


def export_footer(match: Match, head: str, lines: Sequence[bytes]) -> Plain:
    """What the last line says before it is signed: where the match stood, its result, and the hash of all lines before."""
    outcome = match.outcome
    return {
        "end": match.status,
        "version": match.version,
        "head": head,
        "at": match.at,
        "result": {"places": list(outcome.places), "scores": outcome.scores, "reason": outcome.reason} if outcome else None,
        "file": hashlib.sha256(b"".join(lines)).hexdigest(),
    }


def write_line(data: Plain) -> bytes:
    """A line of the file."""
    return canonical(data) + b"\n"
