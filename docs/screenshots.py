"""Regenerates the picture of a terminal in README: `python -m docs.screenshots`.

`python -m tests.web.organiser_pictures` regenerates those of docs/organisers.md.
"""

import re
from io import StringIO
from itertools import islice
from pathlib import Path

from rich.console import Console

from kontor_games.domain.codec import ARBITER
from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from kontor_games.service.arena import Contest
from kontor_games.service.cli.commands.watch import MatchNarration

PICTURE = Path(__file__).parent / "screenshots" / "watch-speicherstadt.svg"


def first_moves(game: Game, moves: int) -> Console:
    """Return a console that has recorded the first moves of a match with seed 7 between four house bots."""
    console = Console(
        file=StringIO(),
        record=True,
        width=110,
        highlight=False,
        force_terminal=True,
        color_system="truecolor",
    )
    bots = list(game.bots)[-1:] * 4
    contest = Contest(game.id, bots, "7", game.rules().options(), game.data_sets[0])
    narration = MatchNarration(console, game, contest, ARBITER, "en")
    narration.begin()
    for played in islice(contest.single_match(), moves):
        narration.tell(played)
    return console


def main() -> None:
    """Write the picture that README shows, as an SVG that loads no fonts and preserves spaces."""
    console = first_moves(installed_games()["speicherstadt"], moves=22)
    drawn = console.export_svg(title="kontor watch speicherstadt --seed 7")
    drawn = re.sub(r"@font-face \{.*?\}\n", "", drawn, flags=re.DOTALL)
    drawn = drawn.replace("<svg ", '<svg xml:space="preserve" ', 1)
    PICTURE.write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
