"""Earlier versions of matches, branches, and the erasure of players."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.verifier import verify
from tests.api.conftest import ApiUser
from tests.api.routes.test_trust import KEYS, ME, OPEN, finished, seated
from tests.support.auditing import audit_all


@pytest.fixture
def let_bots_move(kontor: Kontor) -> Callable[[str], None]:
    """A function that lets house bots move in a match until it is the turn of a player."""
    working = HouseBots(kontor.cache, kontor.house, kontor.feed, kontor.clock)

    def move(path: str) -> None:
        log, before = kontor.cache.get(UUID(path.rpartition("/")[2])), -1
        while log.state.version != before:
            before = log.state.version
            working.process(log.id)

    return move


# --- time travel --------------------------------------------------------------------------------------------


def hands(who: ApiUser, path: str, version: int, *, truth: bool = False) -> list[Any]:
    """The hand of each seat in the view; None if it is hidden."""
    answer = who.get(f"{path}?version={version}{'&truth=true' if truth else ''}")
    assert answer.status_code == 200, answer.text
    return [seat.get("hand") for seat in answer.json["view"]["seats"]]


def test_the_past_shows_each_viewer_what_they_could_know_then(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    path = seated(ada, ben)
    version = ada.get(path).json["version"]
    then = {who.token: who.get(f"{path}?version={version}").json["view"] for who in (ada, ben, anonymous)}
    ada.post(f"{path}/moves", ada.get(path).json["legal_moves"][0])
    ben.post(f"{path}/resignation")
    for who in (ada, ben, anonymous):
        assert who.get(f"{path}?version={version}").json["view"] == then[who.token]
    assert [hand is not None for hand in hands(ada, path, version)] == [True, False]
    assert [hand is not None for hand in hands(anonymous, path, version)] == [False, False]


def test_after_the_end_every_version_can_be_read_with_nothing_hidden(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    path = seated(ada, ben)
    version = ada.get(path).json["version"]
    own = [hands(ada, path, version)[0], hands(ben, path, version)[1]]
    ben.post(f"{path}/resignation")
    assert hands(anonymous, path, version, truth=True) == own
    answer = anonymous.get(f"{path}?version={version}&truth=true")
    assert answer.json["status"] == "running"
    assert answer.json["chance"]["server_secret"] == anonymous.get(path).json["chance"]["server_secret"]
    assert answer.headers["Cache-Control"] == "public, max-age=86400, immutable"


def test_the_final_position_is_shown_in_full_to_everyone(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    path = finished(ada, ben)
    assert (
        anonymous.get(path).json["view"]
        == anonymous.get(f"{path}?truth=true").json["view"]
        == ada.get(path).json["view"]
    )
    assert all("hand" in seat for seat in anonymous.get(path).json["view"]["seats"])


@pytest.mark.parametrize("query", ["truth=true", "truth=true&version=3"])
def test_while_a_match_runs_hidden_information_is_refused(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, query: str
) -> None:
    path = seated(ada, ben)
    for who in (ada, ben, anonymous):
        answer = who.get(f"{path}?{query}")
        assert (answer.status_code, answer.json["code"]) == (409, "still_hidden")


def test_only_players_can_read_a_private_match_with_nothing_hidden(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    path = seated(ada, ben, private=True)
    assert anonymous.get(f"{path}?truth=true").status_code == 404
    ben.post(f"{path}/resignation")
    assert anonymous.get(f"{path}?truth=true").status_code == 404
    assert ada.get(f"{path}?truth=true&version=5").headers["Cache-Control"].startswith("private")


# --- branches -----------------------------------------------------------------------------------------------


def test_a_match_shows_whether_it_is_practice_a_branch_or_sealed(ada: ApiUser) -> None:
    match = ada.match(OPEN, OPEN, practice=True, sealed=True)
    assert (match["practice"], match["branch"], match["chance"]["sealed"]) == (True, False, True)
    [listed] = ada.get("/v1/matches").json["matches"]
    assert (listed["practice"], listed["branch"]) == (True, False)
    assert ada.match(ME, OPEN)["practice"] is False


def test_a_branch_of_a_finished_match_is_played_to_its_end(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, let_bots_move: Callable[[str], None]
) -> None:
    source = finished(ada, ben)
    version = ada.get(source).json["version"] // 2
    answer = ada.post(f"{source}/branches", {"version": version})
    assert answer.status_code == 201
    made = answer.json
    path = f"/v1/matches/{made['id']}"
    assert answer.headers["Location"] == path
    assert (made["branch"], made["private"], made["you"], made["status"]) == (True, True, 0, "running")
    assert made["receipt"]["version"] == made["version"]
    assert [seat["player"]["id"] for seat in made["seats"]] == [ada.id, "house"]
    while (now := ada.get(path).json)["status"] == "running":
        if now["legal_moves"] and 0 in now["to_act"]:
            assert ada.post(f"{path}/moves", now["legal_moves"][0]).status_code == 201
        let_bots_move(path)
    assert now["result"]["reason"] == "played"
    marks = {match["id"]: match["branch"] for match in ada.get("/v1/matches?status=finished").json["matches"]}
    assert marks == {made["id"]: True, source.rpartition("/")[2]: False}
    verdict = verify(ada.get(f"{path}/export").data, ada.get(KEYS).json["keys"])
    assert (verdict.branch, verdict.complete) == (True, True)
    assert anonymous.get(path).status_code == 404


def test_the_log_of_a_branch_names_its_source_but_hides_the_position(ada: ApiUser, ben: ApiUser) -> None:
    source = seated(ada, ben, practice=True)
    version = ada.get(source).json["version"]
    made = ada.post(f"{source}/branches", {"version": version}).json
    origin = {
        "type": "position_set",
        "source": source.rpartition("/")[2],
        "version": version,
        "hidden": ["position"],
    }
    assert made["facts"][1] == origin
    assert ada.get(f"/v1/matches/{made['id']}/events?limit=2").json["events"][1]["fact"] == origin


def test_only_players_can_branch_a_running_match_if_it_allows_practice(
    ada: ApiUser, ben: ApiUser, register: Callable[..., ApiUser]
) -> None:
    allowed, forbidden = seated(ada, ben, practice=True), seated(ada, ben)
    version = {"version": ada.get(allowed).json["version"]}
    assert ada.post(f"{allowed}/branches", version).status_code == 201
    refused = ada.post(f"{forbidden}/branches", version)
    assert (refused.status_code, refused.json["code"]) == (409, "practice_forbidden")
    stranger = register("Cem").post(f"{allowed}/branches", version)
    assert (stranger.status_code, stranger.json["code"]) == (403, "not_seated")


def test_a_practice_branch_shows_the_same_view_as_the_match(ada: ApiUser, ben: ApiUser) -> None:
    source = seated(ada, ben, practice=True)
    mine = ada.get(source).json
    made = ada.post(f"{source}/branches", {"version": mine["version"]}).json
    assert made["view"] == mine["view"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/version"),
        ({"version": 0}, "/version"),
        ({"version": 10**6}, "/version"),
        ({"version": 9, "seat": 7}, "/seat"),
        ({"version": 9, "bot": "nobody"}, "/bot"),
        ({"version": 9, "x": 1}, "/x"),
    ],
)
def test_an_invalid_branch_is_refused_with_its_error(
    ada: ApiUser, ben: ApiUser, body: dict[str, Any], pointer: str
) -> None:
    answer = ada.post(f"{seated(ada, ben, practice=True)}/branches", body)
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, pointer)


def test_a_retry_creates_no_second_branch(ada: ApiUser, ben: ApiUser) -> None:
    source = finished(ada, ben)
    first, again = (
        ada.post(f"{source}/branches", {"version": 14}, headers={"Idempotency-Key": "once"}) for _ in range(2)
    )
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.data == first.data


# --- erasure ------------------------------------------------------------------------------------------------


def test_an_erased_player_has_no_name_in_matches_which_still_verify(
    ada: ApiUser, anonymous: ApiUser, kontor: Kontor, register: Callable[..., ApiUser]
) -> None:
    mira = register("Mira Unforgettable")
    done, running = finished(ada, mira), seated(ada, mira)
    kept = kontor.checkpoints.take()
    assert kept is not None
    before = [anonymous.get(path).json for path in (done, running)]
    assert mira.delete("/v1/me").status_code == 204
    assert mira.get("/v1/me").status_code == 401
    for path in (done, running):
        match = anonymous.get(path).json
        assert match["seats"][1]["player"] == {"id": mira.id, "name": None, "bot": False}
        for what in ("", "/export", "/events"):
            text = anonymous.get(path + what).text
            assert "Unforgettable" not in text
            assert mira.id in text
        assert verify(anonymous.get(f"{path}/export").data, anonymous.get(KEYS).json["keys"])
    for path, match in zip((done, running), before, strict=True):
        assert anonymous.get(f"{path}?version={match['version']}").json["head"] == match["head"]
    assert anonymous.get(running).json["status"] == "finished", "she has resigned"
    assert audit_all(kontor).problems == []


def test_no_name_is_anywhere_in_an_export(
    ada: ApiUser, ben: ApiUser, register: Callable[..., ApiUser]
) -> None:
    mira = register("Mira Unforgettable")
    path = finished(mira, ben)
    lines = [json.loads(line) for line in mira.get(f"{path}/export").text.splitlines()]
    assert "Mira" not in json.dumps(lines)
    assert {line["by"] for line in lines if "by" in line} == {mira.id, ben.id}


def test_nothing_in_the_database_remembers_an_erased_name_or_token(
    kontor: Kontor, register: Callable[..., ApiUser]
) -> None:
    mira = register("Mira Unforgettable")
    mira.post("/v1/tokens", {"label": "her laptop", "scopes": ["play"]})
    mira.match(ME, OPEN)
    mira.delete("/v1/me")
    names = [
        row["name"] for row in kontor.database.read("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    kept = {name: str(kontor.database.read(f"SELECT * FROM {name}")) for name in names}  # noqa: S608
    assert not any("Unforgettable" in text or "her laptop" in text for text in kept.values())
    assert kontor.database.read("SELECT id FROM tokens WHERE player = ?", [mira.id]) == []
