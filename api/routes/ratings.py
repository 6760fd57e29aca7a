"""Ratings: the ladders of people and of programs."""

from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import Answer, json_response
from kontor_games.api.request import ApiRequest
from kontor_games.api.schemas.queries import RatingsQuery
from kontor_games.service.ratings.queries import LadderPage

routes = Routes(
    "ratings", __name__, description="Ladders: ratings from matches that were announced as rated."
)


@routes.get("/v1/ratings", Reply(200, "One page of the ladder.", LadderPage), query=RatingsQuery())
def list_ratings(request: ApiRequest) -> Answer:
    """List the players of a game by rating, the strongest first.

    Only matches created with `rated` count; docs/ratings.md explains how.
    """
    return json_response(request.kontor.ratings.page(**request.query))
