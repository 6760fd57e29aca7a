"""Games: what can be played here, with everything a client needs to know of it."""

from collections.abc import Collection
from functools import cache
from typing import Any

from flask import Response, request

from kontor_games.api import response_schemas as schemas
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.links import LINKS
from kontor_games.api.render import encode
from kontor_games.api.request import ApiRequest
from kontor_games.domain.codec import Plain, digest
from kontor_games.domain.entry import fact_codec, find_rules
from kontor_games.domain.game import Game, Rules
from kontor_games.domain.games import installed_games
from kontor_games.service.errors import NotFoundError

routes = Routes("games", __name__, description="What can be played here.")
_PUBLIC = "public, max-age=300"
_HEADERS = ("Accept-Language", "If-None-Match")
_CACHED = Reply(304, "You have it already.", headers=("ETag",))


@routes.get("/v1/games", Reply(200, "The games.", schemas.GameList, headers=("ETag", "Content-Language")), _CACHED, headers=_HEADERS)
def list_games(call: ApiRequest) -> Response:
    """Lists the games of this service.

    The language is chosen by Accept-Language among those in which every game has a title; if there is none of yours, it is English.
    """
    games = installed_games().values()
    language = _language(set.intersection(*(set(game.titles) for game in games)))
    return _public({"games": [_summary(game, language) for game in games]}, language)


@routes.get(
    "/v1/games/<game:game_id>",
    Reply(200, "The game.", schemas.GameDetails, headers=("ETag", "Content-Language"), links=LINKS["get_game"]),
    _CACHED,
    headers=_HEADERS,
)
def get_game(call: ApiRequest, game_id: str) -> Response:
    """Shows a game: rules, options, moves, facts, data sets and bots, with title, rules and words in your language.

    The language is chosen by Accept-Language among those that the game has; if there is none of yours, it is English.
    """
    game = _find(game_id)
    language = _language(game.languages)
    return _public(_details(game.id, language), language)


@routes.get(
    "/v1/games/<game:game_id>/data-sets/<name:data_set>",
    Reply(200, "The data set.", schemas.DataSet, headers=("ETag",)),
    _CACHED,
    headers=("If-None-Match",),
)
def get_data_set(call: ApiRequest, game_id: str, data_set: str) -> Response:
    """Shows what is printed on the cards or boards of a data set."""
    game = _find(game_id)
    if data_set not in [known.name for known in game.data_sets]:
        raise NotFoundError(f"{game.id} has no such {game.data_option}")
    known = game.data_set(data_set)
    return _public({"name": known.name, "hash": known.hash, "document": known.document})


def _find(game_id: str) -> Game:
    if game_id not in installed_games():
        raise NotFoundError("there is no such game")
    return installed_games()[game_id]


def _language(offered: Collection[str]) -> str:
    """The first language the client likes that there is; a dialect counts as its language (RFC 4647 lookup)."""
    for wanted, quality in request.accept_languages:
        primary = wanted.partition("-")[0].lower()
        if quality > 0 and primary in offered:
            return primary
    return "en"


def _public(data: Plain, language: str | None = None) -> Response:
    """An answer that is the same for everyone, and changes only with an upgrade."""
    response = Response(encode(data), content_type="application/json")
    response.set_etag(digest(data)[:16])
    response.headers["Cache-Control"] = _PUBLIC
    if language:
        response.headers["Content-Language"] = language
        response.vary.add("Accept-Language")
    response.make_conditional(request.environ)
    return response


def _summary(game: Game, language: str) -> dict[str, Plain]:
    rules = find_rules(game.id, None, game.data_sets[0].name)
    return {
        "id": game.id,
        "title": game.titles[language],
        "titles": dict(game.titles),
        "seats": list(rules.seat_counts),
        "bots": list(game.bots),
    }


@cache
def _details(game_id: str, language: str) -> dict[str, Plain]:
    game = installed_games()[game_id]
    rules = find_rules(game.id, None, game.data_sets[0].name)
    facts = fact_codec(rules)
    current = game.rulesets[-1].version
    return {
        **_summary(game, language),
        "language": language,
        "rules_text": game.rules_texts[language],
        "rulesets": [{"version": known.version, "current": known.version == current} for known in game.rulesets],
        "data_sets": [{"name": known.name, "hash": known.hash} for known in game.data_sets],
        "options": _options(game, rules),
        "moves": {name: rules.move_codec.schema(name) for name in rules.move_codec.types},
        "facts": {name: facts.schema(name) for name in facts.types},
        "words": dict(game.words[language]),
    }


def _options(game: Game, rules: Rules[Any]) -> Plain:
    """JSON Schema of the options, the choice of a data set among them."""
    names = [known.name for known in game.data_sets]
    schema = rules.options_shape.schema()
    schema["properties"] = {game.data_option: {"enum": names, "default": names[0]}, **schema["properties"]}
    return schema
