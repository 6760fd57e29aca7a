"""`kontor checkpoint`: signed checkpoints over all matches and tournaments, and their verification."""

import time
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

import click

from kontor_games.domain.export_reader import BrokenFileError, read_line, split_export
from kontor_games.domain.log_leaves import HeadLeaf, TournamentLeaf
from kontor_games.domain.toolkit.sentences import count_phrase, join_words
from kontor_games.domain.tournaments.export import is_tournament, read_file
from kontor_games.service.cli.arguments import FILE, WholeNumber, file_option, number_option
from kontor_games.service.cli.command_groups import group
from kontor_games.service.cli.database_option import database_option, open_database
from kontor_games.service.cli.log_files import (
    cosigner_phrase,
    log_client,
    read_json_file,
    read_key_file,
    read_note_file,
    read_text_file,
    read_witness_file,
    require_witnesses_option,
    witnesses_option,
)
from kontor_games.service.cli.terminal import (
    console,
    counted,
    explained,
    format_time,
    progress_bar,
    simple_table,
)
from kontor_games.service.trust.checkpoint_check import (
    CheckpointMismatchError,
    KeptCheckpoint,
    UnreadableCheckpointError,
    check_facts,
    check_growth,
    check_keys,
    check_leaves,
    read_checkpoint,
    read_proof,
)
from kontor_games.service.trust.inclusion_check import (
    LogEvidenceError,
    read_kept_note,
    require_witnesses,
)
from kontor_games.service.trust.leaf_search import LeafReport, search_leaves
from kontor_games.service.trust.log_store import Checkpoint
from kontor_games.service.trust.notes import (
    PublicKey,
    UnreadableKeysError,
    UnsignedNoteError,
    cosigners,
    signer_of,
)
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import verify as verify_export
from kontor_games.service.trust.witness import trusted_keys

_MAX_SEARCHED = 10_000
"""How many checkpoints `fetch` searches for one with enough cosignatures: those of about a week."""


@group()
def checkpoint() -> None:
    """Create, list and verify signed checkpoints; search the log."""


@checkpoint.subcommand()
@database_option
def take(*, url: str | None) -> None:
    """Create a checkpoint now."""
    with open_database(url) as kontor:
        taken = kontor.checkpoints.take()
    click.echo("Nothing has changed since the last checkpoint." if taken is None else _line(taken))


def _line(checkpoint: Checkpoint) -> str:
    leaves = count_phrase(f"{checkpoint.size:,}", "leaf", "leaves")
    return f"{leaves}, root {checkpoint.root}, signed with {checkpoint.key} at {format_time(checkpoint.at)}"


@checkpoint.subcommand(name="list")
@database_option
@number_option("--limit", default=20, maximum=1000, help_text="Maximum number of checkpoints.")
def list_checkpoints(*, url: str | None, limit: int) -> None:
    """List checkpoints, newest first."""
    with open_database(url) as kontor:
        found = kontor.checkpoints.page(limit)
    table = simple_table("leaves", "taken", "root", "key", overflow="fold")
    table.columns[0].justify = "right"
    for one in found:
        table.add_row(f"{one.size:,}", format_time(one.at), one.root, one.key)
    console().print(table)


@checkpoint.subcommand()
@click.argument("size", type=WholeNumber(1), required=False)
@database_option
def show(*, size: int | None, url: str | None) -> None:
    """Print the newest checkpoint, or the one with SIZE leaves.

    It is a signed note with its cosignatures.
    """
    with open_database(url) as kontor:
        found = kontor.checkpoints.page(1, None if size is None else size + 1)
    if not found or size not in (None, found[0].size):
        raise click.ClickException("This checkpoint does not exist.")
    click.echo(found[0].note, nl=False)


