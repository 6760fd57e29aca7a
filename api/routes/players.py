"""Accounts: register, look, rename, erase."""

from flask import Response

from kontor_games.api import response_schemas as schemas
from kontor_games.api.contract import ANYONE, PLAYER, Reply, Routes
from kontor_games.api.links import LINKS
from kontor_games.api.render import json_response, player
from kontor_games.api.request import ApiRequest
from kontor_games.api.request_schemas import NewPlayer, Renaming

routes = Routes("players", __name__, description="Accounts of people and programs.")


@routes.post(
    "/v1/players",
    Reply(201, "The new player.", schemas.Registered, headers=("Location", "Idempotency-Replayed"), links=LINKS["register_player"]),
    who=ANYONE,
    cost="register",
    body=NewPlayer(),
    headers=("Idempotency-Key-Secret",),
    problems=(503,),
)
def register_player(call: ApiRequest) -> Response:
    """Registers a player and gives the first token, which is shown only here."""
    made = call.kontor.players.register(call.body["name"], bot=call.body["bot"], key=call.key, body=call.digest)
    response = json_response({**player(made.player), "token": made.token}, 201)
    response.headers["Location"] = f"/v1/players/{made.player.id}"
    return mark_replay(response, replayed=made.replayed)


def mark_replay(response: Response, *, replayed: bool) -> Response:
    """Says so where an answer is the first one again."""
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


@routes.get("/v1/players/<id:player_id>", Reply(200, "The player.", schemas.Player))
def get_player(call: ApiRequest, player_id: str) -> Response:
    """Shows a player."""
    return json_response(player(call.kontor.players.get(player_id)))


@routes.get("/v1/me", Reply(200, "You.", schemas.Player), who=PLAYER)
def get_me(call: ApiRequest) -> Response:
    """Shows the player whose token this is."""
    return json_response(player(call.kontor.players.get(call.player.player)))


@routes.patch("/v1/me", Reply(200, "You, renamed.", schemas.Player), who=PLAYER, body=Renaming())
def rename_me(call: ApiRequest) -> Response:
    """Gives you another name, in past matches too."""
    return json_response(player(call.kontor.players.rename(call.player, call.body["name"])))


@routes.delete("/v1/me", Reply(204, "Nothing is left but the id."), who=PLAYER)
def erase_me(call: ApiRequest) -> Response:
    """Erases your name and all your tokens for good; what you played stays, under your id alone."""
    call.kontor.players.erase(call.player)
    return Response(status=204)
