"""The export of a match: one self-contained file of lines in canonical JSON (docs/export.md, schema in docs/export.schema.json).

The first line says what it is, then comes one line for each fact, and the last line closes the file. Whoever has the file of a
match that is over can check everything; of a running match it holds what its reader may know, and commitments to the rest.
"""

from collections.abc import Sequence

from kontor_games.domain.audit import Draw
from kontor_games.domain.chain import COMMAND, Link, salt_of
from kontor_games.domain.codec import ARBITER, Plain, text_of
from kontor_games.domain.commands import Entry
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import HOUSE, fact_codec

FORMAT = "kontor.export.1"
FOOTER_PREFIX = b"kontor.export.1\n"
"""What a signature over a closing line begins with, so that it can stand for nothing else."""
SIGNED_EVERY = 32
"""So many commands share a signature: each covers all before it, and checking one costs as much as playing dozens of moves again."""


def export_header(match_id: str, match: Match, viewer: int, keys: Sequence[Plain], at: int) -> Plain:
    """The first line: which match, under which rules, for whose eyes, and the keys that signed."""
    return {
        "format": FORMAT,
        "match": match_id,
        "ruleset": ruleset_of(match),
        "complete": match.over,
        "viewer": None if match.over or viewer < 0 else viewer,
        "exported_at": at,
        "keys": list(keys),
    }


def ruleset_of(match: Match) -> Plain:
    """The rules that a match has pinned."""
    created = match.created
    return {
        "game": created.game,
        "version": created.rules_version,
        "data": created.data,
        "data_hash": created.data_hash,
    }


def export_line(
    linked: Link,
    match: Match,
    viewer: int,
    draws: Sequence[Draw] = (),
    receipt: tuple[str, str] | None = None,
) -> bytes:
    """The line of one fact, without its end: its record and hash, with what these eyes may see of the hidden."""
    fact, command, salts = (
        _opened(linked, match, viewer) if linked.hides else (linked.public, linked.command, "")
    )
    drawn = f'"draws":{text_of([draw.plain() for draw in draws])},' if draws else ""
    hashed, signature = f'"hash":"{linked.hash}",', ""
    if receipt:
        hashed, signature = f'{hashed}"key":"{receipt[0]}",', f'"signature":"{receipt[1]}",'
    return linked.write(fact, command, draws=drawn, hashed=hashed, salts=salts, signature=signature)


def _opened(linked: Link, match: Match, viewer: int) -> tuple[str, str, str]:
    """Fact, command and salts of a line on which something is hidden."""
    shown = fact_codec(match.rules).redacted(linked.fact, viewer)
    shown.pop("hidden", None)
    command, fields = linked.command, [name for name in linked.sealed if name in shown]
    if linked.hides_command and _may_see_command(linked.entry, viewer):
        command = f'"command":{linked.command_text},'
        fields.append(COMMAND)
    secret = match.created.server_secret
    salts = (
        {name: salt_of(secret, linked.version, name).hex() for name in fields} if viewer != ARBITER else {}
    )
    return text_of(shown), command, f'"salts":{text_of(salts)},' if salts else ""


def _may_see_command(entry: Entry, viewer: int) -> bool:
    """One's own command, while the match runs."""
    return viewer == ARBITER or (viewer == entry.seat and entry.by != HOUSE)


def is_signed_at(number: int, *, last: bool) -> bool:
    """Whether the command with this number, counted from 1, ends with a receipt."""
    return last or number % SIGNED_EVERY == 0


def export_footer(match: Match, head: str, file_hash: str) -> Plain:
    """What the last line says before it is signed: where the match stood, its result, and the hash of all lines before."""
    outcome = match.outcome
    return {
        "end": match.status,
        "version": match.version,
        "head": head,
        "at": match.at,
        "result": {"places": list(outcome.places), "scores": outcome.scores, "reason": outcome.reason}
        if outcome
        else None,
        "file": file_hash,
    }
