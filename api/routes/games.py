"""Games: titles, rules, options, moves, facts and data sets."""

from msgspec import Struct

from kontor_games.api.contract import NOT_MODIFIED, Reply, Routes
from kontor_games.api.document_language import accepted_language, in_language
from kontor_games.api.problems import NotAcceptableError
from kontor_games.api.render import JSON, Answer, encode, public_response, varying
from kontor_games.api.request import ApiRequest
from kontor_games.api.schemas.queries import DataSetQuery
from kontor_games.service import catalogue

routes = Routes(
    "games", __name__, description="The games of this service: rules, options, moves, facts, data sets."
)
SVG = "image/svg+xml"
_HEADERS = ("Accept-Language", "If-None-Match")


@routes.get(
    "/v1/games",
    Reply(200, "The games.", catalogue.GameList, headers=("ETag", "Content-Language")),
    NOT_MODIFIED,
    headers=_HEADERS,
)
def list_games(request: ApiRequest) -> Answer:
    """List the games of this service.

    `Accept-Language` selects the language of the titles. They are in English unless all games have titles in
    a language that you accept.
    """
    language = accepted_language(request, catalogue.common_languages())
    return _public(request, catalogue.game_summaries(language), language)


@routes.get(
    "/v1/games/<game:game_id>",
    Reply(200, "The game.", catalogue.GameDetails, headers=("ETag", "Content-Language")),
    NOT_MODIFIED,
    headers=_HEADERS,
)
def get_game(request: ApiRequest, game_id: str) -> Answer:
    """Get a game: rules, options, moves, facts, data sets, bots, and names of cards and places.

    `Accept-Language` selects the language of title, rules and names. They are in English if the game is not
    translated into a language that you accept.
    """
    language = accepted_language(request, catalogue.find_game(game_id).languages)
    return _public(request, catalogue.game_details(game_id, language), language)


@routes.get(
    "/v1/games/<game:game_id>/data-sets/<name:data_set>",
    Reply(200, "The data set.", catalogue.DataSet, (JSON, SVG), headers=("ETag",)),
    NOT_MODIFIED,
    query=DataSetQuery(),
    headers=("If-None-Match",),
)
def get_data_set(request: ApiRequest, game_id: str, data_set: str) -> Answer:
    """Get a data set: the printed cards or boards, and data derived from them.

    `Accept: image/svg+xml` returns a picture of it, if the game has one.
    """
    if request.media_type == SVG:
        picture = catalogue.data_set_picture(game_id, data_set, pieces=request.query["pieces"])
        if picture is None:
            raise NotAcceptableError(f"There is no picture. Available media types: {JSON}.")
        response = public_response(request.http, picture.encode(), SVG)
    else:
        response = public_response(request.http, encode(catalogue.data_set_details(game_id, data_set)))
    return varying(response, "Accept")


def _public(request: ApiRequest, answer: Struct, language: str) -> Answer:
    return public_response(request.http, encode(answer), headers=in_language(language))
