"""`kontor keys`: the keys with which the service signs."""

import json

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table

from kontor_games.service.cli.command_groups import Command, Group
from kontor_games.service.cli.database_option import database_option, moment, opened
from kontor_games.service.cli.terminal import console
from kontor_games.service.trust.signatures import key_at


@click.group(
    cls=Group,
    examples=(
        ("see which key signs now", "kontor keys list"),
        ("write them down as the service publishes them", "kontor keys list --json > keys.json"),
        ("let another key sign from now on", "kontor keys rotate"),
    ),
)
def keys() -> None:
    """List the keys that sign, or make a new one."""


@keys.command("list", cls=Command, examples=(("see which key signs now", "kontor keys list"),))
@database_option
@click.option("--json", "as_json", is_flag=True, help="As they are published at /.well-known/kontor-keys.json.")
def list_keys(*, url: str | None, as_json: bool) -> None:
    """List all keys that ever signed."""
    with opened(url) as kontor:
        known, now = kontor.signer.public_keys(), kontor.clock()
    if as_json:
        click.echo(json.dumps({"keys": [key.plain() for key in known]}, indent=2))
        return
    current = key_at(known, now)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("key", "public key", "signs from", ""):
        table.add_column(heading, no_wrap=heading != "public key", overflow="fold")
    for key in known:
        state = "signs now" if key == current else "soon" if key.valid_from > now else ""
        table.add_row(key.id, key.public, moment(key.valid_from), state)
    console().print(table)


@keys.command(cls=Command, examples=(("let another key sign from now on", "kontor keys rotate"),))
@database_option
def rotate(*, url: str | None) -> None:
    """Make a new key, which signs a minute from now.

    The old ones stay published, for what they have signed.
    """
    with opened(url) as kontor:
        made = kontor.signer.rotate()
    click.echo(f"The key {made.id} signs from {moment(made.valid_from)}; until then every process of the service has heard of it.")
