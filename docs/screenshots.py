"""Regenerates the terminal pictures of the documentation: `python -m docs.screenshots`."""

import re
from io import StringIO
from itertools import islice
from pathlib import Path
from time import perf_counter

from rich.console import Console

from kontor_games.domain.codec import ARBITER
from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from kontor_games.service.arena import Contest, Tally, outcomes
from kontor_games.service.cli.narration import MatchNarration
from kontor_games.service.cli.simulation_report import show_report

FOLDER = Path(__file__).parent / "screenshots"


def screen() -> Console:
    """Return a console that records its output instead of showing it."""
    return Console(
        file=StringIO(),
        record=True,
        width=110,
        highlight=False,
        force_terminal=True,
        color_system="truecolor",
    )


def picture(console: Console, title: str) -> str:
    """Return the recorded output as an SVG that loads no fonts and preserves spaces."""
    drawn = re.sub(r"@font-face \{.*?\}\n", "", console.export_svg(title=title), flags=re.DOTALL)
    return drawn.replace("<svg ", '<svg xml:space="preserve" ', 1)


def contest(game: Game, *bots: str) -> Contest:
    """Return a contest with seed 7 and the default options and data set of the game."""
    return Contest(game.id, bots, "7", game.rules().options(), game.data_sets[0])


def watch(game: Game, moves: int) -> str:
    """Return a picture of the first moves of a match."""
    console, held = screen(), contest(game, *list(game.bots)[-1:] * 4)
    narration = MatchNarration(console, game, held, ARBITER)
    narration.begin()
    for played in islice(held.single_match(), moves):
        narration.tell(played)
    return picture(console, f"kontor watch {game.id} --seed 7")


def simulate(game: Game, matches: int) -> str:
    """Return a picture of the report of a simulation: the best bot against three of the simplest."""
    names = list(game.bots)
    console, held, began = screen(), contest(game, names[-1], *names[:1] * 3), perf_counter()
    tally = Tally(outcomes(held, matches, jobs=2))
    show_report(console, game, held, tally, perf_counter() - began)
    return picture(console, f"kontor simulate {game.id} --matches {matches} --seed 7 --jobs 2")


def main() -> None:
    """Write two pictures for each game."""
    FOLDER.mkdir(exist_ok=True)
    for game in installed_games().values():
        (FOLDER / f"watch-{game.id}.svg").write_text(watch(game, moves=22), encoding="utf-8")
        (FOLDER / f"simulate-{game.id}.svg").write_text(simulate(game, matches=200), encoding="utf-8")


if __name__ == "__main__":
    main()
