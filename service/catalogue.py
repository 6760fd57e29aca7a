"""The installed games, described for clients: rules, options, moves, facts, data sets, bots and words."""

from functools import cache
from typing import Any

from msgspec import Struct

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import DataSet as PrintedSet
from kontor_games.domain.game import Game, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import fact_codec, find_rules
from kontor_games.service.answer_fields import Inline, Object
from kontor_games.service.errors import NotFoundError


def find_game(game_id: str) -> Game:
    """Return the game with this id; raise NotFoundError, with a list of the games, if there is none."""
    games = installed_games()
    if game_id not in games:
        raise NotFoundError(f"There is no such game. The games of this service are {', '.join(games)}.")
    return games[game_id]


def common_languages() -> set[str]:
    """The languages in which every game has a title."""
    return set.intersection(*(set(game.titles) for game in installed_games().values()))


class GameSummary(Struct, frozen=True):
    """A game in the list."""

    id: str
    """Id of the game, used in requests."""
    title: str
    """Title in the language that `Content-Language` names."""
    titles: dict[str, str]
    """Title by language code."""
    seats: tuple[int, ...]
    """Possible numbers of seats."""
    bots: list[str]
    """Names of the house bots of this game."""
    bot_versions: dict[str, int]
    """Current version of each house bot."""


class GameList(Struct, frozen=True):
    """All games of this service."""

    games: list[GameSummary]
    """The games, ordered by id."""


class DataSetSummary(Struct, frozen=True):
    """The printed cards or boards of a game."""

    name: str
    """Name of the data set; a match selects it in its options."""
    hash: str
    """SHA-256 of the canonical JSON of the document; recorded in each match."""


class RulesetSummary(Struct, frozen=True):
    """One version of a game's rules."""

    version: int
    """Version number, from 1."""
    current: bool
    """Whether new matches use this version."""
    view_schema: Object
    """JSON Schema of `view` in matches of this version, with a description of each field."""


class GameDetails(Struct, frozen=True):
    """A game: rules, options, moves, facts, data sets and names."""

    summary: Inline[GameSummary]
    language: str
    """Language of `title`, `rules_text` and `words`."""
    rules_text: str
    """The rules for players, in Markdown."""
    rulesets: list[RulesetSummary]
    """All versions of the rules, oldest first."""
    data_sets: list[DataSetSummary]
    """The data sets; the first one is the default."""
    options: Object
    """JSON Schema of the options for a match."""
    moves: Object
    """JSON Schema of every kind of move, by `type`."""
    facts: Object
    """JSON Schema of every kind of fact, by `type`. In a fact as you see it, the names of fields that are
    hidden from you are listed in its member `hidden`."""
    words: Object
    """Names, by id, of everything that views and facts refer to, in `language`."""


class DataSet(DataSetSummary, frozen=True):
    """A data set with its document."""

    document: Object
    """What is printed on the cards or boards, in the format of the game."""
    format: str
    """Description of `document` and `derived`, in Markdown."""
    derived: Object
    """Data computed from the document: its parts by the ids that views and facts use, which places are
    adjacent, and coordinates in the picture."""


def game_summaries(language: str) -> GameList:
    """Short descriptions of all games."""
    return GameList([_summary(game, language) for game in installed_games().values()])


@cache
def game_details(game_id: str, language: str) -> GameDetails:
    """Everything that a client needs to know about a game."""
    game = find_game(game_id)
    rules = _current_rules(game)
    facts = fact_codec(rules)
    current = game.rulesets[-1].version
    return GameDetails(
        summary=_summary(game, language),
        language=language,
        rules_text=game.rules_texts[language],
        rulesets=[
            RulesetSummary(
                known.version,
                known.version == current,
                find_rules(game.id, known.version, game.data_sets[0].name).view_schema,
            )
            for known in game.rulesets
        ],
        data_sets=[DataSetSummary(known.name, known.hash) for known in game.data_sets],
        options=_options(game, rules),
        moves={name: rules.move_codec.schema(name) for name in rules.move_codec.types},
        facts={name: facts.schema(name) for name in facts.types},
        words=dict(game.words[language]),
    )


@cache
def data_set_details(game_id: str, name: str) -> DataSet:
    """A data set with its document, its format, and derived data."""
    game, known = _find_data_set(game_id, name)
    return DataSet(known.name, known.hash, known.document, game.data_format, game.derive(known))


@cache
def data_set_picture(game_id: str, name: str, *, pieces: bool) -> str | None:
    """A data set as an SVG image; None if the game does not draw its data sets."""
    game, known = _find_data_set(game_id, name)
    return game.draw(known, pieces=pieces) if game.draw else None


def _find_data_set(game_id: str, name: str) -> tuple[Game, PrintedSet]:
    """Return a game and its data set; raise NotFoundError, with a list of those it has, if there is none."""
    game = find_game(game_id)
    names = [known.name for known in game.data_sets]
    if name not in names:
        raise NotFoundError(
            f"{game.id} has no {game.data_option} with this name. Available: {', '.join(names)}."
        )
    return game, game.data_set(name)


def _current_rules(game: Game) -> Rules[Any]:
    return find_rules(game.id, None, game.data_sets[0].name)


def _summary(game: Game, language: str) -> GameSummary:
    seats = tuple(_current_rules(game).seat_counts)
    versions = {name: bot.version for name, bot in game.all_bots.items()}
    titles = dict(game.titles)
    return GameSummary(game.id, titles[language], titles, seats, list(versions), versions)


def _options(game: Game, rules: Rules[Any]) -> Plain:
    """JSON Schema of the options, including the choice of a data set."""
    names = [known.name for known in game.data_sets]
    schema = rules.options_shape.schema()
    schema["properties"] = {game.data_option: {"enum": names, "default": names[0]}, **schema["properties"]}
    return schema
