"""Accounts: registration, device codes, lists, settings, signing keys, deletion."""

from typing import Any

from kontor_games.api.answers import Me, MyQuotas, PlayerProfile, UsedToken
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import Answer, json_response, replay_header
from kontor_games.api.request import ANYONE, PLAYER, ApiRequest
from kontor_games.api.schemas import players as requests
from kontor_games.api.schemas.queries import PlayersQuery
from kontor_games.service.answer_fields import moment
from kontor_games.service.people.device_codes import IssuedDeviceCode, RedeemedAccount
from kontor_games.service.people.directory import PlayerPage
from kontor_games.service.people.players import Player, Registered
from kontor_games.service.people.tokens import ACCOUNT, ADMIN, SCOPES

routes = Routes("players", __name__, description="Accounts of people and programs.")
_SECRET_KEY = ("Idempotency-Key-Secret",)
_NEW_TOKEN: dict[str, Any] = {
    "who": ANYONE,
    "cost": "register",
    "headers": _SECRET_KEY,
    "problems": (403, 503),
}
"""The contract of requests that return a token to somebody who has none."""


@routes.post(
    "/v1/players",
    Reply(201, "The new player.", Registered, headers=("Location", "Idempotency-Replayed")),
    body=requests.PlayerRequest(),
    **_NEW_TOKEN,
)
def register_player(request: ApiRequest) -> Answer:
    """Create an account and return its first token, which is shown only once.

    The number of new accounts per IP address and hour is limited.
    """
    made = request.kontor.players.register(
        request.body["name"],
        bot=request.body["bot"],
        key=request.key,
        body=request.digest,
        address=request.address,
    )
    headers = {"Location": f"/v1/players/{made.player.id}", **replay_header(replayed=made.replayed)}
    return json_response(made, 201, headers=headers)


@routes.post(
    "/v1/me/device-codes",
    Reply(201, "The code.", IssuedDeviceCode),
    body=requests.DeviceCodeRequest(),
    who=ACCOUNT,
    headers=_SECRET_KEY,
)
def create_device_code(request: ApiRequest) -> Answer:
    """Create a one-time code with which another device can use your account.

    Redeeming the code returns a new token with the scopes and the expiry time of the token of this request.
    The code works once. It expires after ten minutes, or earlier together with that token. A new code
    replaces the previous one.

    `sealed` is given to the device that redeems the code, such as signing keys, encrypted with something that
    only the two devices know.
    """
    sealed = request.body["sealed"]
    made = request.kontor.device_codes.create(request.player, request.key, request.digest, sealed)
    return json_response(made, 201)


@routes.post(
    "/v1/device-codes/redeem",
    Reply(201, "The account, with a new token.", RedeemedAccount, headers=("Idempotency-Replayed",)),
    body=requests.DeviceCode(),
    **_NEW_TOKEN,
)
def redeem_device_code(request: ApiRequest) -> Answer:
    """Exchange a one-time code for a token, which is shown only once.

    Each IP address can try twenty wrong codes per hour.
    """
    code, address = request.body["code"], request.address
    made = request.kontor.device_codes.redeem(code, request.key, request.digest, address)
    return json_response(made, 201, headers=replay_header(replayed=made.replayed))


@routes.get("/v1/players", Reply(200, "One page of players.", PlayerPage), query=PlayersQuery())
def list_players(request: ApiRequest) -> Answer:
    """List players by name: all of them, those whose names begin with `q`, or those who are online now.

    A player is `online` for five minutes after a request and while one of their streams is open. The list can
    be up to half a minute out of date.
    """
    return json_response(request.kontor.directory.page(**request.query))


@routes.get("/v1/players/<id:player_id>", Reply(200, "The player.", PlayerProfile))
def get_player(request: ApiRequest, player_id: str) -> Answer:
    """Get a player, with their ratings and rating history."""
    kontor = request.kontor
    player, online = kontor.players.get(player_id), kontor.directory.is_online(player_id)
    return json_response(PlayerProfile(player, online, kontor.ratings.of_player(player_id)))


@routes.put(
    "/v1/me/recovery",
    Reply(204, "The phrase is stored, as a hash."),
    who=ACCOUNT,
    body=requests.RecoveryRequest(),
)
def set_recovery(request: ApiRequest) -> Answer:
    """Store a phrase with which your account can be recovered when all your devices are lost.

    Draw it at random and keep it; the service stores only a hash of the half that you send. It replaces the
    previous phrase.
    """
    request.kontor.recoveries.set(request.player, request.body["code"], request.body["sealed"])
    return Answer(status=204)


