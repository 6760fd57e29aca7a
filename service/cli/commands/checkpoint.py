"""`kontor checkpoint`: signed checkpoints over all matches, and their verification."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from kontor_games.domain.codec import Plain
from kontor_games.service.cli.command_groups import Command, Group
from kontor_games.service.cli.database_option import database_option, moment, opened
from kontor_games.service.cli.terminal import console, progress_bar, simple_table
from kontor_games.service.trust.checkpoint_check import (
    CheckpointMismatchError,
    UnreadableCheckpointError,
    check_facts,
    check_growth,
    check_leaves,
    check_signature,
    read_checkpoint,
    read_proof,
)
from kontor_games.service.trust.checkpoints import Checkpoint
from kontor_games.service.trust.signatures import PublicKey, UnreadableKeysError, read_keys

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group(
    cls=Group,
    examples=(
        ("save the newest checkpoint", "kontor checkpoint show > kept.json"),
        ("later: compare the database with it", "kontor checkpoint verify kept.json"),
        (
            "without the database, with a consistency proof from the service",
            "kontor checkpoint verify kept.json --later later.json --proof proof.json --keys keys.json",
        ),
    ),
)
def checkpoint() -> None:
    """Create, list, show and verify signed checkpoints."""


@checkpoint.command(
    cls=Command, examples=(("before you change the database by hand", "kontor checkpoint take"),)
)
@database_option
def take(*, url: str | None) -> None:
    """Create a checkpoint now."""
    with opened(url) as kontor:
        taken = kontor.checkpoints.take()
    click.echo("Nothing has changed since the last checkpoint." if taken is None else _line(taken))


def _line(one: Checkpoint) -> str:
    return f"{one.size:,} leaves, root {one.root}, signed with {one.key} at {moment(one.at)}"


@checkpoint.command("list", cls=Command, examples=(("the newest five", "kontor checkpoint list --limit 5"),))
@database_option
@click.option(
    "--limit",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="Maximum number of checkpoints.",
)
def list_checkpoints(*, url: str | None, limit: int) -> None:
    """List checkpoints, newest first."""
    with opened(url) as kontor:
        found = kontor.checkpoints.page(limit)
    table = simple_table("leaves", "taken", "root", "key", overflow="fold")
    table.columns[0].justify = "right"
    for one in found:
        table.add_row(f"{one.size:,}", moment(one.at), one.root, one.key)
    console().print(table)


@checkpoint.command(
    cls=Command, examples=(("save the newest checkpoint", "kontor checkpoint show > kept.json"),)
)
@click.argument("size", type=click.IntRange(1), required=False)
@database_option
def show(*, size: int | None, url: str | None) -> None:
    """Print the newest checkpoint as JSON, or the one with SIZE leaves."""
    with opened(url) as kontor:
        found = kontor.checkpoints.page(1, None if size is None else size + 1)
    if not found or size not in (None, found[0].size):
        raise click.ClickException("This checkpoint does not exist.")
    click.echo(json.dumps(found[0].plain(), indent=2))


@checkpoint.command(
    cls=Command,
    examples=(
        ("compare the database with a saved checkpoint", "kontor checkpoint verify kept.json"),
        (
            "without the database",
            "kontor checkpoint verify kept.json --later later.json --proof proof.json --keys keys.json",
        ),
    ),
)
@click.argument("file", type=FILE)
@database_option
@click.option(
    "--keys", "keys_file", type=FILE, metavar="FILE", help="Public keys of the service that you saved."
)
@click.option(
    "--later", type=FILE, metavar="FILE", help="Without database: a later checkpoint of the service."
)
@click.option(
    "--proof", type=FILE, metavar="FILE", help="Without database: the answer of /v1/checkpoints/consistency."
)
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
        kept = read_checkpoint(_json(file))
        known = None if keys_file is None else _keys(keys_file)
        if later and proof and known is not None:
            _verify_offline(kept, read_checkpoint(_json(later)), read_proof(_json(proof)), known)
        else:
            _verify(kept, url, known)
    except (UnreadableCheckpointError, UnreadableKeysError) as error:
        raise click.ClickException(f"{error}.") from error
    except CheckpointMismatchError as broken:
        _refuse(kept, broken)


def _refuse(kept: Checkpoint, broken: CheckpointMismatchError) -> NoReturn:
    click.echo(f"Verification of the checkpoint of {moment(kept.at)} failed: {broken}.")
    raise SystemExit(1)


def _json(path: Path) -> Plain:
    try:
        return json.loads(path.read_bytes())
    except ValueError as error:
        raise click.ClickException(f"{path} is not valid JSON: {error}.") from error


def _keys(path: Path) -> list[PublicKey]:
    """Read the keys as they are published: a list, or an object that contains one."""
    published = _json(path)
    return read_keys(published["keys"] if isinstance(published, dict) and "keys" in published else published)


def _verify(kept: Checkpoint, url: str | None, known: Sequence[PublicKey] | None) -> None:
    with opened(url) as kontor:
        check_signature(kept, kontor.signer.public_keys() if known is None else known)
        leaves = kontor.checkpoints.leaves(kept.size)
        check_leaves(kept, leaves)
        with progress_bar("matches", len({leaf.match for leaf in leaves})) as advance:
            matches, facts = check_facts(kontor.store, leaves, advance)
    click.echo(
        f"The database agrees with the checkpoint of {moment(kept.at)}:"
        f" signature, {kept.size:,} leaves, {matches:,} matches, {facts:,} facts checked."
    )


def _verify_offline(
    kept: Checkpoint, later: Checkpoint, proof: Sequence[str], known: Sequence[PublicKey]
) -> None:
    check_signature(kept, known)
    try:
        check_signature(later, known)
    except CheckpointMismatchError as broken:
        raise CheckpointMismatchError(f"the later checkpoint is not valid: {broken}") from broken
    check_growth(kept, later, proof)
    click.echo(
        f"The checkpoint of {moment(later.at)} extends the one of {moment(kept.at)}, and both are signed."
    )
