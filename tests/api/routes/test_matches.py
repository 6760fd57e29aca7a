import re
from collections.abc import Callable

import pytest

from tests.api.conftest import ApiUser, Clock

OPEN, ME, BOT = {"type": "open"}, {"type": "me"}, {"type": "bot", "bot": "greedy"}


def test_a_new_match_shows_everything_that_is_pinned(ada: ApiUser) -> None:
    answer = ada.post("/v1/matches", {"game": "fair", "seats": [ME, OPEN], "options": {"rounds": 2}})
    match = answer.json
    assert (answer.status_code, answer.headers["Location"], answer.headers["ETag"]) == (
        201,
        f"/v1/matches/{match['id']}",
        '"2"',
    )
    assert (match["status"], match["version"], match["you"], match["to_act"], match["view"]) == (
        "open",
        2,
        0,
        [],
        None,
    )
    assert match["ruleset"]["version"] == 1
    assert match["options"] == {"rounds": 2, "coins": 5}
    assert [fact["type"] for fact in match["facts"]] == ["match_created", "seat_taken"]
    assert match["first"] == 1
    assert match["facts"][0]["hidden"] == ["server_secret"]
    assert match["seats"] == [
        {
            "seat": 0,
            "type": "invited",
            "player": as_player(ada),
            "invited": as_player(ada),
            "absent": False,
            "key": None,
        },
        {"seat": 1, "type": "open", "player": None, "invited": None, "absent": False, "key": None},
    ]


def as_player(ada: ApiUser) -> dict[str, object]:
    return {"id": ada.id, "name": "Ada", "bot": False}


def test_a_full_match_starts_automatically_and_house_bots_are_marked(ada: ApiUser) -> None:
    match = ada.match(ME, BOT)
    assert (match["status"], match["to_act"]) == ("running", [0, 1])
    assert match["seats"][1]["player"] == {"id": "house", "name": "greedy", "bot": True}
    assert match["legal_moves"]


def test_one_idempotency_key_creates_one_match(ada: ApiUser) -> None:
    body = {"game": "fair", "seats": [ME, OPEN]}
    first, again = (ada.post("/v1/matches", body, headers={"Idempotency-Key": "1"}) for _ in range(2))
    assert again.json == first.json
    assert again.headers["Idempotency-Replayed"] == "true"
    other = ada.post("/v1/matches", {**body, "private": True}, headers={"Idempotency-Key": "1"})
    assert (other.status_code, other.json["code"]) == (409, "key_reused")


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"game": "chess"}, ["/game"]),
        ({"seats": []}, ["/seats"]),
        ({"seats": [ME]}, ["/seats"]),
        ({"seats": [ME, {"type": "bot", "bot": "deep"}]}, ["/seats/1/bot"]),
        ({"seats": [ME, {"type": "bot"}]}, ["/seats/1/bot"]),
        (
            {"seats": [ME, {"type": "invited", "player": "00000000-0000-4000-8000-000000000000"}]},
            ["/seats/1/player"],
        ),
        ({"seats": [ME, {"type": "wait"}]}, ["/seats/1/type"]),
        ({"seats": [ME, 7]}, ["/seats/1"]),
        ({"options": {"rounds": 99, "colour": 1}}, ["/options/colour", "/options/rounds"]),
        ({"options": {"cards": "none"}}, ["/options/cards"]),
        ({"options": [1]}, ["/options"]),
        ({"clock": {"kind": "bank"}}, ["/clock/ms"]),
        ({"clock": {"kind": "per_move", "ms": 2**52}}, ["/clock/ms"]),
        ({"clock": {"kind": "sand"}}, ["/clock/kind"]),
        ({"on_timeout": "cry"}, ["/on_timeout"]),
        ({"seed": ""}, ["/seed"]),
    ],
)
def test_every_invalid_field_of_a_new_match_is_reported(
    ada: ApiUser, body: dict[str, object], pointers: list[str]
) -> None:
    answer = ada.post("/v1/matches", {"game": "fair", "seats": [ME, OPEN], **body})
    assert (answer.status_code, answer.json["code"]) == (422, "malformed")
    assert sorted(fault["pointer"] for fault in answer.json["errors"]) == pointers


