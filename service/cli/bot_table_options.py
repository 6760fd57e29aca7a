"""The options of all commands that let bots play: --bots, --players, --option, --data and --seed."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from kontor_games.domain.codec import Fault, Plain
from kontor_games.domain.game import DataSet, Game, Options, Refusal, Rules
from kontor_games.domain.toolkit.sentences import join_words
from kontor_games.service.arena import Contest, is_own, label_of, with_label
from kontor_games.service.cli.arguments import (
    data_set,
    did_you_mean,
    file_option,
    fresh_seed,
    number_option,
    own_data,
)
from kontor_games.service.cli.command_groups import finder


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
        data = self._data_set(game)
        rules = game.rules(data)
        options = self._options(game, rules)
        bots = self._lineup(game, usual)
        try:
            rules.table(len(bots), options)
        except Refusal as refusal:
            problem = f"{refusal.detail} ({refusal.rule})"
            raise click.UsageError(f"{game.id} cannot be played like this: {problem}") from refusal
        games = finder(click.get_current_context())
        return Contest(game.id, bots, self.seed or fresh_seed(), options, data, games)

    def _data_set(self, game: Game) -> DataSet:
        named = dict(self.pairs).get(game.data_option)
        if named is not None and self.data is not None:
            raise click.UsageError(f"Use either --data or --option {game.data_option}=…, not both.")
        if self.data:
            return own_data(game, self.data)
        return data_set(game, named) if named else game.data_sets[0]

    def _options(self, game: Game, rules: Rules[Any]) -> Options:
        """Return the options of `--option`, with defaults for the rest."""
        values = {key: text for key, text in self.pairs if key != game.data_option}
        schemas = rules.options_shape.schema()["properties"]
        for key in values.keys() - schemas.keys():
            known = [game.data_option, *schemas]
            raise click.UsageError(
                f"{game.id} has no option {key!r}.{did_you_mean(key, known)} It has: {join_words(known)}."
            )
        faults: list[Fault] = []
        plain = {key: _plain(text, schemas[key]) for key, text in values.items()}
        chosen: Options = rules.options_shape.parse(plain, "", faults)
        if faults:
            sentences = [f"Option {fault.pointer.strip('/')} {fault.detail}." for fault in faults]
            raise click.UsageError("\n".join(sentences))
        return chosen

    def _lineup(self, game: Game, usual: Sequence[str]) -> tuple[str, ...]:
        """Return a bot for each seat: those of --bots or else `usual`; the last one fills the other seats."""
        names = [with_label(name.strip()) for name in self.bots.split(",")] if self.bots else list(usual)
        for name in names:
            if name not in game.all_bots and not is_own(name):
                known = f"{did_you_mean(name, game.all_bots)} It has: {join_words(game.all_bots)}."
                own = "Name your own as bot.py:Class, exec:COMMAND or http://HOST:PORT."
                raise click.UsageError(f"{game.id} has no bot {name!r}.{known} {own}")
        _check_labels(game, names)
        counts = game.rules().seat_counts
        usual_seats = 4 if 4 in counts else max(counts)
        seats = self.players or (len(names) if self.bots else usual_seats)
        takes = f"{game.id} is for {join_words(counts, 'or')} players"
        if seats not in counts:
            fill = f"add --players {usual_seats}: the last bot then fills the remaining seats"
            hint = f" Name one bot for each seat, or {fill}." if self.bots else ""
            raise click.UsageError(f"{takes}, not {seats}.{hint}")
        if self.bots and len(names) > seats:
            raise click.UsageError(f"--bots names {len(names)} bots for {seats} players; {takes}.")
        return tuple((names + names[-1:] * seats)[:seats])


def _plain(text: str, schema: Mapping[str, Plain]) -> Plain:
    """Parse a value as JSON unless the option takes text; a list may also be written with commas."""
    if schema.get("type") == "string" or text in schema.get("enum", ()):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text.split(",") if schema.get("type") == "array" else text


def _check_labels(game: Game, names: Sequence[str]) -> None:
    """Refuse names of own bots that could be confused with other bots in the results."""
    for name in filter(is_own, names):
        label = label_of(name)
        if not label:
            raise click.UsageError(f"Give your bot a name before the equals sign: mine{name}")
        if label in game.all_bots:
            raise click.UsageError(f"{label!r} is a house bot. {_RENAME}")
        if any(label_of(other) == label and other != name for other in names):
            raise click.UsageError(f"Two different bots are named {label!r}. {_RENAME}")


_RENAME = "Give your own bot another name, before an equals sign: mine=bot.py:Class"


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


def key_value(text: str) -> tuple[str, str]:
    """Return key and value of an option of the form `key=value`."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise click.BadParameter(f"{text!r} is not of the form KEY=VALUE.")
    return key, value


_BOTS = click.option(
    "--bots",
    metavar="NAME,NAME,…",
    help="One bot for each seat: a house bot (`kontor games` lists them), or your own as bot.py:Class,"
    " exec:COMMAND or http://HOST:PORT; with NAME= before it, it has that name (docs/own-bots.md).",
)
_OPTIONS = (
    number_option("--players", help_text="Number of seats. The last bot named fills the remaining seats."),
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