@checkpoint.subcommand()
@click.argument("file", type=FILE)
@database_option
@file_option("--keys", "keys_file", help_text="Public keys of the service that you saved.")
@file_option("--later", help_text="Without a database: a later checkpoint of the service.")
@file_option("--proof", help_text="Without a database: the answer of /v1/checkpoints/consistency.")
def verify(
    *, file: Path, url: str | None, keys_file: Path | None, later: Path | None, proof: Path | None
) -> None:
    """Compare the database with the checkpoint in FILE.

    With --later and --proof, it compares a later checkpoint instead and needs no database.
    The exit code is 1 if the database was rolled back or rewritten since.
    """
    if bool(later) != bool(proof) or (later and not keys_file):
        raise click.UsageError("Without a database, --later, --proof and --keys are all required.")
    try:
        kept = read_checkpoint(read_text_file(file))
        known = None if keys_file is None else read_key_file(keys_file)
        if later and proof and known is not None:
            _verify_offline(
                kept, read_checkpoint(read_text_file(later)), read_proof(read_json_file(proof)), known
            )
        else:
            _verify(kept, url, known)
    except UnreadableCheckpointError as error:
        raise click.ClickException(f"{error}.") from error
    except CheckpointMismatchError as broken:
        click.echo(f"Verification of the checkpoint of {kept.size:,} leaves failed: {broken}.")
        raise SystemExit(1) from broken


def _verify(kept: KeptCheckpoint, url: str | None, trusted: Sequence[PublicKey] | None) -> None:
    with open_database(url) as kontor:
        keys = kontor.signer.public_keys() if trusted is None else trusted
        kept.check_signature(keys)
        check_leaves(kept, kontor.checkpoints.leaves(kept.size))
        check_keys(kontor.checkpoints.leaves(kept.size), keys)
        leaves = [one for one in kontor.checkpoints.leaves(kept.size) if isinstance(one, HeadLeaf)]
        with progress_bar("histories", len({leaf.subject for leaf in leaves})) as advance:
            histories, facts = check_facts(kontor.store, leaves, advance)
    tournaments = len({leaf.subject for leaf in leaves if isinstance(leaf, TournamentLeaf)})
    tournament_count = f"{count_phrase(f'{tournaments:,}', 'tournament')}, " if tournaments else ""
    matches = count_phrase(f"{histories - tournaments:,}", "match", "matches")
    click.echo(
        f"The database agrees with the checkpoint of {count_phrase(f'{kept.size:,}', 'leaf', 'leaves')}:"
        f" signature, leaves, {matches}, {tournament_count}{count_phrase(f'{facts:,}', 'fact')} checked."
    )


def _verify_offline(
    kept: KeptCheckpoint, later: KeptCheckpoint, proof: Sequence[str], trusted: Sequence[PublicKey]
) -> None:
    kept.check_signature(trusted)
    try:
        later.check_signature(trusted)
    except CheckpointMismatchError as broken:
        raise CheckpointMismatchError(f"the later checkpoint is not valid: {broken}") from broken
    check_growth(kept, later, proof)
    click.echo(
        f"The checkpoint of {later.size:,} leaves extends the one of {kept.size:,}, and both are signed."
    )


@checkpoint.subcommand()
@click.argument("address", metavar="URL")
@file_option("--keys", "keys_file", help_text="Public keys of the service that you saved.")
@file_option(
    "--checkpoint",
    "kept",
    help_text="Check the leaves of a kept checkpoint. Default: the newest one.",
)
@file_option(
    "--export",
    "exports",
    help_text="Compare with an exported match or tournament; can be repeated.",
    multiple=True,
)
def search(*, address: str, keys_file: Path | None, kept: Path | None, exports: tuple[Path, ...]) -> None:
    """Fetch all leaves of the log at URL and look for contradictions.

    Checks that the leaves hash to the signed root, that no match or tournament has two heads for one
    version, that versions increase, and that the log has leaves of the exports, with heads that the exports
    contain. The exit code is 1 if anything is wrong, and 2 if the leaves do not reach the end of an export.
    """
    read = list(map(_read_export, exports))
    client, hashes = log_client(address), {subject: hashes for subject, hashes, _ in read}
    with explained("The log cannot be trusted", LogEvidenceError, UnreadableKeysError, UnsignedNoteError):
        note, head = read_kept_note(client.checkpoint()) if kept is None else read_note_file(kept)
        known = read_key_file(keys_file) if keys_file else trusted_keys(None, client)
        signer_of(note, head.origin, known)
        with progress_bar("leaves", head.size) as advance:
            report = search_leaves(counted(client.entries(head.size), advance), head, hashes)
    _show_report(report, hashes, {subject for subject, _, complete in read if complete})


