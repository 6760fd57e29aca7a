"""Calls: how players who are away are told that a match waits for them."""

from kontor_games.api.answers import Calls
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import Answer, json_response
from kontor_games.api.request import PLAYER, ApiRequest
from kontor_games.api.schemas.players import PushSubscription
from kontor_games.service.people.tokens import ACCOUNT

routes = Routes("calls", __name__, description="Calls to players who are away.")


@routes.get("/v1/me/calls", Reply(200, "How you are called.", Calls), who=PLAYER)
def get_calls(request: ApiRequest) -> Answer:
    """Get how you are called when a match waits for you and you are away."""
    kontor = request.kontor
    devices = [one.device for one in kontor.push_devices.of([request.player.player])]
    return json_response(Calls(kontor.push.public_key, devices))


@routes.put(
    "/v1/me/push-devices/<id:device_id>",
    Reply(204, "The device gets push messages from now on."),
    who=ACCOUNT,
    body=PushSubscription(),
    problems=(409,),
)
def set_push_device(request: ApiRequest, device_id: str) -> Answer:
    """Have a device of yours called by push messages, under an id that you choose for it.

    A message says what waits for you in which match, once for each turn, invitation or table, and only if you
    have been away for a minute. You can have ten devices; a further one replaces the oldest.
    """
    language = request.body["language"]
    request.kontor.push_devices.add(request.player, device_id, request.body, language)
    return Answer(status=204)


@routes.delete(
    "/v1/me/push-devices/<id:device_id>", Reply(204, "The device gets no more push messages."), who=ACCOUNT
)
def remove_push_device(request: ApiRequest, device_id: str) -> Answer:
    """Stop push messages to a device of yours, and delete what is stored about it."""
    request.kontor.push_devices.remove(request.player, device_id)
    return Answer(status=204)
