"""`/v1/match-batches`: many matches created with one request."""

from typing import Any

import pytest

from tests.api.conftest import ApiUser

ME, OPEN = {"type": "me"}, {"type": "open"}
GOOD = {"game": "fair", "seats": [ME, OPEN]}


def bulk(who: ApiUser, *matches: Any, **options: Any) -> Any:
    return who.post("/v1/match-batches", {"matches": list(matches)}, **options)


def test_each_match_is_created_or_refused_independently(ada: ApiUser) -> None:
    wrong = {"game": "fair", "seats": [ME] * 2}
    answers = bulk(ada, {**GOOD, "tags": ["a"]}, {"game": "nope", "seats": [OPEN]}, wrong, GOOD).json[
        "answers"
    ]
    assert [one["status"] for one in answers] == [201, 422, 422, 201]
    assert [one["problem"] and one["problem"]["errors"][0]["pointer"] for one in answers] == [
        *(None, "/game", "/seats", None)
    ]
    listed = {one["id"] for one in ada.get("/v1/matches").json["matches"]}
    assert listed == {one["answer"]["id"] for one in answers if one["answer"]}
    assert answers[0]["answer"]["tags"] == ["a"]


def test_a_repeated_request_creates_nothing_new(ada: ApiUser) -> None:
    headers = {"Idempotency-Key": "night"}
    first, second = (
        bulk(ada, GOOD, {**GOOD, "key": "own"}, headers=headers).json["answers"] for _ in range(2)
    )
    assert [one["answer"]["id"] for one in first] == [one["answer"]["id"] for one in second]
    assert [one["replayed"] for one in (*first, *second)] == [False, False, True, True]
    assert len(ada.get("/v1/matches").json["matches"]) == 2
    other = bulk(ada, {**GOOD, "key": "own", "practice": True}).json["answers"][0]
    assert (other["status"], other["problem"]["code"]) == (409, "key_reused")


class TestQuota:
    """The service allows each player three open matches."""

    @pytest.fixture
    def settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        return {**settings, "open_matches": 3}

    def test_matches_beyond_the_quota_are_refused(self, ada: ApiUser) -> None:
        answers = bulk(ada, *[GOOD] * 5).json["answers"]
        assert [one["status"] for one in answers] == [201, 201, 201, 409, 409]
        assert answers[3]["problem"]["code"] == "quota_reached"


@pytest.mark.parametrize(
    "matches", [[], [GOOD] * 101, [{**GOOD, "key": "with space"}], [{"game": "fair"}], "x"]
)
def test_a_malformed_request_creates_nothing(ada: ApiUser, matches: Any) -> None:
    assert ada.post("/v1/match-batches", {"matches": matches}).status_code == 422
    assert ada.get("/v1/matches").json["matches"] == []
