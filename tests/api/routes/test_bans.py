"""The answers that banned players get, and those who register while registration is closed."""

from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser


def test_every_request_with_the_token_of_a_banned_player_says_so(
    kontor: Kontor, ada: ApiUser, ben: ApiUser
) -> None:
    match = ada.match({"type": "me"}, {"type": "open"})
    kontor.ban(ada.id, "insults in names")
    kontor.tokens.revocations.poll()
    for answer in (
        ada.get("/v1/me"),
        ada.get(f"/v1/matches/{match['id']}"),
        ada.post(f"/v1/matches/{match['id']}/moves", {"type": "close_fair"}),
        ada.post("/v1/tokens", {"label": "x", "scopes": ["play"]}),
    ):
        assert (answer.status_code, answer.json["code"]) == (403, "banned")
        assert answer.json["title"] == "The operator has banned your account"
        assert answer.json["detail"].endswith("Reason: insults in names")
    assert ben.get(f"/v1/matches/{match['id']}").status_code == 200


def test_while_registration_is_closed_new_accounts_are_refused(kontor: Kontor, anonymous: ApiUser) -> None:
    kontor.bans.open_registration(is_open=False)
    refused = anonymous.post("/v1/players", {"name": "Ada", "bot": False})
    assert (refused.status_code, refused.json["code"]) == (403, "registration_closed")
    kontor.bans.open_registration(is_open=True)
    assert anonymous.post("/v1/players", {"name": "Ada", "bot": False}).status_code == 201
