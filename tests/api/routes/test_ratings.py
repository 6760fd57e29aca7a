"""Ratings, the list of players, and filters of lists."""

from collections.abc import Callable
from typing import Any

import pytest

from kontor_games.service.kontor import Kontor
from tests.api.conftest import ApiUser

ME, OPEN = {"type": "me"}, {"type": "open"}


def won(winner: ApiUser, loser: ApiUser, **fields: Any) -> str:
    match = str(winner.match(ME, OPEN, **{"rated": True, **fields})["id"])
    loser.post(f"/v1/matches/{match}/seats")
    loser.post(f"/v1/matches/{match}/resignation")
    return match


def test_the_ladder_shows_rank_mean_deviation_and_matches(
    kontor: Kontor, anonymous: ApiUser, ada: ApiUser, ben: ApiUser
) -> None:
    match = won(ada, ben)
    kontor.rating_projection.count_new()
    ladder = anonymous.get("/v1/ratings?game=fair").json
    assert (ladder["game"], ladder["kind"], ladder["next"]) == ("fair", "people", None)
    assert [(one["rank"], one["player"]["id"], one["matches"]) for one in ladder["ratings"]] == [
        (1, ada.id, 1),
        (2, ben.id, 1),
    ]
    first = ladder["ratings"][0]
    assert first["conservative"] == first["mean"] - 3 * first["deviation"]
    profile = anonymous.get(f"/v1/players/{ada.id}").json
    (rating,) = profile["ratings"]
    assert (rating["game"], rating["kind"], rating["rank"]) == ("fair", "people", 1)
    assert [(point["match"], point["place"], point["mean"]) for point in rating["history"]] == [
        (match, 1, first["mean"])
    ]
    assert anonymous.get("/v1/ratings?game=fair&kind=programs").json["ratings"] == []


def test_the_ladder_of_an_unknown_game_is_not_found(anonymous: ApiUser) -> None:
    answer = anonymous.get("/v1/ratings?game=nope")
    assert answer.status_code == 404
    assert "fair" in answer.json["detail"]


@pytest.mark.parametrize("query", ["", "?game=fair&kind=bots", "?game=fair&limit=0"])
def test_an_unknown_ladder_is_refused(anonymous: ApiUser, query: str) -> None:
    assert anonymous.get(f"/v1/ratings{query}").status_code == 422


def test_a_match_says_whether_it_is_rated(ada: ApiUser) -> None:
    rated, other = ada.match(ME, OPEN, rated=True), ada.match(ME, OPEN)
    assert (rated["rated"], other["rated"]) == (True, False)
    listed = {one["id"]: one["rated"] for one in ada.get("/v1/matches").json["matches"]}
    assert listed == {rated["id"]: True, other["id"]: False}
    wrong = ada.post("/v1/matches", {"game": "fair", "seats": [ME, OPEN], "rated": True, "seed": "x"})
    assert (wrong.status_code, wrong.json["errors"][0]["pointer"]) == (422, "/seed")


def test_people_and_programs_do_not_meet_in_a_rated_match(
    ada: ApiUser, register: Callable[..., ApiUser]
) -> None:
    match = ada.match(ME, OPEN, rated=True)["id"]
    refused = register("R2", bot=True).post(f"/v1/matches/{match}/seats")
    assert (refused.status_code, refused.json["code"]) == (409, "other_ladder")


def test_players_are_listed_found_and_seen(kontor: Kontor, ada: ApiUser, ben: ApiUser) -> None:
    listed = ada.get("/v1/players").json
    assert [(one["name"], one["online"]) for one in listed["players"]] == [("Ada", False), ("Ben", False)]
    kontor.presence.write()
    assert [one["name"] for one in ben.get("/v1/players?online=true").json["players"]] == ["Ada"]
    assert [one["name"] for one in ben.get("/v1/players?q=BE").json["players"]] == ["Ben"]
    assert ben.get("/v1/players?bot=true").json["players"] == []
    first = ben.get("/v1/players?limit=1").json
    second = ben.get(f"/v1/players?limit=1&cursor={first['next']}").json
    assert [page["players"][0]["name"] for page in (first, second)] == ["Ada", "Ben"]
    assert ada.get(f"/v1/players/{ada.id}").json["online"] is True


def test_matches_are_found_by_tag_creator_and_rating(ada: ApiUser, ben: ApiUser) -> None:
    tagged = ada.match(ME, OPEN, tags=["cup.2026", "final", "cup.2026"])
    plain = ben.match(ME, OPEN, rated=True)
    assert tagged["tags"] == ["cup.2026", "final"]

    def found(query: str) -> list[str]:
        return [one["id"] for one in ada.get(f"/v1/matches?{query}").json["matches"]]

    assert found("tag=final") == found(f"creator={ada.id}") == found("rated=false") == [tagged["id"]]
    assert found(f"creator={ben.id}") == found("rated=true") == [plain["id"]]
    assert found("tag=none") == found(f"tag=final&creator={ben.id}") == []
    assert found(f"tournament={ada.id}") == []
    assert found("tag=final&status=open&game=fair") == [tagged["id"]]


@pytest.mark.parametrize(
    "tags", [["A"], [""], ["*rated"], ["x" * 33], [f"t{i}" for i in range(9)], "final", [1], ["ä"]]
)
def test_a_malformed_tag_is_refused(ada: ApiUser, tags: Any) -> None:
    answer = ada.post("/v1/matches", {"game": "fair", "seats": [ME, OPEN], "tags": tags})
    assert answer.status_code == 422
    assert ada.get("/v1/matches").json["matches"] == []


def test_a_tag_does_not_reveal_a_private_match(ada: ApiUser, ben: ApiUser) -> None:
    match = ada.match(ME, OPEN, private=True, tags=["secret"])["id"]
    assert ben.get("/v1/matches?tag=secret").json["matches"] == []
    assert [one["id"] for one in ada.get("/v1/matches?tag=secret").json["matches"]] == [match]
