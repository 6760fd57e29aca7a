"""`kontor verify`: verifies exports of matches and tournaments, without a service or a database."""

import json
import os
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from kontor_games.domain.codec import Plain
from kontor_games.domain.export_reader import split_export
from kontor_games.domain.signed_note import Note, TreeHead
from kontor_games.domain.tournaments.export import is_tournament, read_file, tournament_id_of
from kontor_games.service.cli.arguments import FILE, file_option, json_option, number_option
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.log_files import (
    cosigner_phrase,
    log_client,
    read_json_file,
    read_note_file,
    read_witness_file,
    require_witnesses_option,
    witnesses_option,
)
from kontor_games.service.cli.play_table import names_option
from kontor_games.service.cli.terminal import console, counted, explained, progress_bar
from kontor_games.service.cli.verify_report import REFUSED, UNCHECKED, FileResult, show_all, show_one
from kontor_games.service.processes import parallel_map
from kontor_games.service.trust.inclusion_check import (
    LogEvidence,
    LogEvidenceError,
    read_inclusion,
    read_json,
    require_witnesses,
)
from kontor_games.service.trust.log_client import LogClient, LogRefusedError, LogUnreachableError
from kontor_games.service.trust.notes import UnreadableKeysError, read_keys
from kontor_games.service.trust.tournament_check import verify_tournament
from kontor_games.service.trust.verifier import BrokenFileError, UncheckableFileError, UnreadableReceiptError
from kontor_games.service.trust.verifier import verify as verify_export


@command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE…")
@file_option("--keys", help_text="Public keys of the service, from /.well-known/kontor-keys.json.")
@file_option(
    "--receipts", help_text="Receipts, or answers with receipts, that you kept: a JSON list, or one per line."
)
@file_option("--checkpoint", "kept", help_text="A checkpoint that you kept, from /v1/log/checkpoint.")
@click.option("--url", metavar="URL", help="The service that proves that the file is in the checkpoint.")
@file_option(
    "--proof",
    help_text="Instead of --url: "
    "the answer of the service from /v1/matches/{id}/inclusion or /v1/tournaments/{id}/inclusion.",
)
@witnesses_option
@require_witnesses_option
@names_option
@number_option("--jobs", default=1, help_text="Number of processes.")
@click.option(
    "--all-bot-moves",
    is_flag=True,
    help="Recompute every move of bots that search long, instead of a random sample. Not for tournaments.",
)
@json_option("the results as JSON")
def verify(
    *,
    files: tuple[Path, ...],
    keys: Path | None,
    receipts: Path | None,
    kept: Path | None,
    url: str | None,
    proof: Path | None,
    witnesses: Path | None,
    required: int | None,
    names: str | None,
    jobs: int,
    as_json: bool,
    all_bot_moves: bool,
) -> None:
    """Verify exports of matches or tournaments, offline.

    Recomputes the hash chain, chance, every move, the clocks and the result, and checks all signatures.
    Needs no service and no database. With --checkpoint, a match or tournament must also have the head that
    is in the kept checkpoint; the proof is read from a file (--proof) or fetched from the service (--url;
    for a private match, with the token in KONTOR_TOKEN). It must cover the last fact of a complete file.
    Exit codes: 0 if all files are valid, 1 if a file is invalid, 2 if a file could not be checked here.
    `kontor replay FILE --match ID` steps through a match of a tournament.
    """
    if names is not None and len(files) > 1:
        raise click.UsageError("--names is for a single file.")
    log = _kept_log(kept, url, proof, files)
    _check_witnesses(kept, witnesses, required)
    known, own = _read_keys(keys), _read_receipts(receipts)
    check = partial(
        _check, keys=known, receipts=own, alone=len(files) == 1, log=log, all_bot_moves=all_bot_moves
    )
    with progress_bar("verifying", len(files)) as advance:
        found = list(counted(parallel_map(check, files, jobs), advance))
    if as_json:
        click.echo(json.dumps([one.plain() for one in found], indent=2, ensure_ascii=False))
    elif len(found) == 1:
        show_one(console(), found[0], names)
    else:
        used = len(own) - _unused(own, [one for one in found if one.verdict is not None])
        show_all(console(), found, (used, len(own)))
    raise SystemExit(_exit_code(found, own))


def _exit_code(results: list[FileResult], receipts: list[Plain]) -> int:
    """Return the worst result; a receipt that belongs to none of several files counts as an invalid file."""
    unused = _unused(receipts, results) if len(results) > 1 else 0
    if unused:
        none_of = "matches or tournaments that none of these files contains"
        click.echo(f"{unused} of {len(receipts)} receipts are for {none_of}.", err=True)
        return REFUSED
    return max(results, key=lambda one: (one.code == REFUSED, one.code)).code


def _unused(receipts: list[Plain], results: list[FileResult]) -> int:
    """Return how many receipts belong to none of the files."""
    found = {subject for one in results for subject in (one.match, *one.subjects)}
    return sum(_subject_of(one) not in found for one in receipts)


def _subject_of(receipt: Plain) -> Plain:
    """Return the match or the tournament that a receipt names; None if it is no receipt."""
    return receipt.get("tournament") or receipt.get("match") if isinstance(receipt, dict) else None


