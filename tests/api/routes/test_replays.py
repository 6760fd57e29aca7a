"""Replays: all positions of a range of versions in one answer, from the point of view of a viewer."""

from typing import Any

import pytest

from kontor_client.replay import read_positions
from kontor_games.domain.match import Match
from kontor_games.domain.stream import Entry
from tests.api.conftest import ApiUser, Clock
from tests.api.contract import Answer

ME, OPEN = {"type": "me"}, {"type": "open"}


@pytest.fixture
def path(ada: ApiUser, ben: ApiUser) -> str:
    """The path of a running match of Ada and Ben."""
    match = ada.match(ME, OPEN)
    ben.post(f"/v1/matches/{match['id']}/seats")
    return f"/v1/matches/{match['id']}"


def play(path: str, *players: ApiUser) -> None:
    """Make one legal move for one of the players who can act."""
    mover = next(who for who in players if who.get(path).json["legal_moves"])
    assert mover.post(f"{path}/moves", mover.get(path).json["legal_moves"][0]).status_code == 201


def play_to_the_end(path: str, *players: ApiUser) -> int:
    """Play the match to the end, which is soon in the toy game; return its version."""
    while players[0].get(path).json["status"] == "running":
        play(path, *players)
    return int(players[0].get(path).json["version"])


def views(answer: Answer) -> dict[int, Any]:
    """The view at each version, with all patches applied."""
    return {one.version: one.view for one in read_positions(answer.json["positions"])}


def test_every_position_is_what_the_same_viewer_is_shown_at_its_version(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, path: str
) -> None:
    for _ in range(3):
        play(path, ada, ben)
    for running in (True, False):
        for who in (ada, ben, anonymous):
            answer = who.get(f"{path}/positions")
            for data, view in zip(answer.json["positions"], views(answer).values(), strict=True):
                seen = who.get(f"{path}?version={data['version']}").json
                assert (view, data["status"], data["to_act"], data["at"]) == (
                    seen["view"], seen["status"], seen["to_act"], seen["at"],
                )  # fmt: skip
        if running:
            play_to_the_end(path, ada, ben)


def test_the_facts_of_all_positions_are_the_log(ada: ApiUser, ben: ApiUser, path: str) -> None:
    play(path, ada, ben)
    positions = ada.get(f"{path}/positions").json["positions"]
    events = ada.get(f"{path}/events").json["events"]
    assert [fact for one in positions for fact in one["facts"]] == [event["fact"] for event in events]
    assert [one["first"] for one in positions[1:]] == [one["version"] + 1 for one in positions[:-1]]
    assert [one["by"] for one in positions] == [events[one["first"] - 1]["by"] for one in positions]
    assert [one["seat"] for one in positions] == [None, None, 0]


def test_only_the_first_position_has_a_whole_view(ada: ApiUser, ben: ApiUser, path: str) -> None:
    play_to_the_end(path, ada, ben)
    start = ada.get(f"{path}/positions").json["positions"]
    assert [("view" in one, "patch" in one) for one in start[:4]] == [
        (True, False),  # created: no view yet
        (True, False),  # dealt
        (False, True),
        (False, True),
    ]
    first, *others = ada.get(f"{path}/positions?from={start[2]['version']}").json["positions"]
    assert "view" in first
    assert all("patch" in one for one in others)


def test_a_long_range_is_continued_where_it_was_cut(ada: ApiUser, ben: ApiUser, path: str) -> None:
    last = play_to_the_end(path, ada, ben)
    whole = ada.get(f"{path}/positions")
    assert (whole.json["next"], whole.json["version"], whole.json["status"]) == (None, last, "finished")
    found: dict[int, Any] = {}
    start: int | None = 1
    while start is not None:
        page = ada.get(f"{path}/positions?from={start}&limit=3")
        assert 1 <= len(page.json["positions"]) <= 3
        found |= views(page)
        start = page.json["next"]
    assert found == views(whole)


def test_a_range_has_the_positions_whose_last_fact_is_in_it(ada: ApiUser, ben: ApiUser, path: str) -> None:
    play_to_the_end(path, ada, ben)
    ends = list(views(ada.get(f"{path}/positions")))
    assert list(views(ada.get(f"{path}/positions?from={ends[1] + 1}&to={ends[3]}"))) == ends[2:4]
    inside = ada.get(f"{path}/positions?from={ends[0] + 1}&to={ends[1] - 1}").json
    assert (inside["positions"], inside["next"]) == ([], None)
    assert ada.get(f"{path}/positions?from=99999").json["positions"] == []


