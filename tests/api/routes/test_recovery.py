"""Accounts are recovered by a phrase, of which the service stores a hash of one half."""

from kontor_games.service.kontor import Kontor
from kontor_games.service.people.device_codes import MAX_WRONG_CODES
from tests.api.conftest import ApiUser, Clock

CODE = "KQRT-WXBD-MNPQ"
SEALED = "c2VhbGVk" * 8


def recover(anonymous: ApiUser, code: str = CODE, **headers: str) -> ApiUser | int:
    answer = anonymous.post("/v1/recoveries", {"code": code}, headers=headers)
    if answer.status_code != 201:
        return int(answer.status_code)
    return ApiUser(anonymous.client, answer.json["token"], answer.json["id"])


def test_an_account_comes_back_with_what_was_sealed_as_often_as_it_is_lost(
    ada: ApiUser, anonymous: ApiUser, kontor: Kontor
) -> None:
    assert ada.get("/v1/me").json["recovery_set_at"] is None
    assert ada.put("/v1/me/recovery", {"code": CODE, "sealed": SEALED}).status_code == 204
    assert ada.get("/v1/me").json["recovery_set_at"] is not None
    for code in (CODE, "kqrt wxbd mnpq"):
        answer = anonymous.post("/v1/recoveries", {"code": code})
        assert (answer.json["id"], answer.json["sealed"]) == (ada.id, SEALED)
        again = ApiUser(anonymous.client, answer.json["token"])
        assert again.get("/v1/me").json["used_token"]["scopes"] == ["play", "organise", "account"]
    stored = str(kontor.database.read("SELECT * FROM recoveries", ()))
    assert "KQRT" not in stored


def test_the_same_key_gives_the_same_token(ada: ApiUser, anonymous: ApiUser) -> None:
    ada.put("/v1/me/recovery", {"code": CODE})
    found = [recover(anonymous, **{"Idempotency-Key": "k" * 32}) for _ in range(2)]
    assert found[0] == found[1]


def test_a_new_phrase_replaces_the_old_one_and_a_removed_one_recovers_nothing(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    ada.put("/v1/me/recovery", {"code": CODE})
    ada.put("/v1/me/recovery", {"code": "ABCDEFGHJKLM"})
    assert recover(anonymous) == 409
    assert isinstance(recover(anonymous, "ABCDEFGHJKLM"), ApiUser)
    assert ben.put("/v1/me/recovery", {"code": "ABCDEFGHJKLM"}).status_code == 503
    ada.delete("/v1/me/recovery")
    assert recover(anonymous, "ABCDEFGHJKLM") == 409


def test_wrong_phrases_are_limited_and_right_ones_are_not(
    ada: ApiUser, anonymous: ApiUser, clock: Clock
) -> None:
    ada.put("/v1/me/recovery", {"code": CODE})
    for _ in range(MAX_WRONG_CODES + 1):
        assert isinstance(recover(anonymous), ApiUser)
    for _ in range(MAX_WRONG_CODES):
        assert recover(anonymous, "ZZZZZZZZZZZZ") == 409
    assert recover(anonymous) == 429
    clock.now += 3_600_001
    assert isinstance(recover(anonymous), ApiUser)


def test_a_phrase_ends_with_the_account(ada: ApiUser, anonymous: ApiUser, kontor: Kontor) -> None:
    ada.put("/v1/me/recovery", {"code": CODE, "sealed": SEALED})
    ada.delete("/v1/me")
    assert recover(anonymous) == 409
    assert kontor.database.read("SELECT * FROM recoveries", ()) == []