def test_the_match_starts_when_the_second_player_joins(ada: ApiUser, ben: ApiUser) -> None:
    match = ada.match(ME, OPEN)
    joined = ben.post(f"/v1/matches/{match['id']}/seats", {"seat": 1, "contribution": "0b" * 32})
    assert (joined.status_code, joined.json["status"], joined.json["you"]) == (201, "running", 1)
    assert joined.json["facts"][0] == {
        "type": "seat_taken",
        "seat": 1,
        "player": ben.id,
        "bot": False,
        "house": None,
        "contribution": "0b" * 32,
    }


def test_joining_needs_no_body(ada: ApiUser, ben: ApiUser) -> None:
    match = ada.match(OPEN, ME)
    assert ben.post(f"/v1/matches/{match['id']}/seats").json["you"] == 0


def test_bots_cannot_join_a_match_that_excludes_them(ada: ApiUser, register: Callable[..., ApiUser]) -> None:
    robot = register("Robot", bot=True)
    match = ada.match(ME, OPEN, meet_bots=False)
    refused = robot.post(f"/v1/matches/{match['id']}/seats")
    assert (refused.status_code, refused.json["code"]) == (409, "bots_not_welcome")
    welcome = robot.post(f"/v1/matches/{ada.match(ME, OPEN)['id']}/seats")
    assert welcome.json["seats"][1]["player"] == {"id": robot.id, "name": "Robot", "bot": True}


def test_a_player_cannot_take_two_seats_or_a_taken_one(
    ada: ApiUser, ben: ApiUser, register: Callable[..., ApiUser]
) -> None:
    match = ada.match(ME, OPEN, OPEN)
    path = f"/v1/matches/{match['id']}/seats"
    assert ada.post(path).json["code"] == "already_seated"
    assert ben.post(path, {"seat": 0}).json["code"] == "seat_not_free"
    assert ben.post(path, {"seat": 2}).status_code == 201
    assert register("Cem").post(path, {"seat": 9}).json["code"] == "seat_not_free"


def test_a_seat_is_reserved_for_an_invited_player(
    ada: ApiUser, ben: ApiUser, register: Callable[..., ApiUser]
) -> None:
    match = ada.match(ME, {"type": "invited", "player": ben.id})
    assert match["seats"][1]["invited"] == {"id": ben.id, "name": "Ben", "bot": False}
    assert register("Cem").post(f"/v1/matches/{match['id']}/seats").json["code"] == "seat_not_free"
    assert ben.post(f"/v1/matches/{match['id']}/seats").json["you"] == 1


def test_a_player_can_leave_the_seat_before_the_start(ada: ApiUser, ben: ApiUser) -> None:
    match = ada.match(ME, OPEN, OPEN)
    ben.post(f"/v1/matches/{match['id']}/seats")
    left = ben.delete(f"/v1/matches/{match['id']}/seats/me")
    assert (left.status_code, left.json["you"], left.json["seats"][1]["player"]) == (200, None, None)
    again = ben.delete(f"/v1/matches/{match['id']}/seats/me")
    assert (again.status_code, again.json["code"]) == (403, "not_seated")


def test_the_creator_starts_a_match_without_autostart(ada: ApiUser, ben: ApiUser) -> None:
    match = ada.match(ME, OPEN, autostart=False)
    path = f"/v1/matches/{match['id']}"
    assert ada.post(f"{path}/start").json["code"] == "seats_missing"
    ben.post(f"{path}/seats")
    refused = ben.post(f"{path}/start", {})
    assert (refused.status_code, refused.json["code"]) == (403, "not_creator")
    assert ada.post(f"{path}/start").json["status"] == "running"
    assert ada.post(f"{path}/start").json["code"] == "match_not_open"


def test_resigning_ends_a_match_of_two(ada: ApiUser, ben: ApiUser) -> None:
    match = ada.match(ME, OPEN)
    ben.post(f"/v1/matches/{match['id']}/seats")
    answer = ada.post(f"/v1/matches/{match['id']}/resignation").json
    assert (answer["status"], answer["result"]) == (
        "finished",
        {"places": [2, 1], "scores": None, "reason": "forfeit"},
    )
    assert answer["seats"][0]["absent"] is True
    assert answer["chance"]["server_secret"]


def test_a_match_is_aborted_by_its_creator_or_by_consent(ada: ApiUser, ben: ApiUser) -> None:
    assert ada.post(f"/v1/matches/{ada.match(ME, OPEN)['id']}/abort").json["status"] == "aborted"
    match = ada.match(ME, OPEN)
    path = f"/v1/matches/{match['id']}"
    running = ben.post(f"{path}/seats").json
    ben.post(f"{path}/moves", running["legal_moves"][0])
    assert ada.post(f"{path}/abort").json["status"] == "running"
    assert ben.post(f"{path}/abort").json["status"] == "aborted"


