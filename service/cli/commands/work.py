"""`kontor work`: what one process does for all (house bots, clocks, checkpoints, audits), without HTTP."""

import os
import signal
from dataclasses import replace
from threading import Event

import click

from kontor_games.service.cli.command_groups import Command
from kontor_games.service.kontor import Kontor
from kontor_games.service.logging_setup import set_up_logging
from kontor_games.service.settings import Settings, SettingsError


@click.command(
    cls=Command,
    examples=(
        ("do the background work of API processes that run with KONTOR_WORKERS=false", "KONTOR_DATABASE_URL=postgresql://… kontor work"),
        (
            "run a second one as a standby: it takes over within seconds if the first one dies",
            "KONTOR_DATABASE_URL=postgresql://… kontor work",
        ),
    ),
)
def work() -> None:
    """Run the background work: house bots, clocks, checkpoints, audits."""
    try:
        settings = Settings.from_environ(os.environ)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    set_up_logging(settings.log_level)
    stopped = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    kontor = Kontor(replace(settings, workers_in_process=True))
    kontor.start()
    stopped.wait()
    kontor.close()
