"""`kontor migrate`: creates the tables, once before the processes of an installation start."""

import click

from kontor_games.service.cli.command_groups import Command
from kontor_games.service.cli.database_option import create_tables, database_option, read_settings


@click.command(
    cls=Command,
    examples=(
        (
            "create the tables of a new database, or update an older one",
            "kontor migrate --database postgresql://…",
        ),
    ),
)
@database_option
def migrate(*, url: str | None) -> None:
    """Create or update the database tables; safe to repeat."""
    click.echo(f"Database: {create_tables(read_settings(url))}")
    click.echo("The tables are up to date.")
