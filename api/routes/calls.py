"""Calls: how players who are away are told that a match waits for them."""

from kontor_games.api.answers import Calls, MailAddress
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import Answer, json_response
from kontor_games.api.request import ANYONE, PLAYER, ApiRequest
from kontor_games.api.schemas.conduct import MailConfirmation, MailRequest
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


@routes.get("/v1/me/mail-address", Reply(200, "Your e-mail address.", MailAddress), who=ACCOUNT)
def get_mail_address(request: ApiRequest) -> Answer:
    """Get the address at which you get e-mail when a slow match waits for you."""
    addresses = request.kontor.mail_addresses
    found = addresses.get(request.player.player)
    address, confirmed = (found.address, found.confirmed) if found else (None, False)
    return json_response(MailAddress(addresses.offered, address, confirmed))


@routes.put(
    "/v1/me/mail-address",
    Reply(204, "A request for confirmation is on its way."),
    who=ACCOUNT,
    body=MailRequest(),
    problems=(409,),
)
def set_mail_address(request: ApiRequest) -> Answer:
    """Get e-mail at an address, once you have confirmed it with the link that is sent there.

    Mail is sent only for matches without a clock, or with at least twelve hours for a move, when you have
    been away for ten minutes: at most one message for each match and day. Three requests for confirmation are
    sent in one day.
    """
    body = request.body
    request.kontor.mail_addresses.set(request.player, body["address"], body["language"])
    return Answer(status=204)


@routes.delete("/v1/me/mail-address", Reply(204, "You get no more e-mail."), who=ACCOUNT)
def remove_mail_address(request: ApiRequest) -> Answer:
    """Get no more e-mail; your address is deleted."""
    request.kontor.mail_addresses.remove(request.player.player)
    return Answer(status=204)


@routes.post(
    "/v1/mail-confirmations",
    Reply(204, "The address is confirmed."),
    who=ANYONE,
    body=MailConfirmation(),
    problems=(404, 503),
)
def confirm_mail_address(request: ApiRequest) -> Answer:
    """Confirm an address with the code in the link that was sent to it."""
    request.kontor.mail_addresses.confirm(request.body["code"])
    return Answer(status=204)


@routes.post(
    "/v1/mail-stops/<id:stop_code>",
    Reply(204, "No more e-mail is sent there."),
    who=ANYONE,
    body=None,
    problems=(503,),
)
def stop_mail(request: ApiRequest, stop_code: str) -> Answer:
    """End e-mail, with the address in the header `List-Unsubscribe` of each message (RFC 8058).

    The address is deleted. A body is not read.
    """
    request.kontor.mail_addresses.stop(stop_code)
    return Answer(status=204)
