"""`kontor migrate`: creates or updates the tables; run it before the processes of an installation start."""

import click

from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.database_option import create_tables, database_option, read_settings
from kontor_games.service.store.append_only import APPEND_ONLY


@command()
@database_option
@click.option(
    "--role",
    metavar="NAME",
    help="PostgreSQL only: create this role if it is missing, "
    "and let it append to evidence but never change it. Default: KONTOR_SERVICE_ROLE.",
)
def migrate(*, url: str | None, role: str | None) -> None:
    """Create or update the database tables; safe to repeat."""
    settings = read_settings(url, **({} if role is None else {"KONTOR_SERVICE_ROLE": role}))
    click.echo(f"Database: {create_tables(settings)}")
    click.echo("The tables are up to date.")
    if settings.service_role is not None:
        click.echo(
            f"The role {settings.service_role} can append to {', '.join(APPEND_ONLY)}, "
            "but cannot change or delete anything there."
        )
