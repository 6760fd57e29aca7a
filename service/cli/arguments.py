"""Arguments and options that several commands share. Error messages list the valid values."""

import json
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from secrets import randbelow
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from kontor_games.domain.codec import ARBITER, SPECTATOR, MalformedError
from kontor_games.domain.game import DataSet, Game
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE, LANGUAGES
from kontor_games.domain.toolkit.sentences import join_words
from kontor_games.service.cli.command_groups import finder

F = TypeVar("F", bound=Callable[..., Any])
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ` Did you mean …?` with the most similar known word, or an empty text if none is similar."""
    close = get_close_matches(word.lower(), list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


class WholeNumber(click.IntRange):
    """An integer in a range; a word is refused as no whole number."""

    name = "whole number"


class Decimal(click.FloatRange):
    """A number in a range, with or without decimals; a word is refused as no number."""

    name = "number"


def number_option(
    *names: str, help_text: str, default: int | None = None, maximum: int | None = None, metavar: str = "N"
) -> Callable[[F], F]:
    """Add an option that takes an integer of at least 1."""
    kind = WholeNumber(1, maximum)
    return click.option(
        *names, type=kind, default=default, show_default=True, metavar=metavar, help=help_text
    )


def score_option(name: str, default: float, help_text: str) -> Callable[[F], F]:
    """Add an option that takes a score from 0 to 1."""
    kind = Decimal(0, 1)
    return click.option(name, type=kind, default=default, show_default=True, metavar="SCORE", help=help_text)


def file_option(*names: str, help_text: str, multiple: bool = False) -> Callable[[F], F]:
    """Add an option that takes the name of a file."""
    return click.option(*names, type=FILE, metavar="FILE", multiple=multiple, help=help_text)


def json_option(what: str) -> Callable[[F], F]:
    """Add `--json`, which prints the result as JSON; `what` names it in the help."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what}.")


language_option = click.option(
    "--language",
    type=click.Choice([*LANGUAGES]),
    default=DEFAULT_LANGUAGE,
    show_default=True,
    help="Language of the sentences.",
)
viewer_option = click.option(
    "--as",
    "viewer",
    metavar="SEAT",
    help="Show only what this seat, or `spectator`, may see. Default: everything.",
)


def viewer_of(text: str | None, seats: int) -> int:
    """Return the viewer for the value of `--as`; None means ARBITER, who sees everything."""
    known: dict[str | None, int] = {None: ARBITER, "spectator": SPECTATOR}
    known |= {str(seat): seat for seat in range(seats)}
    if text not in known:
        choice = join_words([*range(seats), "spectator"], "or")
        raise click.UsageError(f"There is no seat {text!r}. --as takes {choice}.")
    return known[text]


def find_game(name: str) -> Game:
    """Return the installed game with this id."""
    games = finder(click.get_current_context())()
    if name not in games:
        known = f"{did_you_mean(name, games)} Installed: {join_words(games) or 'none'}."
        raise click.BadParameter(f"There is no game {name!r}.{known}")
    return games[name]


def complete_game(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the installed games, for completion with the tab key."""
    known = finder(ctx)().items()
    fitting = [(name, game) for name, game in known if name.startswith(incomplete)]
    return [CompletionItem(name, help=game.titles["en"]) for name, game in fitting]


game_argument = click.argument("game", type=find_game, shell_complete=complete_game, metavar="GAME")


def fresh_seed() -> str:
    """Return a random seed. It is printed, so that the same matches can be played again."""
    return str(randbelow(1_000_000))


def data_set(game: Game, name: str) -> DataSet:
    """Return a data set by its name, or read the user's own file by its path."""
    known = {data.name: data for data in game.data_sets}
    if name in known:
        return known[name]
    if Path(name).is_file():
        return own_data(game, Path(name))
    raise click.UsageError(
        f"{game.id} has no {game.data_option} named {name!r}, and there is no such file."
        f"{did_you_mean(name, known)}"
        f" Available: {join_words(known)}, or the path of your own JSON file."
    )


def own_data(game: Game, path: Path) -> DataSet:
    """Read a data set from a user's own file and name all errors in it."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise click.UsageError(f"{path} is not valid JSON: {error}.") from error
    try:
        return game.admit(path.stem, document)
    except MalformedError as error:
        faults = "\n".join(f"  • {fault.pointer or '/'}: {fault.detail}" for fault in error.faults)
        use = f"{path} cannot be used as the {game.data_option} of {game.id}"
        raise click.UsageError(f"{use}:\n{faults}") from error
