"""`kontor keys`: the signing keys of the service."""

import json

import click

from kontor_games.service.cli.command_groups import Command, Group
from kontor_games.service.cli.database_option import database_option, moment, opened
from kontor_games.service.cli.terminal import console, simple_table
from kontor_games.service.trust.signatures import key_at


@click.group(
    cls=Group,
    examples=(
        ("show which key is in use", "kontor keys list"),
        ("save the keys in the published form", "kontor keys list --json > keys.json"),
        ("replace the signing key", "kontor keys rotate"),
    ),
)
def keys() -> None:
    """List the signing keys, or create a new one."""


@keys.command("list", cls=Command, examples=(("show which key is in use", "kontor keys list"),))
@database_option
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the keys as JSON, as published at /.well-known/kontor-keys.json.",
)
def list_keys(*, url: str | None, as_json: bool) -> None:
    """List all signing keys, past and present."""
    with opened(url) as kontor:
        known, now = kontor.signer.public_keys(), kontor.clock()
    if as_json:
        click.echo(json.dumps({"keys": [key.plain() for key in known]}, indent=2))
        return
    current = key_at(known, now)
    table = simple_table("key", "public key", "valid from", "", no_wrap=True)
    table.columns[1].no_wrap, table.columns[1].overflow = False, "fold"
    for key in known:
        state = "in use" if key == current else "not yet valid" if key.valid_from > now else ""
        table.add_row(key.id, key.public, moment(key.valid_from), state)
    console().print(table)


@keys.command(cls=Command, examples=(("replace the signing key", "kontor keys rotate"),))
@database_option
def rotate(*, url: str | None) -> None:
    """Create a new signing key, which is used from one minute from now.

    Old keys stay published, because their signatures stay valid.
    """
    with opened(url) as kontor:
        made = kontor.signer.rotate()
    click.echo(
        f"The key {made.id} signs from {moment(made.valid_from)} on."
        " By then every process of the service knows it."
    )
