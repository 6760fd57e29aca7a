"""One-time codes: an account moves to another device."""

from typing import Any

import pytest

from tests.api.conftest import ApiUser, Clock


def redeem(anonymous: ApiUser, code: str, **options: Any) -> Any:
    return anonymous.post("/v1/device-codes/redeem", {"code": code}, **options)


def test_a_code_gives_another_device_a_token_of_the_same_player_and_scopes(
    anonymous: ApiUser, ada: ApiUser
) -> None:
    made = ada.post("/v1/me/device-codes")
    assert (made.status_code, made.json["expires"]) == (201, "2026-03-01T12:10:00.000Z")
    answer = redeem(anonymous, made.json["code"])
    other = ApiUser(anonymous.client, answer.json["token"], ada.id)
    assert (answer.status_code, answer.json["id"], answer.json["name"]) == (201, ada.id, "Ada")
    assert answer.json["token"] != ada.token
    assert other.get("/v1/me").json["used_token"]["scopes"] == ["play", "organise", "account"]


def test_what_one_device_has_sealed_is_given_to_the_one_that_redeems_the_code(
    anonymous: ApiUser, ada: ApiUser
) -> None:
    sealed, key = "A" * 40, {"Idempotency-Key": "hard-to-guess-0123456789"}
    code = ada.post("/v1/me/device-codes", {"sealed": sealed}).json["code"]
    answers = [redeem(anonymous, code, headers=key).json for _ in range(2)]
    assert [one["sealed"] for one in answers] == [sealed, sealed]
    code = ada.post("/v1/me/device-codes").json["code"]
    assert redeem(anonymous, code).json["sealed"] is None


def test_what_is_sealed_has_a_limit(ada: ApiUser) -> None:
    assert ada.post("/v1/me/device-codes", {"sealed": "A" * 32_769}).status_code == 422


def test_a_code_works_once(anonymous: ApiUser, ada: ApiUser) -> None:
    code = ada.post("/v1/me/device-codes").json["code"]
    assert redeem(anonymous, code).status_code == 201
    again = redeem(anonymous, code)
    assert (again.status_code, again.json["code"]) == (409, "code_not_valid")


def test_a_repeated_request_gets_the_same_code_and_the_same_token(anonymous: ApiUser, ada: ApiUser) -> None:
    key = {"Idempotency-Key": "hard-to-guess-0123456789"}
    codes = [ada.post("/v1/me/device-codes", headers=key).json for _ in range(2)]
    tokens = [redeem(anonymous, codes[0]["code"], headers=key) for _ in range(2)]
    assert codes[0] == codes[1]
    assert [answer.status_code for answer in tokens] == [201, 201]
    assert tokens[0].json == tokens[1].json
    assert [answer.headers.get("Idempotency-Replayed") for answer in tokens] == [None, "true"]


def test_a_code_of_an_erased_account_is_invalid(anonymous: ApiUser, ada: ApiUser) -> None:
    code = ada.post("/v1/me/device-codes").json["code"]
    ada.delete("/v1/me")
    assert redeem(anonymous, code).status_code == 409


def test_codes_cannot_be_guessed(anonymous: ApiUser, ada: ApiUser, clock: Clock) -> None:
    code = ada.post("/v1/me/device-codes").json["code"]
    wrong = "ABCDEFGH" if code != "ABCDEFGH" else "HGFEDCBA"
    answers = [redeem(anonymous, wrong) for _ in range(21)]
    assert [answer.status_code for answer in answers] == [409] * 20 + [429]
    assert redeem(anonymous, code).status_code == 429, "this address cannot use the right code either"
    clock.now += 3_600_001
    assert redeem(anonymous, wrong).status_code == 409


@pytest.mark.parametrize("code", ["", "ABC", "12345678", "A" * 21, None, 7])
def test_a_malformed_code_is_refused(anonymous: ApiUser, code: Any) -> None:
    assert anonymous.post("/v1/device-codes/redeem", {"code": code}).status_code == 422
