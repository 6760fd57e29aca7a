"""`kontor rules`: the rules document of a game."""

import os

import click
from rich.console import Console
from rich.markdown import Markdown

from kontor_games.domain.game import Game
from kontor_games.service.cli.arguments import game_argument
from kontor_games.service.cli.command_groups import command
from kontor_games.service.cli.terminal import console

READABLE_WIDTH = 100
"""The maximum width of a line; longer ones are hard to read."""


@command()
@game_argument
@click.option(
    "--language",
    default="en",
    metavar="CODE",
    help="Language of the rules: en, de, fr, it or es. English if the game has no such translation.",
)
@click.option("--markdown", is_flag=True, help="Print the Markdown source.")
def rules(game: Game, *, language: str, markdown: bool) -> None:
    """Show the rules of a game."""
    if language not in game.rules_texts:
        there = ", ".join(game.rules_texts)
        click.echo(
            f"The rules of {game.id} are available in {there}, not in {language}. This is the English text.",
            err=True,
        )
    text = game.rules_texts.get(language, game.rules_texts["en"])
    if markdown:
        click.echo(text)
        return
    screen = console()
    if not screen.is_terminal:
        _print(screen, text)
        return
    # With these options, less shows colours, and prints a short text without its own screen.
    os.environ.setdefault("LESS", "FRX")
    with screen.pager(styles=True):
        _print(screen, text)


def _print(screen: Console, text: str) -> None:
    screen.print(Markdown(text), width=min(screen.width, READABLE_WIDTH))
