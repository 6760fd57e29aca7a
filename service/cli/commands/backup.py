"""`kontor backup`: a checked copy of the database, also while the service runs."""

from pathlib import Path

import click

from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.database_option import database_name, database_option, read_settings_of_existing
from kontor_games.service.cli.terminal import progress_bar
from kontor_games.service.store.backups import back_up_postgres, back_up_sqlite


@command()
@click.argument("file", type=click.Path(path_type=Path))
@database_option
def backup(*, file: Path, url: str | None) -> None:
    """Copy the database to a new FILE, also while it is used.

    The file can be read by its owner only, and is checked before it gets its name. It holds the signing keys
    (unless they are kept outside the database), the secret of the server (unless KONTOR_SECRET_KEY is set)
    and the seeds of running matches: keep it as secret as the database. PostgreSQL needs pg_dump.
    """
    settings = read_settings_of_existing(url)
    if settings.sqlite_path is None:
        back_up_postgres(settings.database_url, file)
    else:
        with progress_bar("Copying", 100) as advance:
            shown = [0]

            def progress(done: int, total: int) -> None:
                while shown[0] < 100 * done // max(total, 1):
                    shown[0] += 1
                    advance(None)

            back_up_sqlite(settings.sqlite_path, file, progress)
    click.echo(
        f"{database_name(settings)} is backed up in {file} ({file.stat().st_size:,} bytes), and checked."
    )
    click.echo("It holds secrets, with default settings the signing keys too: keep it safe.", err=True)
