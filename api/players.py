"""Accounts: register, look, rename, erase."""

from flask import Response

from api import schemas
from api.asking import Asked
from api.contract import ANYONE, PLAYER, Reply, Routes
from api.forms import NewPlayer, Renaming
from api.links import LINKS
from api.render import json_response, player

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
def register_player(asked: Asked) -> Response:
    """Registers a player and gives the first token, which is shown only here."""
    made = asked.kontor.players.register(asked.body["name"], bot=asked.body["bot"], key=asked.key, body=asked.digest)
    response = json_response({**player(made.player), "token": made.token}, 201)
    response.headers["Location"] = f"/v1/players/{made.player.id}"
    return mark_replay(response, replayed=made.replayed)


def mark_replay(response: Response, *, replayed: bool) -> Response:
    """Says so where an answer is the first one again."""
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


@routes.get("/v1/players/<id:player_id>", Reply(200, "The player.", schemas.Player))
def get_player(asked: Asked, player_id: str) -> Response:
    """Shows a player."""
    return json_response(player(asked.kontor.players.get(player_id)))


@routes.get("/v1/me", Reply(200, "You.", schemas.Player), who=PLAYER)
def get_me(asked: Asked) -> Response:
    """Shows the player whose token this is."""
    return json_response(player(asked.kontor.players.get(asked.player.player)))


@routes.patch("/v1/me", Reply(200, "You, renamed.", schemas.Player), who=PLAYER, body=Renaming())
def rename_me(asked: Asked) -> Response:
    """Gives you another name, in past matches too."""
    return json_response(player(asked.kontor.players.rename(asked.player, asked.body["name"])))


@routes.delete("/v1/me", Reply(204, "Nothing is left but the id."), who=PLAYER)
def erase_me(asked: Asked) -> Response:
    """Erases your name and all your tokens for good; what you played stays, under your id alone."""
    asked.kontor.players.erase(asked.player)
    return Response(status=204)
