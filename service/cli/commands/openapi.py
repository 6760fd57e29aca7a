"""`kontor openapi`: prints the OpenAPI description."""

import os
import sys

import click

from kontor_games.service.cli.command_groups import command


@command()
@click.argument("file", default="-", type=click.Path(dir_okay=False, allow_dash=True))
def openapi(file: str) -> None:
    """Print the OpenAPI description, or write it to FILE."""
    # Not imported: service/ may not import api/.
    os.execv(sys.executable, [sys.executable, "-m", "kontor_games.api", file])  # noqa: S606
