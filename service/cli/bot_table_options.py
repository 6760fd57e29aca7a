"""The options of all commands that let bots play: --bots, --players, --option, --data and --seed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from kontor_games.service.cli.arguments import GameChoice, Pair

F = TypeVar("F", bound=Callable[..., Any])

game_argument = click.argument("game", type=GameChoice(), metavar="GAME")


def table_options(command: F) -> F:
    """Add these options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--bots", metavar="NAME,NAME,…", help="One house bot for each seat; `kontor games` lists them."
    ),
    click.option(
        "--players",
        type=click.IntRange(min=1),
        metavar="N",
        help="Number of seats. The last bot of --bots fills the remaining seats.",
    ),
    click.option(
        "--option",
        "pairs",
        type=Pair(),
        multiple=True,
        metavar="KEY=VALUE",
        help="Set an option of the game; can be repeated.",
    ),
    click.option(
        "--data",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Use your own cards or board: a JSON file.",
    ),
    click.option(
        "--seed",
        metavar="TEXT",
        help="Seed of all random numbers: the same seed gives the same matches. Default: a random seed.",
    ),
)
