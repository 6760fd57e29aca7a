"""`kontor keys`: the signing keys of the service."""

import json
import os
from pathlib import Path

import click

from kontor_games.domain.toolkit.sentences import count_phrase
from kontor_games.service.cli.arguments import json_option
from kontor_games.service.cli.command_groups import group
from kontor_games.service.cli.database_option import database_option, open_database
from kontor_games.service.cli.terminal import console, format_time, simple_table
from kontor_games.service.trust.notes import key_at


@group()
def keys() -> None:
    """List or replace the signing keys, or move them to a file."""


@keys.subcommand(name="list")
@database_option
@json_option("the keys as JSON, as published at /.well-known/kontor-keys.json")
def list_keys(*, url: str | None, as_json: bool) -> None:
    """List all signing keys, past and present."""
    with open_database(url) as kontor:
        known, now = kontor.signer.public_keys(), kontor.clock()
    if as_json:
        click.echo(json.dumps({"keys": [key.plain() for key in known]}, indent=2))
        return
    current = key_at(known, now)
    table = simple_table("key", "public key", "valid from", "", no_wrap=True)
    table.columns[1].no_wrap, table.columns[1].overflow = False, "fold"
    for key in known:
        state = "in use" if key == current else "not yet valid" if key.valid_from > now else ""
        table.add_row(key.id, key.public, format_time(key.valid_from), state)
    console().print(table)


@keys.subcommand()
@database_option
def rotate(*, url: str | None) -> None:
    """Create a new signing key, which becomes valid in one minute.

    If the keys are kept outside the database, add the new one there first; this command publishes it.
    Old keys stay published, because their signatures stay valid.
    """
    with open_database(url) as kontor:
        made = kontor.signer.rotate()
    click.echo(
        f"The key {made.id} signs from {format_time(made.valid_from)} on."
        " By then every process of the service knows it."
    )


@keys.subcommand()
@click.argument("file", type=click.Path(path_type=Path))
@database_option
def move(*, file: Path, url: str | None) -> None:
    """Move the private keys from the database to a file.

    Then set KONTOR_SIGNING_KEY_FILE to the file for every process. Older backups of the
    database still contain the keys.
    """
    with open_database(url) as kontor:
        private = kontor.signer.stored_private_keys()
        if not private:
            raise click.ClickException("There are no private keys in the database.")
        _write_new(file, "".join(f"{key}\n" for key in private))
        kontor.signer.clear_private_keys()
    moved = f"{count_phrase(len(private), 'private key')} {'is' if len(private) == 1 else 'are'}"
    click.echo(f"{moved} in {file} and no longer in the database.")
    click.echo(
        f"Set KONTOR_SIGNING_KEY_FILE={file.absolute()} and restart every process: until then, none can sign."
    )


def _write_new(file: Path, text: str) -> None:
    """Write a file that does not exist yet, readable by its owner only, and wait until it is on the disk."""
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened_file:
            opened_file.write(text)
            opened_file.flush()
            os.fsync(opened_file.fileno())
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from error
