"""The export of a match: one file of lines in canonical JSON (docs/export.md, docs/export.schema.json).

The first line describes the file, then comes one line for each fact, and the last line closes the file. The
export of a match that is over can be checked completely. That of a running match contains what its viewer may
know, and commitments to the rest.
"""

from collections.abc import Sequence

from kontor_games.domain.audit import Draw
from kontor_games.domain.chain import COMMAND, Link
from kontor_games.domain.codec import ARBITER, Plain, text_of
from kontor_games.domain.commands import Entry
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import HOUSE, fact_codec

FORMAT = "kontor.export.1"
FOOTER_PREFIX = b"kontor.export.1\n"
"""The signed text of a last line begins with this, so that its signature is valid for nothing else."""
SIGNED_EVERY = 32
"""Number of commands per signature. A signature covers everything before it, and checking one costs as much
as replaying dozens of moves."""


def export_header(match_id: str, match: Match, viewer: int, keys: Sequence[Plain], at: int) -> Plain:
    """The first line: the match, its rules, the viewer it was written for, and the keys that signed."""
    return {
        "format": FORMAT,
        "match": match_id,
        "ruleset": ruleset_of(match),
        "complete": match.revealed,
        "viewer": None if match.revealed or viewer < 0 else viewer,
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
    """The line of one fact: its record and hash, and the hidden fields that the viewer may see."""
    fact, command, salts = (
        _opened(linked, match, viewer) if linked.hides else (linked.public, linked.command, "")
    )
    drawn = f'"draws":{text_of([draw.plain() for draw in draws])},' if draws else ""
    hashed, signature = f'"hash":"{linked.hash}",', ""
    if receipt:
        hashed, signature = f'{hashed}"key":"{receipt[0]}",', f'"signature":"{receipt[1]}",'
    return linked.write(fact, command, draws=drawn, hashed=hashed, salts=salts, signature=signature)


def _opened(linked: Link, match: Match, viewer: int) -> tuple[str, str, str]:
    """The fact, the command and the salts on a line on which something is hidden."""
    shown = fact_codec(match.rules).redacted(linked.fact, viewer)
    shown.pop("hidden", None)
    command, fields = linked.command, [name for name in linked.sealed if name in shown]
    if linked.hides_command and _may_see_command(linked.entry, viewer):
        command = f'"command":{linked.command_text},'
        fields.append(COMMAND)
    shows = fields if viewer != ARBITER else []
    salts = {name: linked.salts.of(linked.version, name).hex() for name in shows}
    return text_of(shown), command, f'"salts":{text_of(salts)},' if salts else ""


def _may_see_command(entry: Entry, viewer: int) -> bool:
    """Whether the viewer gave the command, or may see everything."""
    return viewer == ARBITER or (viewer == entry.seat and entry.by != HOUSE)


def is_signed_at(number: int, *, last: bool) -> bool:
    """Whether the command with this number, counted from 1, ends with a receipt."""
    return last or number % SIGNED_EVERY == 0


def export_footer(match: Match, head: str, file_hash: str) -> Plain:
    """The last line before it is signed: status, version and result of the match, and the file's hash."""
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
