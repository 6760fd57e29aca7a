"""`kontor serve`: the service over HTTP, with house bots and clocks, on one machine and without any set-up."""

import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

import click

from kontor_games.service.cli.command_groups import Command
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings, SettingsError

_CONF = Path(__file__).parents[1] / "gunicorn_conf.py"


@click.command(
    cls=Command,
    examples=(
        ("serve on this machine, with a SQLite database in var/", "kontor serve"),
        ("serve a PostgreSQL database with two processes", "KONTOR_DATABASE_URL=postgresql://… kontor serve --workers 2"),
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all interfaces.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="Port to listen on.")
@click.option("--workers", type=click.IntRange(1, 64), help="Number of processes. Default: one with SQLite, otherwise one per core.")
def serve(host: str, port: int, workers: int | None) -> None:
    """Run the HTTP service until it is stopped."""
    try:
        settings = Settings.from_environ(os.environ)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    set_up(settings)
    greet(settings, host, port)
    command = [sys.executable, "-m", "gunicorn", "--config", str(_CONF), "--bind", f"{host}:{port}"]
    os.execv(sys.executable, command + (["--workers", str(workers)] if workers else []))  # noqa: S606  # nothing of it is a stranger's


def set_up(settings: Settings) -> None:
    """Makes or updates the tables, in one step before any worker starts."""
    kontor = Kontor(settings)
    kontor.migrate()
    kontor.close()


def greet(settings: Settings, host: str, port: int) -> None:
    """Says where the service is, and how to begin."""
    url = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"  # noqa: S104  # compared, not bound
    click.echo(f"Kontor is running at {url} with the database {_where(settings.database_url)}. Press Ctrl-C to stop.")
    click.echo(f"  API documentation:  {url}/docs")
    click.echo(f"""  First request:      curl -s {url}/v1/players -H 'Content-Type: application/json' -d '{{"name": "Ada"}}'""")


def _where(url: str) -> str:
    """The database without its password."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return url.removeprefix("sqlite:///")
    return f"PostgreSQL at {parts.hostname or 'a local socket'}"
