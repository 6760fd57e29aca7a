"""How a player who is away is called: devices, and an address for e-mail."""

from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser

ADDRESS = "ada@example.org"


def mail_address(user: ApiUser) -> tuple[str | None, bool]:
    found = user.get("/v1/me/mail-address").json
    return found["address"], found["confirmed"]


def test_an_address_is_confirmed_with_the_code_in_its_link(
    ada: ApiUser, anonymous: ApiUser, kontor: Kontor
) -> None:
    assert mail_address(ada) == (None, False)
    assert ada.put("/v1/me/mail-address", {"address": ADDRESS}).status_code == 204
    assert mail_address(ada) == (ADDRESS, False)
    stored = kontor.mail_addresses.get(ada.id)
    assert stored is not None
    code = kontor.mail_addresses.code("confirm", stored)
    assert anonymous.post("/v1/mail-confirmations", {"code": code}).status_code == 204
    assert mail_address(ada) == (ADDRESS, True)


def test_an_unknown_code_confirms_nothing(ada: ApiUser, anonymous: ApiUser) -> None:
    ada.put("/v1/me/mail-address", {"address": ADDRESS})
    unknown = {"code": "00000000-0000-4000-8000-000000000000"}
    assert anonymous.post("/v1/mail-confirmations", unknown).status_code == 404
    assert mail_address(ada) == (ADDRESS, False)


def test_one_request_without_a_body_ends_all_e_mail(ada: ApiUser, anonymous: ApiUser, kontor: Kontor) -> None:
    ada.put("/v1/me/mail-address", {"address": ADDRESS})
    stored = kontor.mail_addresses.get(ada.id)
    assert stored is not None
    code = kontor.mail_addresses.code("stop", stored)
    assert anonymous.post(f"/v1/mail-stops/{code}").status_code == 204
    assert mail_address(ada) == (None, False)


def test_an_address_is_deleted_by_its_player(ada: ApiUser) -> None:
    ada.put("/v1/me/mail-address", {"address": ADDRESS})
    assert ada.delete("/v1/me/mail-address").status_code == 204
    assert mail_address(ada) == (None, False)


def test_a_player_who_has_no_device_is_called_on_none(ada: ApiUser) -> None:
    assert ada.get("/v1/me/calls").json["devices"] == []
    assert ada.delete("/v1/me/push-devices/00000000-0000-4000-8000-000000000000").status_code == 204
