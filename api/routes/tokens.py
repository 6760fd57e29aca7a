"""Tokens: list, create, revoke."""

from flask import Response

from kontor_games.api import response_schemas as schemas
from kontor_games.api.contract import PLAYER, Reply, Routes
from kontor_games.api.links import LINKS
from kontor_games.api.render import json_response, token
from kontor_games.api.request import ApiRequest
from kontor_games.api.request_schemas import NewToken
from kontor_games.api.routes.players import mark_replay

routes = Routes("tokens", __name__, description="What opens the door, and how far.")


@routes.get("/v1/tokens", Reply(200, "Your tokens.", schemas.TokenList), who=PLAYER)
def list_tokens(call: ApiRequest) -> Response:
    """Lists your tokens, without their text."""
    return json_response({"tokens": [token(known) for known in call.kontor.tokens.list(call.player)]})


@routes.post(
    "/v1/tokens",
    Reply(201, "The new token.", schemas.IssuedToken, headers=("Idempotency-Replayed",), links=LINKS["create_token"]),
    who=PLAYER,
    body=NewToken(),
    headers=("Idempotency-Key-Secret",),
    problems=(403, 409),
)
def create_token(call: ApiRequest) -> Response:
    """Makes a further token: it may do no more, and lasts no longer, than the one that asks."""
    wish = call.body
    issued = call.kontor.tokens.create(call.player, wish["label"], wish["scopes"], wish["expires_in_ms"], call.key, call.digest)
    response = json_response({**token(issued.token), "token": issued.text}, 201)
    return mark_replay(response, replayed=issued.replayed)


@routes.delete("/v1/tokens/<id:token_id>", Reply(204, "It opens nothing any more."), who=PLAYER)
def revoke_token(call: ApiRequest, token_id: str) -> Response:
    """Revokes one of your tokens; the one you ask with included."""
    call.kontor.tokens.revoke(call.player, token_id)
    return Response(status=204)
