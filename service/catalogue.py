"""The installed games, described for clients: rules, options, moves, facts, data sets, bots and words."""

from functools import cache
from typing import Any

from kontor_games.domain.codec import Plain
from kontor_games.domain.game import DataSet, Game, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import fact_codec, find_rules
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


def game_summaries(language: str) -> list[Plain]:
    """Short descriptions of all games."""
    return [_summary(game, language) for game in installed_games().values()]


@cache
def game_details(game_id: str, language: str) -> dict[str, Plain]:
    """Everything that a client needs to know about a game."""
    game = find_game(game_id)
    rules = _current_rules(game)
    facts = fact_codec(rules)
    current = game.rulesets[-1].version
    return {
        **_summary(game, language),
        "language": language,
        "rules_text": game.rules_texts[language],
        "rulesets": [
            {
                "version": known.version,
                "current": known.version == current,
                "view_schema": find_rules(game.id, known.version, game.data_sets[0].name).view_schema,
            }
            for known in game.rulesets
        ],
        "data_sets": [{"name": known.name, "hash": known.hash} for known in game.data_sets],
        "options": _options(game, rules),
        "moves": {name: rules.move_codec.schema(name) for name in rules.move_codec.types},
        "facts": {name: facts.schema(name) for name in facts.types},
        "words": dict(game.words[language]),
    }


@cache
def data_set_details(game_id: str, name: str) -> dict[str, Plain]:
    """A data set with its document, its format, and derived data."""
    game, known = _find_data_set(game_id, name)
    return {
        "name": known.name,
        "hash": known.hash,
        "document": known.document,
        "format": game.data_format,
        "derived": game.derive(known),
    }


@cache
def data_set_picture(game_id: str, name: str, *, pieces: bool) -> str | None:
    """A data set as an SVG image; None if the game does not draw its data sets."""
    game, known = _find_data_set(game_id, name)
    return game.draw(known, pieces=pieces) if game.draw else None


def _find_data_set(game_id: str, name: str) -> tuple[Game, DataSet]:
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


def _summary(game: Game, language: str) -> dict[str, Plain]:
    return {
        "id": game.id,
        "title": game.titles[language],
        "titles": dict(game.titles),
        "seats": list(_current_rules(game).seat_counts),
        "bots": list(game.bots),
    }


def _options(game: Game, rules: Rules[Any]) -> Plain:
    """JSON Schema of the options, including the choice of a data set."""
    names = [known.name for known in game.data_sets]
    schema = rules.options_shape.schema()
    schema["properties"] = {game.data_option: {"enum": names, "default": names[0]}, **schema["properties"]}
    return schema