@dataclass(frozen=True, slots=True)
class _KeptLog:
    """A kept checkpoint, and where to get proofs."""

    note: Note
    head: TreeHead
    proof: Plain
    client: LogClient | None

    def evidence(self, subject: str, kind: str = "matches") -> LogEvidence:
        """Return what the checkpoint proves about a match, or about one of the `tournaments`."""
        answer = self.client.inclusion(subject, self.head.size, kind) if self.client else self.proof
        return read_inclusion(answer, self.note, self.head)

    def match_evidence(self, match_id: str) -> LogEvidence | None:
        """Return what the checkpoint proves about a match of a tournament; None if it is not in the tree."""
        try:
            return self.evidence(match_id)
        except LogRefusedError:
            return None


def _kept_log(
    kept: Path | None, url: str | None, proof: Path | None, files: tuple[Path, ...]
) -> _KeptLog | None:
    if (kept is not None) != ((url is not None) != (proof is not None)):
        raise click.UsageError("--checkpoint needs one of --url and --proof, and they need --checkpoint.")
    if proof is not None and len(files) > 1:
        raise click.UsageError("--proof is for a single file; use --url for several.")
    if kept is None:
        return None
    client = None if url is None else log_client(url, os.environ.get("KONTOR_TOKEN"))
    return _KeptLog(*read_note_file(kept), None if proof is None else read_json_file(proof), client)


def _check_witnesses(kept: Path | None, witnesses: Path | None, required: int | None) -> None:
    if (witnesses is None) != (required is None) or (required is not None and kept is None):
        raise click.UsageError("Use --witnesses and --require-witnesses together, and with --checkpoint.")
    if kept is None or witnesses is None or required is None:
        return
    with explained(str(kept), LogEvidenceError):
        found = require_witnesses(read_note_file(kept)[0], read_witness_file(witnesses), required)
    click.echo(f"The checkpoint is {cosigner_phrase(found, required, time.time())}.", err=True)


def _read_keys(file: Path | None) -> list[Plain] | None:
    if file is None:
        return None
    try:
        data = read_json(file.read_bytes())
        published = data["keys"] if isinstance(data, dict) else data
        return [key.plain() for key in read_keys(published)]
    except (ValueError, KeyError, UnreadableKeysError) as error:
        raise click.UsageError(f"{file} does not contain the keys of a service: {error}") from error


def _read_receipts(file: Path | None) -> list[Plain]:
    if file is None:
        return []
    try:
        text = file.read_text(encoding="utf-8")
        data = (
            read_json(text)
            if text.lstrip().startswith("[")
            else [read_json(line) for line in text.splitlines() if line.strip()]
        )
    except ValueError as error:
        raise click.UsageError(f"{file} does not contain receipts: {error}") from error
    # The file may contain receipts, or whole answers to commands, which contain a receipt.
    return [one["receipt"] if isinstance(one, dict) and "receipt" in one else one for one in data]


def _check_tournament(
    file: Path,
    content: bytes,
    keys: list[Plain] | None,
    receipts: list[Plain],
    log: _KeptLog | None,
    *,
    alone: bool,
) -> FileResult:
    subjects = (tournament_id_of(content), *(read_file(content).matches if receipts else ()))
    if not alone:
        receipts = [one for one in receipts if _subject_of(one) in subjects]
    if log is None:
        verdict = verify_tournament(content, keys, receipts=receipts)
    else:
        evidence = log.evidence(tournament_id_of(content), "tournaments")
        verdict = verify_tournament(
            content, keys, evidence, log.match_evidence if log.client else None, receipts
        )
    return FileResult(file, verdict.tournament, verdict, subjects=subjects)


def _check(
    file: Path,
    *,
    keys: list[Plain] | None,
    receipts: list[Plain],
    alone: bool,
    log: _KeptLog | None,
    all_bot_moves: bool,
) -> FileResult:
    match_id = ""
    try:
        content = file.read_bytes()
        if is_tournament(content):
            return _check_tournament(file, content, keys, receipts, log, alone=alone)
        match_id = split_export(content).header["match"]
        # With several files, each receipt belongs to one of them; with a single file, all receipts must fit.
        fitting = [one for one in receipts if _subject_of(one) == match_id]
        evidence = None if log is None else log.evidence(match_id)
        own = receipts if alone else fitting
        verdict = verify_export(content, keys, own, evidence, all_bot_moves=all_bot_moves)
        return FileResult(file, match_id, verdict)
    except OSError as error:
        return FileResult(file, problem=f"the file cannot be read: {error.strerror}", code=UNCHECKED)
    except UnreadableReceiptError as error:
        raise click.UsageError(f"--receipts: {error}") from error
    except LogUnreachableError as error:
        return FileResult(file, match_id, problem=str(error), code=UNCHECKED)
    except LogEvidenceError as error:
        return FileResult(file, match_id, problem=str(error), code=REFUSED)
    except UncheckableFileError as error:
        return FileResult(file, match_id, line=error.line, problem=error.detail, code=UNCHECKED)
    except BrokenFileError as error:
        return FileResult(file, match_id, line=error.line, problem=error.detail, code=REFUSED)
