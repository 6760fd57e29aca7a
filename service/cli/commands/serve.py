"""`kontor serve`: runs the HTTP service with house bots and clocks on one machine, without any set-up."""

import errno
import os
import socket
import sys
from pathlib import Path

import click
import structlog

from kontor_games.service.cli.arguments import number_option
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.database_option import (
    connected,
    create_tables,
    database_option,
    read_settings,
)
from kontor_games.service.logging_setup import set_up_logging, writes_json
from kontor_games.service.version import VERSION

_CONF = Path(__file__).parents[1] / "gunicorn_conf.py"
_BACKLOG = 2048
_LOG = structlog.get_logger(__name__)


@command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on; 0.0.0.0 for all interfaces.",
)
@number_option("--port", default=8000, maximum=65535, help_text="Port to listen on.")
@number_option(
    "--workers",
    maximum=64,
    help_text="Number of processes. Default: one with SQLite, otherwise one per core.",
)
@database_option
def serve(*, host: str, port: int, workers: int | None, url: str | None) -> None:
    """Run the HTTP service until it is stopped."""
    settings = read_settings(url)
    set_up_logging(settings)
    listener = _listen(host, port)
    database = create_tables(settings, waits=True)
    with connected(settings) as kontor:
        kontor.signer.check()
    if writes_json(settings):
        _LOG.info("serving", host=host, port=port, database=database)
    else:
        _print_addresses(host, port, database)
    os.environ["KONTOR_DATABASE_URL"] = settings.database_url
    listener.set_inheritable(True)
    arguments = ["--config", str(_CONF), "--bind", f"fd://{listener.fileno()}"]
    arguments += ["--workers", str(workers)] if workers else []
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", *arguments])  # noqa: S606


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, or end the command with a message if the address cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            advice = "Choose another port: `make serve PORT=9000` or `kontor serve --port 9000`."
            raise click.ClickException(f"Port {port} is in use by another program. {advice}") from error
        raise click.ClickException(f"Cannot listen on {host}, port {port}: {error.strerror}.") from error


def _print_addresses(host: str, port: int, database: str) -> None:
    """Print the addresses of the service and the database in use."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    url = f"http://{shown}:{port}"
    click.echo(f"Kontor is running at {url}. Press Ctrl-C to stop.")
    click.echo(f"  Version:            {VERSION}")
    click.echo(f"  Database:           {database}")
    click.echo(f"  API documentation:  {url}/docs")
    click.echo(
        f"  First request:      curl -s {url}/v1/players"
        """ -H 'Content-Type: application/json' -d '{"name": "Ada"}'"""
    )
