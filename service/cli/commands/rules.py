"""`kontor rules`: the rules document of a game."""

import os

import click
from rich.console import Console
from rich.markdown import Markdown

from kontor_games.domain.game import Game
from kontor_games.service.cli.bot_table_options import game_argument
from kontor_games.service.cli.command_groups import Command
from kontor_games.service.cli.terminal import console

READABLE_WIDTH = 100
"""Longer lines are hard to read."""


@click.command(
    cls=Command,
    examples=(
        ("read the rules", "kontor rules {game}"),
        ("save the rules as Markdown", "kontor rules {game} --markdown > rules.md"),
    ),
)
@game_argument
@click.option("--markdown", is_flag=True, help="Print the Markdown source.")
def rules(game: Game, *, markdown: bool) -> None:
    """Show the rules of a game."""
    if markdown:
        click.echo(game.rules_text)
        return
    screen = console()
    if not screen.is_terminal:
        _print(screen, game)
        return
    # So that less shows colours and prints a short text without opening its own screen.
    os.environ.setdefault("LESS", "FRX")
    with screen.pager(styles=True):
        _print(screen, game)


def _print(screen: Console, game: Game) -> None:
    screen.print(Markdown(game.rules_text), width=min(screen.width, READABLE_WIDTH))
