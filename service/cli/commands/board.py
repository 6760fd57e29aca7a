"""`kontor board`: checks the board or cards of a game, and draws a board."""

from typing import IO

import click

from kontor_games.domain.game import Game
from kontor_games.service.cli.arguments import data_set, game_argument
from kontor_games.service.cli.command_groups import command


@command()
@game_argument
@click.argument("dataset", metavar="DATASET")
@click.option(
    "--svg",
    type=click.File("w", encoding="utf-8", lazy=True),
    metavar="FILE",
    help="Write a drawing to this file; - is standard output.",
)
def board(game: Game, dataset: str, svg: IO[str] | None) -> None:
    """Check a board or another data set, and draw it.

    DATASET is the name of a data set that comes with the game, or the path of your own JSON file. All errors
    in the file are listed.
    """
    data = data_set(game, dataset)
    if svg is None:
        click.echo(
            f"{data.name} is valid and can be used as the {game.data_option} of {game.id}"
            f" (hash {data.hash[:12]})."
        )
        return
    if game.draw is None:
        raise click.UsageError(
            f"The {game.data_option} of {game.id} cannot be drawn. Omit --svg to check the data set."
        )
    svg.write(game.draw(data))
    if svg.name != "-":
        click.echo(f"The drawing of {data.name} was written to {svg.name}.", err=True)
