"""Private matches: not listed, not found by other players, but readable with the link key."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.conftest import ApiUser

ME, OPEN = {"type": "me"}, {"type": "open"}
NO_KEY = "x" * 24


def shown(key: str) -> dict[str, Any]:
    return {"headers": {"Match-Key": key}}


@pytest.fixture
def made(ada: ApiUser) -> dict[str, Any]:
    return ada.match(ME, OPEN, private=True)


def test_only_the_creator_gets_the_key(ada: ApiUser, ben: ApiUser, made: dict[str, Any]) -> None:
    path, key = f"/v1/matches/{made['id']}", made["link_key"]
    assert len(key) == 24
    assert ada.get(path).json["link_key"] == key
    assert ada.get(f"{path}?version=1").json["link_key"] is None
    assert ben.get(path, **shown(key)).json["link_key"] is None
    assert ada.match(ME, OPEN)["link_key"] is None


@pytest.mark.parametrize("below", ["", "/events", "/positions", "/export", "/events?wait=1"])
def test_the_key_allows_seeing_the_match(
    anonymous: ApiUser, ben: ApiUser, made: dict[str, Any], below: str
) -> None:
    path = f"/v1/matches/{made['id']}{below}"
    for who in (anonymous, ben):
        assert who.get(path).status_code == 404
        assert who.get(path, **shown(NO_KEY)).status_code == 404
        assert who.get(path, **shown(made["link_key"])).status_code == 200


def test_the_key_allows_joining(ben: ApiUser, made: dict[str, Any]) -> None:
    path = f"/v1/matches/{made['id']}/seats"
    assert ben.post(path, **shown(NO_KEY)).status_code == 404
    joined = ben.post(path, **shown(made["link_key"]))
    assert (joined.status_code, joined.json["status"]) == (201, "running")
    assert ben.get(f"/v1/matches/{made['id']}").status_code == 200, "a player needs no key"


def test_the_key_allows_reading_the_stream(anonymous: ApiUser, made: dict[str, Any]) -> None:
    headers = {"Accept": "application/x-ndjson", "Match-Key": made["link_key"]}
    answer = anonymous.get(f"/v1/matches/{made['id']}/events", headers=headers)
    assert (answer.status_code, answer.data.count(b'"match_created"')) == (200, 1)


def test_a_key_brings_a_match_into_no_list(anonymous: ApiUser, ada: ApiUser, made: dict[str, Any]) -> None:
    assert anonymous.get("/v1/matches").json["matches"] == []
    assert [match["id"] for match in ada.get("/v1/matches").json["matches"]] == [made["id"]]


def test_a_key_opens_one_match_only(ben: ApiUser, ada: ApiUser, made: dict[str, Any]) -> None:
    other = ada.match(ME, OPEN, private=True)["id"]
    assert ben.get(f"/v1/matches/{other}", **shown(made["link_key"])).status_code == 404


def test_the_creator_renews_the_key(ada: ApiUser, ben: ApiUser, made: dict[str, Any]) -> None:
    path, key = f"/v1/matches/{made['id']}", {"Idempotency-Key": "once"}
    answers = [ada.post(f"{path}/link-key", headers=key) for _ in range(2)]
    new = answers[0].json["link_key"]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[1].json["link_key"] == new != made["link_key"]
    assert ben.get(path, **shown(made["link_key"])).status_code == 404
    assert ben.get(path, **shown(new)).status_code == 200
    assert ada.post(f"{path}/link-key").json["link_key"] not in (new, made["link_key"])


def test_only_the_creator_renews_the_key(ada: ApiUser, ben: ApiUser, made: dict[str, Any]) -> None:
    path = f"/v1/matches/{made['id']}"
    assert ben.post(f"{path}/link-key").status_code == 404
    ben.post(f"{path}/seats", **shown(made["link_key"]))
    assert ben.post(f"{path}/link-key").json["code"] == "not_creator"
    public = ada.match(ME, OPEN)["id"]
    assert ada.post(f"/v1/matches/{public}/link-key").json["code"] == "match_not_private"


@pytest.mark.parametrize("key", ["", "x", "x" * 25, "ä" * 24])
def test_a_malformed_key_is_refused(ben: ApiUser, made: dict[str, Any], key: str) -> None:
    headers = {"Match-Key": key.encode().decode("latin-1")}
    assert ben.get(f"/v1/matches/{made['id']}", headers=headers).status_code == 400


def test_a_reader_with_the_key_of_a_private_match_has_no_seat(
    register: Callable[..., ApiUser], made: dict[str, Any]
) -> None:
    cem = register("Cem")
    seen = cem.get(f"/v1/matches/{made['id']}", **shown(made["link_key"])).json
    assert (seen["you"], seen["legal_moves"]) == (None, [])
