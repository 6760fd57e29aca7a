"""Readers and options for the files that log commands take: keys, checkpoints, proofs, witnesses."""

from collections.abc import Sequence
from pathlib import Path

import click

from kontor_games.domain.codec import Plain
from kontor_games.domain.signed_note import (
    COSIGNATURE,
    Note,
    NoteKey,
    TreeHead,
    UnreadableNoteError,
    read_key,
)
from kontor_games.domain.toolkit.sentences import join_words
from kontor_games.service.cli.arguments import file_option, number_option
from kontor_games.service.cli.terminal import explained, format_time
from kontor_games.service.trust.inclusion_check import LogEvidenceError, read_json, read_kept_note
from kontor_games.service.trust.log_client import LogClient
from kontor_games.service.trust.notes import Cosigner, PublicKey, UnreadableKeysError, read_keys

witnesses_option = file_option("--witnesses", help_text="Public keys of witnesses, one per line.")
require_witnesses_option = number_option(
    "--require-witnesses",
    "required",
    metavar="K",
    help_text="How many of the witnesses must have cosigned the checkpoint.",
)


def read_text_file(path: Path) -> str:
    """Return the text of a file."""
    try:
        return path.read_text(encoding="utf-8")
    except ValueError as error:
        raise click.ClickException(f"{path} is not text in UTF-8.") from error


def read_json_file(path: Path) -> Plain:
    """Return the JSON of a file."""
    with explained(f"{path} is not valid JSON", ValueError):
        return read_json(path.read_bytes())


def read_key_file(path: Path) -> list[PublicKey]:
    """Return keys as they are published: a list, or an object that contains one."""
    published = read_json_file(path)
    if isinstance(published, dict) and "keys" in published:
        published = published["keys"]
    with explained(f"{path} does not contain the keys of a service", UnreadableKeysError):
        return read_keys(published)


def read_note_file(path: Path) -> tuple[Note, TreeHead]:
    """Return the kept checkpoint in a file, with its tree."""
    with explained(str(path), LogEvidenceError):
        return read_kept_note(read_text_file(path))


def read_witness_file(path: Path) -> list[NoteKey]:
    """Return the public keys of witnesses, one per line; skip empty lines and lines that begin with #."""
    lines = [line.strip() for line in read_text_file(path).splitlines()]
    with explained(f"{path} does not contain keys of witnesses", UnreadableNoteError):
        return [read_key(line, COSIGNATURE) for line in lines if line and not line.startswith("#")]


def cosigner_phrase(found: Sequence[Cosigner], required: int, now_s: float) -> str:
    """Say who cosigned a checkpoint and when, and since when as many as required had cosigned it."""
    words = [f"{one.name} at {format_time(one.at_s * 1000)}" for one in found]
    if not found or not required:
        return f"cosigned by {join_words(words)}" if found else "not cosigned"
    quorum = sorted(one.at_s for one in found)[-required]
    return f"cosigned by {join_words(words)}: its quorum of {required} is {age_phrase(now_s - quorum)} old"


def age_phrase(seconds: float) -> str:
    """Return a length of time in its largest unit, such as 3 minutes."""
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length:,.0f} {unit}s"
    return f"{max(0, seconds):.0f} s"


def log_client(url: str, token: str | None = None) -> LogClient:
    """Return the client for the address of a service."""
    try:
        return LogClient(url, token)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
