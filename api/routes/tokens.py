"""Tokens: list, create, revoke."""

from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import Answer, json_response, replay_header
from kontor_games.api.request import PLAYER, ApiRequest
from kontor_games.api.schemas.players import TokenRequest
from kontor_games.service.people.tokens import ACCOUNT, IssuedToken, TokenList

routes = Routes("tokens", __name__, description="Access tokens and their scopes.")


@routes.get("/v1/tokens", Reply(200, "Your tokens.", TokenList), who=ACCOUNT)
def list_tokens(request: ApiRequest) -> Answer:
    """List your valid tokens, without the secret text of the tokens."""
    return json_response(TokenList(request.kontor.tokens.list(request.player)))


@routes.post(
    "/v1/tokens",
    Reply(201, "The new token.", IssuedToken, headers=("Idempotency-Replayed",)),
    who=ACCOUNT,
    body=TokenRequest(),
    headers=("Idempotency-Key-Secret",),
)
def create_token(request: ApiRequest) -> Answer:
    """Create another token, with at most the scopes and the lifetime of the token of this request."""
    body = request.body
    issued = request.kontor.tokens.create(
        request.player, body["label"], body["scopes"], body["expires_in_ms"], request.key, request.digest
    )
    return json_response(issued, 201, headers=replay_header(replayed=issued.replayed))


@routes.delete(
    "/v1/tokens/<id:token_id>", Reply(204, "The token is no longer valid."), who=PLAYER, problems=(403,)
)
def revoke_token(request: ApiRequest, token_id: str) -> Answer:
    """Revoke the token of this request or, with the scope `account`, any of your tokens.

    All processes of the service refuse the token within a second. Its open streams end, too.
    """
    request.kontor.tokens.revoke(request.player, token_id)
    return Answer(status=204)