def test_a_match_is_shown_as_its_reader_may_see_it(ada: ApiUser, ben: ApiUser, anonymous: ApiUser) -> None:
    match = ada.match(ME, OPEN)
    ben.post(f"/v1/matches/{match['id']}/seats")
    of_ada, of_ben, of_all = (who.get(f"/v1/matches/{match['id']}").json for who in (ada, ben, anonymous))
    assert ("hand" in of_ada["view"]["seats"][0], "hand" in of_ada["view"]["seats"][1]) == (True, False)
    assert ("hand" in of_ben["view"]["seats"][0], "hand" in of_ben["view"]["seats"][1]) == (False, True)
    assert not any("hand" in seat for seat in of_all["view"]["seats"])
    assert (of_all["you"], of_all["legal_moves"], bool(of_ben["legal_moves"])) == (None, [], True)


def test_an_unchanged_match_is_answered_with_304(ada: ApiUser) -> None:
    path = f"/v1/matches/{ada.match(ME, OPEN)['id']}"
    first = ada.get(path)
    tag = first.headers["ETag"]
    assert re.fullmatch('"2-[0-9a-f]{12}"', tag)
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in first.headers["Vary"]
    again = ada.get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert ada.get(path, headers={"If-None-Match": f"W/{tag}"}).status_code == 304
    for other in ('"1"', '"2"', tag.replace("2-", "1-")):
        assert ada.get(path, headers={"If-None-Match": other}).status_code == 200