@checkpoint.subcommand()
@click.argument("address", metavar="URL")
@witnesses_option
@require_witnesses_option
def fetch(*, address: str, witnesses: Path | None, required: int | None) -> None:
    """Print the newest checkpoint of the service at URL.

    With --witnesses and --require-witnesses, print the newest one with enough cosignatures, and on the
    error output who cosigned it, when, and how much the log has grown since.
    """
    if (witnesses is None) != (required is None):
        raise click.UsageError("Use --witnesses and --require-witnesses together.")
    client, known = log_client(address), [] if witnesses is None else read_witness_file(witnesses)
    with explained("The log cannot be trusted", LogEvidenceError, UnsignedNoteError):
        newest = 0
        for text in islice(client.older_checkpoints(), _MAX_SEARCHED):
            note, head = read_kept_note(text)
            newest = newest or head.size
            if len(cosigners(note, known)) >= (required or 0):
                if required is not None:
                    found = require_witnesses(note, known, required)
                    after = f"the log has grown by {count_phrase(newest - head.size, 'leaf', 'leaves')} since"
                    click.echo(f"{cosigner_phrase(found, required, time.time())}; {after}.", err=True)
                click.echo(text, nl=False)
                return
    raise click.ClickException("The service has no such checkpoint.")


def _read_export(path: Path) -> tuple[str, list[str], bool]:
    """Verify an exported match or tournament; return its id, its hashes, and whether it is complete."""
    content = path.read_bytes()
    with explained(f"{path} is not a valid export", BrokenFileError):
        if is_tournament(content):
            tournament = verify_tournament(content).tournament
            return tournament, [str(record["hash"]) for record in read_file(content).records], True
        verdict = verify_export(content)
        lines = enumerate(split_export(content).facts, 2)
        hashes = [read_line(number, line)["hash"] for number, line in lines]
        return verdict.match, hashes, verdict.complete


def _show_report(report: LeafReport, exports: Mapping[str, Sequence[str]], complete: set[str]) -> None:
    short = {one for one, version in report.covered.items() if version < len(exports[one])} & complete
    for found in report.contradictions:
        click.echo(f"✗ {found}")
    for subject, version in report.covered.items():
        if version == 0:
            click.echo(f"✗ {subject} has no leaf in this log: nothing here says that the file is genuine")
        elif version < len(exports[subject]):
            mark, rest = ("?", "; nothing binds the end of this file") if subject in short else ("–", "")
            click.echo(
                f"{mark} {subject}: the leaves cover {version:,} of {len(exports[subject]):,} facts{rest}"
            )
    counts = [count_phrase(f"{len(report.matches):,}", "match", "matches")]
    if report.tournaments:
        counts.append(count_phrase(f"{len(report.tournaments):,}", "tournament"))
    counts.append(count_phrase(f"{len(report.keys):,}", "key"))
    if report.outages:
        length = sum(one.until - one.outage for one in report.outages) / 1000
        outages = count_phrase(f"{len(report.outages):,}", "outage")
        counts.append(f"{outages} ({length:,.1f} s, by the operator's word)")
    leaves = count_phrase(f"{report.leaves:,}", "leaf", "leaves")
    contradictions = count_phrase(len(report.contradictions), "contradiction")
    click.echo(f"{leaves} of {join_words(counts)}, {contradictions}.")
    wrong = report.contradictions or 0 in report.covered.values()
    raise SystemExit(1 if wrong else 2 if short else 0)
