"""The export of a stream: one file of lines in canonical JSON (docs/export.md, docs/export.schema.json).

The first line describes the file, then comes one line for each fact, and the last line closes the file. The
export of a match that is over can be checked completely. That of a running match contains what its viewer may
know, and commitments to the rest. That of a tournament contains those of its matches before the last line.
"""

from collections.abc import Sequence
from typing import Any

from kontor_games.domain.chain import COMMAND, Link
from kontor_games.domain.codec import ARBITER, Plain, canonical, text_of
from kontor_games.domain.match_audit import Draw
from kontor_games.domain.stream import HOUSE, Decider, Entry

SIGNED_EVERY = 32
"""Number of commands per receipt in the export of a match. A signature covers everything before it, and
checking one costs as much as replaying dozens of moves."""


def export_header(
    decider: Decider[Any], stream_id: str, stream: Any, viewer: int, keys: Sequence[Plain], at: int
) -> Plain:
    """The first line: the stream, the viewer it was written for, and the keys that signed."""
    return {
        "format": decider.format,
        decider.id_field: stream_id,
        "complete": decider.is_revealed(stream),
        "exported_at": at,
        "keys": list(keys),
        **decider.header(stream, viewer),
    }


def export_line(
    decider: Decider[Any],
    linked: Link,
    stream: Any,
    viewer: int,
    draws: Sequence[Draw] = (),
    receipt: tuple[str, str] | None = None,
) -> bytes:
    """The line of one fact: its record and hash, and the hidden fields that the viewer may see."""
    fact, command, salts = (
        _opened(decider, linked, stream, viewer) if linked.hides else (linked.public, linked.command, "")
    )
    drawn = f'"draws":{text_of([draw.plain() for draw in draws])},' if draws else ""
    hashed, signature = f'"hash":"{linked.hash}",', ""
    if receipt:
        hashed, signature = f'{hashed}"key":"{receipt[0]}",', f'"signature":"{receipt[1]}",'
    return linked.write(fact, command, draws=drawn, hashed=hashed, salts=salts, signature=signature)


def _opened(decider: Decider[Any], linked: Link, stream: Any, viewer: int) -> tuple[str, str, str]:
    """The fact, the command and the salts on a line on which something is hidden."""
    shown = decider.redacted(stream, linked.fact, viewer)
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


def export_footer(decider: Decider[Any], stream: Any, head: str, file_hash: str) -> dict[str, Plain]:
    """The last line before it is signed: version and outcome of the stream, and the hash of the file."""
    known = {"version": stream.version, "head": head, "at": stream.at, "file": file_hash}
    return known | decider.outcome(stream)


def footer_text(decider: Decider[Any], footer: Plain) -> bytes:
    """The signed text of a last line, whose signature is valid for nothing else."""
    return f"{decider.format}\n".encode() + canonical(footer)
