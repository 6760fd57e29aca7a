"""`kontor work`: runs the background tasks, which one process does for all, without HTTP."""

import signal
from dataclasses import replace
from threading import Event

import click
import structlog
from prometheus_client import start_http_server

from kontor_games.service.background.bot_processes import BotProcesses
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.database_option import (
    connected,
    database_name,
    database_option,
    read_settings_of_existing,
)
from kontor_games.service.logging_setup import set_up_logging, writes_json
from kontor_games.service.settings import Settings
from kontor_games.service.store.requirements import check_database_if_reachable

_LOG = structlog.get_logger(__name__)


@command()
@click.option(
    "--bots",
    "only_bots",
    is_flag=True,
    help="Only let searching bots play, in KONTOR_BOT_PROCESSES processes of low priority.",
)
@database_option
def work(*, only_bots: bool, url: str | None) -> None:
    """Run the house bots, clocks, checkpoints and audits, without HTTP."""
    settings = read_settings_of_existing(url)
    set_up_logging(settings)
    stopped = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    if only_bots:
        _play_bots(settings, stopped)
        return
    _serve_metrics(settings.metrics_port)
    name = database_name(settings)
    if writes_json(settings):
        _LOG.info("working", database=name)
    else:
        click.echo(f"Background work for the database {name}. Press Ctrl-C to stop.", err=True)
    with connected(replace(settings, workers_in_process=True)) as kontor:
        check_database_if_reachable(settings)
        if settings.traces:
            from kontor_games.service.tracing import Tracing  # its libraries are an optional extra

            Tracing.from_environment().watch(kontor)
        kontor.start(serves=False)
        stopped.wait()


def _play_bots(settings: Settings, stopped: Event) -> None:
    """Let searching bots play until this process is stopped."""
    check_database_if_reachable(settings)
    settings = replace(settings, bot_processes=max(1, settings.bot_processes))
    name, count = database_name(settings), settings.bot_processes
    if writes_json(settings):
        _LOG.info("playing_bots", database=name, processes=count)
    else:
        where = f"{count} process{'' if count == 1 else 'es'} for the database {name}"
        click.echo(f"Searching bots play in {where}. Press Ctrl-C to stop.", err=True)
    processes = BotProcesses(settings, lambda: True)
    processes.start()
    while not stopped.wait(1.0):
        processes.restart_dead()
    processes.close()


def _serve_metrics(port: int) -> None:
    """Serve the metrics of this process, unless the port is 0."""
    if port == 0:
        return
    try:
        start_http_server(port)
    except OSError as error:
        raise click.ClickException(f"Cannot serve metrics on port {port}: {error.strerror}.") from error
