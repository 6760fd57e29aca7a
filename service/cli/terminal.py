"""Output on the terminal: consoles, colours and names of seats, bars, error messages."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import cycle, islice
from typing import Any, TypeVar

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.rule import Rule
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from kontor_games.domain.game import Game, View
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE
from kontor_games.service.terminal_text import escaped, one_line

T = TypeVar("T")
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
"""Colours for the wooden pieces that are readable on dark and on light screens."""
NAMES = ("Anna", "Bruno", "Clara", "Detlev", "Elsa", "Fritz")
_ID_WIDTH = 36
PIPE_WIDTH = 120
"""The width of output to a file or a pipe."""


class EscapingConsole(Console):
    """A console that escapes control characters in all texts, and writes only its own escape sequences.

    Text is shown as it is: names and titles can contain what rich would read as markup or as an emoji.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a text with its control characters escaped, so that its width is that of what is shown."""
        return super().render_str(escaped(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the segments with their texts escaped."""
        for one in super().render(renderable, options):
            yield one if one.control else Segment(escaped(one.text), one.style)


def console(*, stderr: bool = False) -> Console:
    """Return a console on stdout or stderr, with colours only on a terminal without NO_COLOR."""
    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return EscapingConsole(stderr=stderr, width=wide)


def heading(text: str) -> Rule:
    """Return a heading in bold letters, in the middle of a line."""
    return Rule(Text(text, "bold"), style="dim")


def simple_table(*headings: str, **options: Any) -> Table:
    """Return a table with a line under its headings and no frame; `options` are those of all columns.

    Ids are never shortened, so that they can be copied.
    """
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in headings:
        table.add_column(title, **options)
        if title in ("id", "match"):
            table.columns[-1].min_width, table.columns[-1].no_wrap = _ID_WIDTH, True
    return table


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[object], None]]:
    """Show a bar on stderr if that is a terminal, removed at the end; yield a function that advances it."""
    screen = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        yield lambda _: progress.advance(task)


def counted(items: Iterable[T], advance: Callable[[object], None]) -> Iterator[T]:
    """Yield the items, and advance a progress bar with each of them."""
    for item in items:
        advance(item)
        yield item


@contextmanager
def explained(what: str, *errors: type[Exception]) -> Iterator[None]:
    """End the command with the message `what: error.` if one of these errors is raised."""
    try:
        yield
    except errors as error:
        raise click.ClickException(one_line(f"{what}: {error}.")) from error


def seat_styles(view: View, seats: int) -> list[str]:
    """Return the colour of each seat: that of its pieces if the view gives every seat a `colour`."""
    for entry in view.values():
        if (
            isinstance(entry, list)
            and len(entry) == seats
            and all(isinstance(seat, dict) and seat.get("colour") in PIECES for seat in entry)
        ):
            return [PIECES[seat["colour"]] for seat in entry]
    return list(islice(cycle(SEAT_STYLES), seats))


def name_styles(names: Iterable[str]) -> dict[str, str]:
    """Return a colour for each name of a match on a service."""
    return dict(zip(names, cycle(SEAT_STYLES), strict=False))


def format_time(ms: int) -> str:
    """Format milliseconds since 1970 as date and time in UTC; 0 becomes `the beginning`."""
    if not ms:
        return "the beginning"
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def names_for(labels: Sequence[str | None]) -> list[str]:
    """Return a name for each seat of `kontor watch`: the label of an own bot, or a first name."""
    names: list[str] = []
    for seat, label in enumerate(labels):
        usual = NAMES[seat] if seat < len(NAMES) and NAMES[seat] not in labels else f"Player {seat}"
        again = labels[:seat].count(label)
        names.append(usual if label is None else f"{label} {again + 1}" if again else label)
    return names


def with_names(sentence: str, styles: Mapping[str, str], style: str = "") -> Text:
    """Return a sentence with each name in its colour."""
    text = Text(sentence, style=style)
    for name, colour in styles.items():
        text.highlight_regex(rf"(?<!\w){re.escape(name)}(?!\w)", f"bold {colour}")
    return text


def print_scene(screen: Console, scene: str, styles: Mapping[str, str]) -> None:
    """Print the table of a match after an empty line, with each name in its colour."""
    screen.print()
    for line in scene.splitlines():
        screen.print(with_names(line, styles))


def word(game: Game, name: str, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the word of the game for a key."""
    words = game.words.get(language, game.words[DEFAULT_LANGUAGE])
    return words.get(name, name.replace("_", " "))


def interval_bar(low: float, share: float, high: float, fair: float, width: int = 30) -> Text:
    """Return a share from 0 to 1 as a bar: solid, shaded within the interval, a line at the fair share."""
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
