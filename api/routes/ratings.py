"""Ratings: the ladders of people and of programs."""

from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import Answer, json_response, ladder_entry
from kontor_games.api.request import ApiRequest
from kontor_games.api.schemas import ladders as schemas

routes = Routes(
    "ratings", __name__, description="Ladders: ratings from matches that were announced as rated."
)


@routes.get(
    "/v1/ratings", Reply(200, "One page of the ladder.", schemas.LadderPage), query=schemas.RatingsQuery()
)
def list_ratings(request: ApiRequest) -> Answer:
    """List the players of a game by rating, the strongest first.

    Only matches created with `rated` count; docs/ratings.md explains how.
    """
    query = request.query
    page = request.kontor.ratings.page(**query)
    shown = {"game": query["game"], "kind": query["kind"]}
    entries = [ladder_entry(one) for one in page.entries]
    return json_response({**shown, "ratings": entries, "next": page.next})
