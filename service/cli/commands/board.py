"""`kontor board`: checks a game's board or cards, and draws what can be drawn."""

from typing import IO

import click

from kontor_games.domain.game import Game
from kontor_games.service.cli.arguments import data_set
from kontor_games.service.cli.bot_table_options import game_argument
from kontor_games.service.cli.command_groups import Command


@click.command(
    cls=Command,
    examples=(
        ("draw a board that comes with the game", "kontor board {game} NAME --svg board.svg"),
        ("check a file of your own", "kontor board {game} my-board.json"),
    ),
)
@game_argument
@click.argument("dataset", metavar="DATASET")
@click.option("--svg", type=click.File("w", encoding="utf-8", lazy=True), metavar="FILE", help="Draw it into this file; - is stdout.")
def board(game: Game, dataset: str, svg: IO[str] | None) -> None:
    """Check a board, or another data set, and draw it.

    DATASET is the name of one that comes with the game, or the path of a JSON file of your own. Whatever breaks the rules for
    such a file is listed.
    """
    data = data_set(game, dataset)
    if svg is None:
        click.echo(f"All is well: {data.name} can be the {game.data_option} of {game.id} (hash {data.hash[:12]}).")
        return
    if game.draw is None:
        raise click.UsageError(f"{game.id} has nothing to draw; without --svg its {game.data_option} are checked only.")
    svg.write(game.draw(data))
    if svg.name != "-":
        click.echo(f"Drew {data.name} into {svg.name}.", err=True)
