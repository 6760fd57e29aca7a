"""Regenerates the picture of a terminal in README: `python -m docs.screenshots`."""

import re
from io import StringIO
from itertools import islice
from pathlib import Path

from rich.console import Console

from kontor_games.domain.codec import ARBITER
from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from kontor_games.service.arena import Contest
from kontor_games.service.cli.narration import MatchNarration

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
    narration = MatchNarration(console, game, held, ARBITER, "en")
    narration.begin()
    for played in islice(held.single_match(), moves):
        narration.tell(played)
    return picture(console, f"kontor watch {game.id} --seed 7")


def main() -> None:
    """Write the picture that README shows."""
    drawn = watch(installed_games()["speicherstadt"], moves=22)
    (FOLDER / "watch-speicherstadt.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
