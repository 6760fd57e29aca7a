"""What goes to the terminal: consoles, the colours and names of seats, bars made of letters."""

import os
import sys
from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from kontor_games.domain.game import Game, View

SEAT_STYLES = ("bright_blue", "bright_red", "bright_green", "bright_yellow", "bright_magenta", "bright_cyan")
PIECES = {
    "black": "grey50",
    "blue": "bright_blue",
    "green": "bright_green",
    "orange": "dark_orange",
    "red": "bright_red",
    "white": "grey74",
    "yellow": "bright_yellow",
}
"""How the colours of wooden pieces look on a dark and on a light screen."""
NAMES = ("Anna", "Bruno", "Clara", "Detlev", "Elsa", "Fritz")
WIDTH_OF_A_PIPE = 120
"""Where nobody says how wide the page is: a file, a pipe."""


def console(*, stderr: bool = False) -> Console:
    """A console on today's stdout or stderr; colours only where a terminal shows them and NO_COLOR is not set."""
    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH_OF_A_PIPE
    return Console(stderr=stderr, highlight=False, width=wide)


def seat_styles(view: View, seats: int) -> list[str]:
    """The colour of each seat: that of its pieces, where the view gives every seat a `colour`."""
    for entry in view.values():
        if (
            isinstance(entry, list)
            and len(entry) == seats
            and all(isinstance(seat, dict) and seat.get("colour") in PIECES for seat in entry)
        ):
            return [PIECES[seat["colour"]] for seat in entry]
    return [SEAT_STYLES[seat % len(SEAT_STYLES)] for seat in range(seats)]


def names_for(seats: int) -> list[str]:
    """Names for the bots at a table, so that sentences about them read well."""
    return [NAMES[seat] if seat < len(NAMES) else f"Player {seat}" for seat in range(seats)]


def with_names(sentence: str, styles: Mapping[str, str], style: str = "") -> Text:
    """A sentence in which each name wears its colour."""
    text = Text(sentence, style=style)
    for name, colour in styles.items():
        text.highlight_regex(rf"\b{name}\b", f"bold {colour}")
    return text


def word(game: Game, name: str) -> str:
    """What the game calls something, in English."""
    return game.words["en"].get(name, name.replace("_", " "))


def interval_bar(low: float, share: float, high: float, fair: float, width: int = 30) -> Text:
    """A share between 0 and 1 as a bar: solid up to the interval, shaded within it, a line where it would be fair."""
    bar = Text()
    for cell in range(width):
        middle = (cell + 0.5) / width
        if cell == min(int(fair * width), width - 1):
            bar.append("┃", "bold yellow")
        elif middle <= low:
            bar.append("█", "cyan")
        elif middle <= high or cell == int(share * width):
            bar.append("▒", "cyan")
        else:
            bar.append("·", "dim")
    return bar