def test_the_etag_of_a_match_changes_when_a_player_is_renamed(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    path = f"/v1/matches/{ada.match(ME, {'type': 'invited', 'player': ben.id})['id']}"
    tags = [anonymous.get(path).headers["ETag"]]

    def names_in_new_answer() -> list[str | None]:
        """The names in the answer to a client that has an outdated copy."""
        for known in (path, f"{path}?version=1"):
            old = anonymous.get(known, headers={"If-None-Match": tags[-1].replace("2-", "1-")})
            assert old.status_code == 200
        answer = anonymous.get(path, headers={"If-None-Match": ", ".join(tags)})
        assert answer.status_code == 200
        tags.append(answer.headers["ETag"])
        return [seat["player" if seat["player"] else "invited"]["name"] for seat in answer.json["seats"]]

    ada.patch("/v1/me", {"name": "Ada L."})
    assert names_in_new_answer() == ["Ada L.", "Ben"]
    ben.patch("/v1/me", {"name": "Benno"})
    assert names_in_new_answer() == ["Ada L.", "Benno"]
    ben.delete("/v1/me")
    assert names_in_new_answer() == ["Ada L.", None]
    assert anonymous.get(path, headers={"If-None-Match": tags[-1]}).status_code == 304


def test_the_etag_of_a_match_can_be_sent_as_if_match(ada: ApiUser, ben: ApiUser) -> None:
    path = f"/v1/matches/{ada.match(ME, OPEN)['id']}"
    tag = ada.get(path).headers["ETag"]
    assert ben.post(f"{path}/seats", headers={"If-Match": tag}).status_code == 201
    assert ben.post(f"{path}/resignation", headers={"If-Match": tag}).status_code == 412


def test_an_earlier_version_is_shown_as_it_could_be_seen_then(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    match = ada.match(ME, OPEN)
    path = f"/v1/matches/{match['id']}"
    version = ben.post(f"{path}/seats").json["version"]
    before = ada.get(path).json
    ada.post(f"{path}/moves", before["legal_moves"][0])
    ada.post(f"{path}/resignation")
    past = ada.get(f"{path}?version={version}").json
    assert past == before
    assert anonymous.get(f"{path}?version=1").json["status"] == "open"
    assert anonymous.get(f"{path}?version={version + 99}").status_code == 404
    assert anonymous.get(f"{path}?version=0").status_code == 422


def test_earlier_versions_of_a_public_match_can_be_cached_by_everyone(
    ada: ApiUser, anonymous: ApiUser
) -> None:
    public, private = ada.match(ME, OPEN)["id"], ada.match(ME, OPEN, private=True)["id"]
    assert (
        anonymous.get(f"/v1/matches/{public}?version=1").headers["Cache-Control"]
        == "public, max-age=86400, immutable"
    )
    assert (
        ada.get(f"/v1/matches/{public}?version=1").headers["Cache-Control"]
        == "private, max-age=86400, immutable"
    )
    assert (
        ada.get(f"/v1/matches/{private}?version=1").headers["Cache-Control"]
        == "private, max-age=86400, immutable"
    )


def test_a_foreign_private_match_looks_like_a_missing_one(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser
) -> None:
    hidden = ada.match(ME, OPEN, private=True)["id"]
    missing = "00000000-0000-4000-8000-000000000000"
    for who in (ben, anonymous):
        for path in ("", "?version=1", "/events"):
            answers = [who.get(f"/v1/matches/{match}{path}").json for match in (hidden, missing)]
            assert {**answers[0], "instance": ""} == {**answers[1], "instance": ""}
    for path in ("seats", "start", "resignation", "abort"):
        answers = [ben.post(f"/v1/matches/{match}/{path}").json for match in (hidden, missing)]
        assert {**answers[0], "instance": ""} == {**answers[1], "instance": ""}
    assert ben.get("/v1/matches").json["matches"] == []
    assert [match["id"] for match in ada.get("/v1/matches").json["matches"]] == [hidden]


def test_matches_are_listed_page_by_page(ada: ApiUser, anonymous: ApiUser, clock: Clock) -> None:
    made = []
    for _ in range(5):
        clock.now += 1000
        made.append(ada.match(ME, OPEN)["id"])
    seen: list[str] = []
    cursor = ""
    while True:
        page = anonymous.get(f"/v1/matches?limit=2{cursor}").json
        seen += [match["id"] for match in page["matches"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == made[::-1]


def test_matches_are_found_by_game_status_and_player(ada: ApiUser, ben: ApiUser, anonymous: ApiUser) -> None:
    running, still_open = ada.match(ME, BOT)["id"], ben.match(ME, OPEN)["id"]

    def found(query: str) -> list[str]:
        return [match["id"] for match in anonymous.get(f"/v1/matches?{query}").json["matches"]]

    assert found("status=open") == [still_open]
    assert found("status=running&game=fair") == [running]
    assert found(f"player={ben.id}") == [still_open]
    assert found("game=other") == []


def test_a_forged_cursor_is_refused(anonymous: ApiUser) -> None:
    answer = anonymous.get("/v1/matches?cursor=abcd")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


def test_clocks_show_the_remaining_time_and_the_deadline(ada: ApiUser, ben: ApiUser, clock: Clock) -> None:
    match = ada.match(ME, OPEN, clock={"kind": "bank", "ms": 60_000, "increment_ms": 500})
    ben.post(f"/v1/matches/{match['id']}/seats")
    clock.now += 1500
    shown = ada.get(f"/v1/matches/{match['id']}")
    assert shown.headers["Server-Time"] == "2026-03-01T12:00:01.500Z"
    assert shown.json["clock"] == {
        "kind": "bank",
        "ms": 60_000,
        "increment_ms": 500,
        "server_time": "2026-03-01T12:00:01.500Z",
        "seats": [
            {"seat": seat, "remaining_ms": 58_500, "deadline": "2026-03-01T12:01:00.000Z"} for seat in (0, 1)
        ],
    }


def test_a_move_after_the_deadline_is_refused_and_the_timeout_is_recorded(
    ada: ApiUser, ben: ApiUser, clock: Clock
) -> None:
    match = ada.match(ME, OPEN, clock={"kind": "per_move", "ms": 1000})
    joined = ben.post(f"/v1/matches/{match['id']}/seats").json
    clock.now += 1000
    late = ben.post(f"/v1/matches/{match['id']}/moves", joined["legal_moves"][0])
    assert (late.status_code, late.json["code"]) == (409, "time_is_up")
    facts = [event["fact"]["type"] for event in ada.get(f"/v1/matches/{match['id']}/events").json["events"]]
    assert "seat_timed_out" in facts


def test_a_list_says_how_finished_matches_ended(ada: ApiUser, ben: ApiUser) -> None:
    running, over = (ada.match({"type": "me"}, {"type": "open"})["id"] for _ in range(2))
    for match in (running, over):
        ben.post(f"/v1/matches/{match}/seats")
    ada.post(f"/v1/matches/{over}/resignation")
    listed = {one["id"]: one["result"] for one in ben.get(f"/v1/matches?player={ben.id}").json["matches"]}
    assert listed == {running: None, over: ben.get(f"/v1/matches/{over}").json["result"]}
    assert listed[over]["places"] == [2, 1]
