"""Arguments and options that several commands share. Error messages list the valid values."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from secrets import randbelow
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from kontor_games.domain.codec import ARBITER, SPECTATOR, Fault, MalformedError, Plain
from kontor_games.domain.game import DataSet, Game, Options, Refusal, Rules
from kontor_games.domain.toolkit.languages import DEFAULT_LANGUAGE, LANGUAGES
from kontor_games.domain.toolkit.sentences import join_words
from kontor_games.service.arena import Contest, is_own, label_of
from kontor_games.service.cli.command_groups import finder

F = TypeVar("F", bound=Callable[..., Any])
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def join_or_none(words: Iterable[object], last: str = "or") -> str:
    """Join words for a sentence: `2, 3 or 4`; `none` if there are none."""
    return join_words(words, last) or "none"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ` Did you mean …?` with the most similar known word, or an empty text if none is similar."""
    close = get_close_matches(word.lower(), list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def number_option(name: str, default: int, help_text: str, maximum: int | None = None) -> Callable[[F], F]:
    """Add an option that takes an integer of at least 1."""
    kind = click.IntRange(1, maximum)
    return click.option(name, type=kind, default=default, show_default=True, metavar="N", help=help_text)


def score_option(name: str, default: float, help_text: str) -> Callable[[F], F]:
    """Add an option that takes a score from 0 to 1."""
    kind = click.FloatRange(0, 1)
    return click.option(name, type=kind, default=default, show_default=True, metavar="SCORE", help=help_text)


def file_option(*names: str, help_text: str, multiple: bool = False) -> Callable[[F], F]:
    """Add an option that takes the name of a file."""
    return click.option(*names, type=FILE, metavar="FILE", multiple=multiple, help=help_text)


def json_option(what: str) -> Callable[[F], F]:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what} as JSON.")


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
        choice = join_or_none([*range(seats), "spectator"])
        raise click.UsageError(f"There is no seat {text!r}. --as takes {choice}.")
    return known[text]


def find_game(name: str) -> Game:
    """Return the installed game with this id."""
    games = finder(click.get_current_context())()
    if name not in games:
        known = f"{did_you_mean(name, games)} Installed: {join_or_none(games, 'and')}."
        raise click.BadParameter(f"There is no game {name!r}.{known}")
    return games[name]


def complete_game(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the installed games, for completion with the tab key."""
    known = finder(ctx)().items()
    fitting = [(name, game) for name, game in known if name.startswith(incomplete)]
    return [CompletionItem(name, help=game.titles["en"]) for name, game in fitting]


def key_value(text: str) -> tuple[str, str]:
    """Split `key=value`."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise click.BadParameter(f"{text!r} is not of the form KEY=VALUE.")
    return key, value


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
        f" Available: {join_or_none(known, 'and')}, or the path of your own JSON file."
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


def options(game: Game, pairs: Sequence[tuple[str, str]], data: Path | None) -> tuple[DataSet, Options]:
    """Return the data set and the options of `--option` and `--data`, with defaults for the rest."""
    values = dict(pairs)
    named = values.pop(game.data_option, None)
    if named is not None and data is not None:
        raise click.UsageError(f"Use either --data or --option {game.data_option}=…, not both.")
    chosen = own_data(game, data) if data else data_set(game, named) if named else game.data_sets[0]
    return chosen, _options(game, game.rules(chosen), values)


def _options(game: Game, rules: Rules[Any], values: Mapping[str, str]) -> Options:
    schemas = rules.options_shape.schema()["properties"]
    for key in values.keys() - schemas.keys():
        known = [game.data_option, *schemas]
        raise click.UsageError(
            f"{game.id} has no option {key!r}.{did_you_mean(key, known)}"
            f" It has: {join_or_none(known, 'and')}."
        )
    faults: list[Fault] = []
    plain = {key: _plain(text, schemas[key]) for key, text in values.items()}
    chosen: Options = rules.options_shape.parse(plain, "", faults)
    if faults:
        sentences = [f"Option {fault.pointer.strip('/')} {fault.detail}." for fault in faults]
        raise click.UsageError("\n".join(sentences))
    return chosen


def _plain(text: str, schema: Mapping[str, Plain]) -> Plain:
    """Parse a value as JSON unless the option takes text; a list may also be written with commas."""
    if schema.get("type") == "string" or text in schema.get("enum", ()):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text.split(",") if schema.get("type") == "array" else text


def lineup(
    game: Game, rules: Rules[Any], bots: str | None, players: int | None, usual: Sequence[str]
) -> tuple[str, ...]:
    """Return a bot for each seat: those in `bots` or else `usual`; the last one fills the other seats."""
    names = [name.strip() for name in bots.split(",")] if bots else list(usual)
    for name in names:
        if name not in game.bots and not is_own(name):
            known = f"{did_you_mean(name, game.bots)} It has: {join_or_none(game.bots, 'and')}."
            raise click.UsageError(f"{game.id} has no bot {name!r}.{known}")
    _check_labels(game, names)
    seats = players or (len(names) if bots else usual_seats(rules))
    _check_seats(game, rules, seats, len(names) if bots else 0)
    return tuple((names + names[-1:] * seats)[:seats])


def _check_labels(game: Game, names: Sequence[str]) -> None:
    """Refuse names of own bots that could be confused with other bots in the results."""
    for name in filter(is_own, names):
        label = label_of(name)
        if not label:
            raise click.UsageError(f"Give your bot a name before the equals sign: mine{name}")
        if label in game.bots:
            raise click.UsageError(f"{label!r} is a house bot. Give your own bot another name.")
        if any(label_of(other) == label and other != name for other in names):
            raise click.UsageError(f"Two different bots are named {label!r}.")


def _check_seats(game: Game, rules: Rules[Any], seats: int, named: int) -> None:
    takes = f"{game.id} is for {join_or_none(rules.seat_counts)} players"
    if seats not in rules.seat_counts:
        fill = f"add --players {usual_seats(rules)}: the last bot then fills the remaining seats"
        hint = f" Name one bot for each seat, or {fill}." if named else ""
        raise click.UsageError(f"{takes}, not {seats}.{hint}")
    if named > seats:
        raise click.UsageError(f"--bots names {named} bots for {seats} players; {takes}.")


def usual_seats(rules: Rules[Any]) -> int:
    """Return four if the game can be played by four, otherwise its highest number of players."""
    return 4 if 4 in rules.seat_counts else max(rules.seat_counts)


def make_contest(game: Game, bots: tuple[str, ...], seed: str, chosen: tuple[DataSet, Options]) -> Contest:
    """Return the contest between these bots, or raise if the game does not allow these seats and options."""
    data, picked = chosen
    try:
        game.rules(data).table(len(bots), picked)
    except Refusal as refusal:
        problem = f"{refusal.detail} ({refusal.rule})"
        raise click.UsageError(f"{game.id} cannot be played like this: {problem}") from refusal
    games = finder(click.get_current_context())
    return Contest(game=game.id, bots=bots, seed=seed, options=picked, data=data, games=games)
