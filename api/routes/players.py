"""Accounts: register, look, rename, erase."""

from flask import Response

from kontor_games.api import response_schemas as schemas
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.links import LINKS
from kontor_games.api.render import json_response, player
from kontor_games.api.request import ANYONE, PLAYER, ApiRequest
from kontor_games.api.request_schemas import NewPlayer, Renaming

routes = Routes("players", __name__, description="Accounts of people and programs.")


@routes.post(
    "/v1/players",
    Reply(
        201,
        "The new player.",
        schemas.Registered,
        headers=("Location", "Idempotency-Replayed"),
        links=LINKS["register_player"],
    ),
    who=ANYONE,
    cost="register",
    body=NewPlayer(),
    headers=("Idempotency-Key-Secret",),
    problems=(503,),
)
def register_player(request: ApiRequest) -> Response:
    """Create an account and return its first token, which is shown only once."""
    made = request.kontor.players.register(
        request.body["name"], bot=request.body["bot"], key=request.key, body=request.digest
    )
    response = json_response({**player(made.player), "token": made.token}, 201)
    response.headers["Location"] = f"/v1/players/{made.player.id}"
    return mark_replay(response, replayed=made.replayed)


def mark_replay(response: Response, *, replayed: bool) -> Response:
    """Says so where an answer is the first one again."""
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


@routes.get("/v1/players/<id:player_id>", Reply(200, "The player.", schemas.Player))
def get_player(request: ApiRequest, player_id: str) -> Response:
    """Get a player."""
    return json_response(player(request.kontor.players.get(player_id)))


@routes.get("/v1/me", Reply(200, "Your account.", schemas.Player), who=PLAYER)
def get_me(request: ApiRequest) -> Response:
    """Get your own account: the player to whom the token belongs."""
    return json_response(player(request.kontor.players.get(request.player.player)))


@routes.patch(
    "/v1/me", Reply(200, "Your account with the new name.", schemas.Player), who=PLAYER, body=Renaming()
)
def rename_me(request: ApiRequest) -> Response:
    """Change your name, in past matches too."""
    return json_response(player(request.kontor.players.rename(request.player, request.body["name"])))


@routes.delete("/v1/me", Reply(204, "The name and all tokens are deleted; the id remains."), who=PLAYER)
def erase_me(request: ApiRequest) -> Response:
    """Delete your name and all your tokens permanently. Your matches remain, with your id only.

    You resign from every match that is running. In matches that are open you leave your seat; those that you created
    with a seat for yourself are aborted.
    """
    request.kontor.erase(request.player)
    return Response(status=204)