def test_a_finished_match_is_shown_from_any_point_of_view(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, path: str
) -> None:
    dealt = ada.get(path).json["version"]
    then = {
        0: ada.get(path).json["view"],
        1: ben.get(path).json["view"],
        -1: anonymous.get(path).json["view"],
    }
    play_to_the_end(path, ada, ben)
    truth = anonymous.get(f"{path}?version={dealt}&truth=true").json["view"]
    shown = {
        viewer: views(anonymous.get(f"{path}/positions?from={dealt}&to={dealt}&viewer={viewer}"))[dealt]
        for viewer in ("0", "1", "spectator", "arbiter")
    }
    assert shown == {"0": then[0], "1": then[1], "spectator": then[-1], "arbiter": truth}
    assert len({repr(view) for view in shown.values()}) == 4


@pytest.mark.parametrize("viewer", ["1", "arbiter"])
def test_a_running_match_is_shown_only_from_ones_own_point_of_view(
    ada: ApiUser, path: str, viewer: str
) -> None:
    refused = ada.get(f"{path}/positions?viewer={viewer}")
    assert (refused.status_code, refused.json["code"]) == (409, "still_hidden")
    own, spectator = (ada.get(f"{path}/positions?viewer={mine}") for mine in ("0", "spectator"))
    assert own.json == ada.get(f"{path}/positions").json
    assert spectator.json["positions"][-1] != own.json["positions"][-1]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [("viewer=me", "viewer"), ("viewer=16", "viewer"), ("from=0", "from"),
     ("first=1", "first"), ("limit=501", "limit")],
)  # fmt: skip
def test_an_invalid_range_is_refused(ada: ApiUser, path: str, query: str, parameter: str) -> None:
    refused = ada.get(f"{path}/positions?{query}")
    assert refused.status_code == 422
    assert [error["parameter"] for error in refused.json["errors"]] == [parameter]


def test_a_range_that_ends_before_it_begins_has_no_positions(ada: ApiUser, path: str) -> None:
    assert ada.get(f"{path}/positions?from=5&to=4").json["positions"] == []


def test_an_unknown_seat_as_viewer_is_refused_with_the_known_ones(ada: ApiUser, path: str) -> None:
    refused = ada.get(f"{path}/positions?viewer=2")
    assert refused.status_code == 422
    assert refused.json["errors"] == [{"parameter": "viewer", "detail": "must be a seat from 0 to 1"}]


def test_each_position_has_the_remaining_time(ada: ApiUser, ben: ApiUser, clock: Clock) -> None:
    match = ada.match(ME, OPEN, clock={"kind": "bank", "ms": 60_000, "increment_ms": 0})
    path = f"/v1/matches/{match['id']}"
    ben.post(f"{path}/seats")
    clock.now += 1_500
    play(path, ada)
    left = [one["remaining_ms"] for one in ada.get(f"{path}/positions").json["positions"]]
    assert left == [[60_000, 60_000], [60_000, 60_000], [58_500, 58_500]]


def test_a_finished_match_may_be_cached(ada: ApiUser, ben: ApiUser, anonymous: ApiUser, path: str) -> None:
    now = ada.get(f"{path}/positions")
    assert now.headers["Cache-Control"] == "private, no-cache"
    last = play_to_the_end(path, ada, ben)
    mine, theirs = ada.get(f"{path}/positions"), anonymous.get(f"{path}/positions")
    assert mine.headers["Cache-Control"] == "private, max-age=86400, immutable"
    assert theirs.headers["Cache-Control"] == "public, max-age=86400, immutable"
    assert (theirs.headers["ETag"], theirs.headers["Vary"]) == (f'"{last}"', "Authorization")
    again = anonymous.get(f"{path}/positions", headers={"If-None-Match": theirs.headers["ETag"]})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", f'"{last}"')
    stale = anonymous.get(f"{path}/positions", headers={"If-None-Match": now.headers["ETag"]})
    assert stale.status_code == 200


def test_one_answer_folds_each_command_once(
    ada: ApiUser, ben: ApiUser, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_to_the_end(path, ada, ben)
    folded, fold = list[int](), Match.fold

    def counted(match: Match, entry: Entry) -> None:
        folded.append(entry.first)
        fold(match, entry)

    monkeypatch.setattr(Match, "fold", counted)
    positions = ada.get(f"{path}/positions").json["positions"]
    assert folded == [one["first"] for one in positions]
