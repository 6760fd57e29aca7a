"""Invitations, quotas and the content of `/v1/me`."""

from collections.abc import Callable
from typing import Any

import pytest

from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser, Clock

ME, OPEN = {"type": "me"}, {"type": "open"}


def invite(inviter: ApiUser, invited: ApiUser, **fields: Any) -> str:
    return str(inviter.match(ME, {"type": "invited", "player": invited.id}, **fields)["id"])


def current(player: ApiUser) -> list[str]:
    return [match["id"] for match in player.get("/v1/events").json["matches"]]


def test_a_declined_match_leaves_the_list_and_the_events_of_the_player(ada: ApiUser, ben: ApiUser) -> None:
    match = invite(ada, ben)
    assert current(ben) == [match]
    answer = ben.post(f"/v1/matches/{match}/decline")
    assert (answer.status_code, answer.json["facts"]) == (
        201,
        [{"type": "invitation_declined", "seat": 1, "player": ben.id}],
    )
    assert current(ben) == []
    cursor = ben.get("/v1/events").json["next"]
    ada.post(f"/v1/matches/{match}/abort")
    assert ben.get(f"/v1/events?after={cursor}").json["events"] == []


def test_a_declined_private_match_looks_like_a_missing_one(ada: ApiUser, ben: ApiUser) -> None:
    match = invite(ada, ben, private=True)
    assert ben.get(f"/v1/matches/{match}").status_code == 200
    ben.post(f"/v1/matches/{match}/decline")
    assert ben.get(f"/v1/matches/{match}").status_code == 404


def test_a_declined_seat_can_be_taken_by_others(
    ada: ApiUser, ben: ApiUser, register: Callable[..., ApiUser]
) -> None:
    match = invite(ada, ben)
    assert ben.post(f"/v1/matches/{match}/decline").json["seats"][1]["type"] == "open"
    assert register("Cem").post(f"/v1/matches/{match}/seats").json["status"] == "running"


def test_the_creator_gives_an_empty_seat_to_a_house_bot(ada: ApiUser, ben: ApiUser, kontor: Kontor) -> None:
    match = f"/v1/matches/{invite(ada, ben, clock={'kind': 'per_move', 'ms': 5000})}"
    wrong = [{"seat": 1, "bot": "nobody"}, {"seat": 1, "bot": "random", "bot_version": 99}]
    assert [ada.post(f"{match}/bots", body).json["errors"][0]["pointer"] for body in wrong] == [
        "/bot",
        "/bot_version",
    ]
    assert ben.post(f"{match}/bots", {"seat": 1, "bot": "random"}).json["code"] == "not_creator"
    answer = ada.post(f"{match}/bots", {"seat": 1, "bot": "random"}).json
    assert (answer["status"], answer["seats"][1]["type"], answer["seats"][1]["player"]["name"]) == (
        "running",
        "bot",
        "random",
    )
    assert match.rpartition("/")[2] in map(str, kontor.house.running("bots", {}))
    assert answer["clock"]["seats"][1]["deadline"] is None  # the clock of a house bot never runs
    assert current(ben) == []


def test_a_player_sets_who_may_invite_them(ada: ApiUser, ben: ApiUser) -> None:
    answer = ben.put("/v1/me/invitations", {"invitations_from": "nobody"})
    assert (answer.status_code, answer.json["invitations_from"]) == (200, "nobody")
    body = {"game": "fair", "seats": [ME, {"type": "invited", "player": ben.id}]}
    refused = ada.post("/v1/matches", body)
    assert (refused.status_code, refused.json["code"]) == (409, "invitation_not_welcome")
    wrong = ben.put("/v1/me/invitations", {"invitations_from": "friends"})
    assert (wrong.status_code, ben.get("/v1/me").json["invitations_from"]) == (422, "nobody")


@pytest.fixture
def _small_quotas(settings: dict[str, Any]) -> None:
    settings |= {"open_matches": 2, "running_matches": 1, "accounts_per_hour": 3}


@pytest.mark.usefixtures("_small_quotas")
def test_quotas_are_reported_and_enforced(ada: ApiUser) -> None:
    ada.match(ME, OPEN)
    ada.match()
    assert ada.get("/v1/me").json["quotas"] == {
        "open_matches": {"used": 1, "limit": 2},
        "running_matches": {"used": 1, "limit": 1},
    }
    refused = ada.post("/v1/matches", {"game": "fair", "seats": [ME, OPEN]})
    assert (refused.status_code, refused.json["code"]) == (409, "quota_reached")


@pytest.mark.usefixtures("_small_quotas")
def test_the_accounts_per_address_and_hour_are_limited(anonymous: ApiUser, clock: Clock) -> None:
    codes = [anonymous.post("/v1/players", {"name": "Ada"}).status_code for _ in range(5)]
    refused = anonymous.post("/v1/players", {"name": "Ada"})
    assert (codes, refused.headers["Retry-After"]) == ([201, 201, 201, 429, 429], "3600")
    clock.now += 3_600_000
    assert anonymous.post("/v1/players", {"name": "Ada"}).status_code == 201


def test_an_account_shows_the_scopes_of_its_token(ada: ApiUser, clock: Clock) -> None:
    body = {"label": "bot", "scopes": ["play"], "expires_in_ms": 1000}
    made = ada.post("/v1/tokens", body).json
    assert ApiUser(ada.client, made["token"]).get("/v1/me").json["used_token"] == {
        "id": made["id"],
        "scopes": ["play"],
        "expires_at": made["expires_at"],
    }


def test_the_smallest_clock_is_five_seconds(ada: ApiUser, kontor: Kontor) -> None:
    assert type(kontor.settings)().smallest_clock_ms == 5000
    clock = {"kind": "per_move", "ms": 0}
    refused = ada.post("/v1/matches", {"game": "fair", "seats": [ME, OPEN], "clock": clock})
    assert refused.json["errors"] == [{"pointer": "/clock/ms", "detail": "must be at least 1"}]
    assert ada.match(ME, OPEN)["expires_at"] is not None