@routes.delete("/v1/me/recovery", Reply(204, "The account has no recovery phrase."), who=ACCOUNT)
def remove_recovery(request: ApiRequest) -> Answer:
    """Forget your recovery phrase: it recovers nothing any more."""
    request.kontor.recoveries.remove(request.player)
    return Answer(status=204)


@routes.post(
    "/v1/recoveries",
    Reply(201, "The account, with a new token.", RedeemedAccount, headers=("Idempotency-Replayed",)),
    body=requests.RecoveryCode(),
    **_NEW_TOKEN,
)
def recover_account(request: ApiRequest) -> Answer:
    """Recover an account by its phrase; the new token is shown only once. The phrase stays valid.

    Each IP address can try twenty wrong phrases and device codes per hour.
    """
    made = request.kontor.recoveries.recover(
        request.body["code"], request.key, request.digest, request.address
    )
    return json_response(made, 201, headers=replay_header(replayed=made.replayed))


@routes.get("/v1/me", Reply(200, "Your account.", Me), who=PLAYER)
def get_me(request: ApiRequest) -> Answer:
    """Get your own account: the player to whom the token belongs, with settings and quotas."""
    return json_response(_me(request))


def _me(request: ApiRequest) -> Me:
    kontor, caller = request.kontor, request.player
    account, invitations = kontor.players.get(caller.player), kontor.players.invitations_from(caller.player)
    quotas = {f"{one.status}_matches": one for one in kontor.matches.quotas.of(caller.player)}
    scopes = [scope for scope in SCOPES if scope in caller.scopes]
    used_token = UsedToken(caller.token, scopes, moment(caller.expires_at))
    recovery = moment(kontor.recoveries.set_at(caller.player))
    return Me(account, invitations, recovery, MyQuotas(**quotas), used_token)


@routes.put(
    "/v1/me/invitations",
    Reply(200, "Your account with the new setting.", Me),
    who=ACCOUNT,
    body=requests.InvitationSetting(),
)
def set_invitations(request: ApiRequest) -> Answer:
    """Set who may invite you to matches from now on. Existing invitations remain: decline them one by one."""
    request.kontor.players.accept_invitations_from(request.player, request.body["invitations_from"])
    return json_response(_me(request))


@routes.patch(
    "/v1/me",
    Reply(200, "Your account with the new name.", Player),
    who=ACCOUNT,
    body=requests.Renaming(),
    problems=(409,),
)
def rename_me(request: ApiRequest) -> Answer:
    """Change your name; past matches show the new name, too."""
    return json_response(request.kontor.players.rename(request.player, request.body["name"]))


@routes.put(
    "/v1/me/key",
    Reply(200, "Your account with the new key.", Player),
    who=ACCOUNT,
    body=requests.KeyRequest(),
)
def set_key(request: ApiRequest) -> Answer:
    """Register the Ed25519 key with which you sign your commands in matches that you join from now on.

    Matches that you have already joined keep the key with which you joined.
    """
    made = request.kontor.players.set_key(request.player, request.body["public_key"], request.body["proof"])
    return json_response(made)


@routes.delete("/v1/me/key", Reply(200, "Your account without a key.", Player), who=ACCOUNT)
def remove_key(request: ApiRequest) -> Answer:
    """Remove your key: in matches that you join from now on, your commands are not signed."""
    return json_response(request.kontor.players.remove_key(request.player))


@routes.delete("/v1/me", Reply(204, "The name and all tokens are deleted; the id remains."), who=ACCOUNT)
def erase_me(request: ApiRequest) -> Answer:
    """Delete your name and all your tokens permanently. Your matches remain, with your id only.

    You resign from all running matches and leave your seats in open matches. Open matches that you created
    with a seat for yourself are aborted.
    """
    request.kontor.erase(request.player)
    return Answer(status=204)


@routes.delete(
    "/v1/players/<id:player_id>",
    Reply(204, "The name and all tokens of the player are deleted; the id remains."),
    who=ADMIN,
)
def erase_player(request: ApiRequest, player_id: str) -> Answer:
    """As an administrator, delete a player's name and all their tokens, as `DELETE /v1/me` does."""
    request.kontor.erase(request.player, player_id)
    return Answer(status=204)
