"""The options of all commands that let bots play: --bots, --players, --option, --data and --seed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from kontor_games.domain.game import Game
from kontor_games.service.arena import Contest
from kontor_games.service.cli.arguments import (
    complete_game,
    file_option,
    find_game,
    fresh_seed,
    key_value,
    lineup,
    make_contest,
    options,
)

game_argument = click.argument("game", type=find_game, shell_complete=complete_game, metavar="GAME")


@dataclass(frozen=True, slots=True)
class BotTable:
    """The values of these options."""

    bots: str | None
    players: int | None
    pairs: tuple[tuple[str, str], ...]
    data: Path | None
    seed: str | None

    def contest(self, game: Game, usual: Sequence[str]) -> Contest:
        """Return the contest between the bots of --bots, or between `usual` if none are named."""
        chosen = options(game, self.pairs, self.data)
        seated = lineup(game, game.rules(chosen[0]), self.bots, self.players, usual)
        return make_contest(game, seated, self.seed or fresh_seed(), chosen)


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command, which gets them as one argument `table`."""
    return _BOTS(seat_options(command))


def seat_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add all of these options except --bots, for a command that takes its bots as arguments."""

    @wraps(command)
    def call(bots: str | None = None, **given: Any) -> None:
        table = BotTable(bots, *(given.pop(name) for name in BotTable.__slots__[1:]))
        command(table=table, **given)

    for option in reversed(_OPTIONS):
        call = option(call)
    return call


_BOTS = click.option(
    "--bots",
    metavar="NAME,NAME,…",
    help="One bot for each seat: a house bot (`kontor games` lists them), or your own as mine=bot.py:Class,"
    " mine=exec:COMMAND or mine=http://HOST:PORT (docs/own-bots.md).",
)
_OPTIONS = (
    click.option(
        "--players",
        type=click.IntRange(min=1),
        metavar="N",
        help="Number of seats. The last bot named fills the remaining seats.",
    ),
    click.option(
        "--option",
        "pairs",
        type=key_value,
        multiple=True,
        metavar="KEY=VALUE",
        help="Set an option of the game; can be repeated.",
    ),
    file_option("--data", help_text="Use your own cards or board: a JSON file."),
    click.option(
        "--seed",
        metavar="TEXT",
        help="Seed of all random numbers: the same seed gives the same matches. Default: a random seed.",
    ),
)
