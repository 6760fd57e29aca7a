"""Seeks over HTTP: who may see them, and the match that is found."""

from typing import Any

import pytest

from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser

SEEK = {"game": "fair", "seats": 2, "clock": {"kind": "per_move", "ms": 60_000}}


def test_a_found_match_appears_in_the_stream_of_all_matches(
    kontor: Kontor, ada: ApiUser, ben: ApiUser
) -> None:
    cursor = ada.get("/v1/events").json["next"]
    made = ada.post("/v1/seeks", SEEK)
    assert (made.status_code, made.headers["Location"]) == (201, f"/v1/seeks/{made.json['id']}")
    assert (made.json["status"], made.json["match"], made.json["rated"]) == ("waiting", None, False)
    ben.post("/v1/seeks", SEEK)
    kontor.matchmaker().step()
    (event,) = ada.get(f"/v1/events?after={cursor}").json["events"]
    assert event["fact"]["type"] == "match_created"
    seen = ada.get(f"/v1/seeks/{made.json['id']}").json
    assert (seen["status"], seen["match"]) == ("offered", event["match"])
    for who in (ada, ben):
        joined = who.post(f"/v1/matches/{event['match']}/seats")
        assert joined.status_code == 201
    assert joined.json["status"] == "running"


def test_open_seeks_are_public_and_others_only_visible_to_their_player(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    made = ada.post("/v1/seeks", SEEK).json
    assert anonymous.get("/v1/seeks?game=fair").json["seeks"] == [made]
    assert made["player"]["id"] == ada.id
    assert anonymous.get("/v1/seeks?game=other").json["seeks"] == []
    assert ben.get(f"/v1/seeks/{made['id']}").status_code == 404
    cancelled = ada.delete(f"/v1/seeks/{made['id']}")
    assert (cancelled.status_code, cancelled.json["status"]) == (200, "cancelled")
    assert anonymous.get("/v1/seeks").json["seeks"] == []
    assert [one["status"] for one in ada.get("/v1/seeks?mine=true").json["seeks"]] == ["cancelled"]
    assert anonymous.get("/v1/seeks?mine=true").status_code == 401


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "nope"},
        {"seats": 1},
        {"seats": 16},
        {"clock": {"kind": "per_move", "ms": 0}},
        {"options": {"nope": 1}},
        {"opponents": "cats"},
        {"lifetime_ms": 1},
        {"nope": 1},
    ],
)
def test_impossible_terms_of_a_seek_are_refused(ada: ApiUser, wrong: dict[str, Any]) -> None:
    assert ada.post("/v1/seeks", {**SEEK, **wrong}).status_code == 422
    assert ada.get("/v1/seeks").json["seeks"] == []


def test_a_repeated_request_makes_one_seek(ada: ApiUser) -> None:
    headers = {"Idempotency-Key": "k"}
    first, second = (ada.post("/v1/seeks", SEEK, headers=headers) for _ in range(2))
    assert first.json == second.json
    assert second.headers["Idempotency-Replayed"] == "true"
    assert ada.post("/v1/seeks", {**SEEK, "rated": True}, headers=headers).status_code == 409
