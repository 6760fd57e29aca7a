"""Tokens: list, create, revoke."""

from flask import Response

from api import schemas
from api.asking import Asked
from api.contract import PLAYER, Reply, Routes
from api.forms import NewToken
from api.links import LINKS
from api.players import mark_replay
from api.render import json_response, token

routes = Routes("tokens", __name__, description="What opens the door, and how far.")


@routes.get("/v1/tokens", Reply(200, "Your tokens.", schemas.TokenList), who=PLAYER)
def list_tokens(asked: Asked) -> Response:
    """Lists your tokens, without their text."""
    return json_response({"tokens": [token(known) for known in asked.kontor.tokens.list(asked.player)]})


@routes.post(
    "/v1/tokens",
    Reply(201, "The new token.", schemas.IssuedToken, headers=("Idempotency-Replayed",), links=LINKS["create_token"]),
    who=PLAYER,
    body=NewToken(),
    headers=("Idempotency-Key-Secret",),
    problems=(403, 409),
)
def create_token(asked: Asked) -> Response:
    """Makes a further token: it may do no more, and lasts no longer, than the one that asks."""
    wish = asked.body
    issued = asked.kontor.tokens.create(asked.player, wish["label"], wish["scopes"], wish["expires_in_ms"], asked.key, asked.digest)
    response = json_response({**token(issued.token), "token": issued.text}, 201)
    return mark_replay(response, replayed=issued.replayed)


@routes.delete("/v1/tokens/<id:token_id>", Reply(204, "It opens nothing any more."), who=PLAYER)
def revoke_token(asked: Asked, token_id: str) -> Response:
    """Revokes one of your tokens; the one you ask with included."""
    asked.kontor.tokens.revoke(asked.player, token_id)
    return Response(status=204)
