"""`kontor restore`: puts a backup in the place of a database."""

from pathlib import Path

import click

from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.database_option import create_tables, database_option, read_settings
from kontor_games.service.store.backups import (
    POSTGRES_MAGIC,
    SQLITE_MAGIC,
    restore_postgres,
    restore_sqlite,
)
from kontor_games.service.store.requirements import check_database


@command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@database_option
@click.option("--replace", is_flag=True, help="Replace the database that is there. Stop the service first.")
def restore(*, file: Path, url: str | None, replace: bool) -> None:
    """Restore a backup FILE into an empty database.

    The tables are updated, too. Run it as the owner of the tables; the rights of the service are
    set if KONTOR_SERVICE_ROLE is. Afterwards, `kontor audit --all` checks everything.
    """
    settings = read_settings(url)
    with file.open("rb") as opened:
        magic = opened.read(len(SQLITE_MAGIC))
    kind = SQLITE_MAGIC if settings.sqlite_path is not None else POSTGRES_MAGIC
    if not magic.startswith(kind):
        name = "SQLite" if kind is SQLITE_MAGIC else "PostgreSQL"
        raise click.ClickException(f"{file} is not a backup of a {name} database.")
    if settings.sqlite_path is not None:
        restore_sqlite(file, settings.sqlite_path, replace=replace)
    else:
        check_database(settings)
        restore_postgres(file, settings.database_url, replace=replace)
    click.echo(f"Restored {file} into {create_tables(settings)}. Check it: kontor audit --all")
