"""`kontor migrate`: the one step before any process of an installation starts."""

import os

import click

from kontor_games.service.cli.command_groups import Command
from kontor_games.service.cli.commands.serve import set_up
from kontor_games.service.settings import Settings, SettingsError


@click.command(
    cls=Command,
    examples=(("create the tables of a new database, or update an older one", "KONTOR_DATABASE_URL=postgresql://… kontor migrate"),),
)
def migrate() -> None:
    """Create or update the database tables; safe to repeat."""
    try:
        settings = Settings.from_environ(os.environ)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    set_up(settings)
    click.echo("The tables are up to date.")
