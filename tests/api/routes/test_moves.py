from typing import Any

import pytest

from kontor_games.service.kontor import Kontor
from kontor_games.service.people.limits import LimitState
from kontor_games.service.people.tokens import Caller
from tests.api.conftest import ApiUser

ME, OPEN = {"type": "me"}, {"type": "open"}


@pytest.fixture
def path(ada: ApiUser, ben: ApiUser) -> str:
    """The path of a running match of Ada and Ben."""
    match = ada.match(ME, OPEN)
    ben.post(f"/v1/matches/{match['id']}/seats")
    return f"/v1/matches/{match['id']}"


def move_of(who: ApiUser, path: str) -> dict[str, Any]:
    return dict(who.get(path).json["legal_moves"][0])


def test_the_answer_to_a_move_has_everything_for_the_next_decision(ada: ApiUser, path: str) -> None:
    before = ada.get(path).json
    answer = ada.post(f"{path}/moves", before["legal_moves"][0])
    assert answer.status_code == 201
    after = answer.json
    assert answer.headers["ETag"] == f'"{after["version"]}"'
    assert (after["first"], after["version"]) == (
        before["version"] + 1,
        before["version"] + len(after["facts"]),
    )
    assert after["facts"][0] == {"type": "card_laid", "seat": 0, "card": before["legal_moves"][0]["card"]}
    assert (after["to_act"], after["legal_moves"], after["status"], after["you"]) == ([1], [], "running", 0)
    shown = ada.get(path).json
    assert {name: shown[name] for name in after if name not in ("first", "facts", "receipt")} == {
        name: value for name, value in after.items() if name not in ("first", "facts", "receipt")
    }


def test_several_moves_are_made_as_one_command(ada: ApiUser, ben: ApiUser, path: str) -> None:
    answer = ada.post(f"{path}/moves", {"moves": [move_of(ada, path)]})
    assert answer.status_code == 201
    twice = ben.post(f"{path}/moves", {"moves": [move_of(ben, path), move_of(ben, path)]})
    assert (twice.status_code, twice.json["index"]) == (409, 1)
    assert ben.get(path).json["version"] == answer.json["version"]


def test_a_refused_move_cites_the_rule_and_changes_nothing(ada: ApiUser, path: str) -> None:
    ada.post(f"{path}/moves", move_of(ada, path))
    version = ada.get(path).json["version"]
    refused = ada.post(f"{path}/moves", {"type": "close_fair"})
    assert (refused.status_code, refused.json["index"]) == (409, 0)
    assert refused.json["rule"].startswith("T-")
    assert ada.get(path).json["version"] == version


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"type": "fly"}, ["/type"]),
        ({}, ["/type"]),
        ([], [""]),
        ("lay_card", [""]),
        ({"type": "lay_card"}, ["/card"]),
        ({"type": "lay_card", "card": "x", "to": 1}, ["/card", "/to"]),
        ({"moves": []}, ["/moves"]),
        ({"moves": {}}, ["/moves"]),
        ({"moves": [{"type": "lay_card", "card": 1}] * 101}, ["/moves"]),
        ({"moves": [{"type": "lay_card", "card": 1}, {"type": "lay_card"}]}, ["/moves/1/card"]),
        ({"moves": [1], "note": ""}, ["/note"]),
    ],
)
def test_a_malformed_move_is_answered_with_all_its_errors(
    ada: ApiUser, path: str, body: object, pointers: list[str]
) -> None:
    answer = ada.post(f"{path}/moves", body)
    assert answer.status_code == 422
    assert sorted(fault["pointer"] for fault in answer.json["errors"]) == pointers


def test_five_point_zero_is_an_integer(ada: ApiUser, path: str) -> None:
    card = move_of(ada, path)["card"]
    raw = f'{{"type": "lay_card", "card": {card}.0}}'
    assert ada.post(f"{path}/moves", data=raw, content_type="application/json").status_code == 201


def test_a_move_decided_on_an_old_version_is_stale(ada: ApiUser, ben: ApiUser, path: str) -> None:
    shown = ada.get(path)
    ben.post(f"{path}/moves", move_of(ben, path))
    stale = ada.post(
        f"{path}/moves", shown.json["legal_moves"][0], headers={"If-Match": shown.headers["ETag"]}
    )
    current = ada.get(path).json["version"]
    assert (stale.status_code, stale.json["code"], stale.json["current_version"]) == (
        412,
        "stale_version",
        current,
    )
    assert stale.headers["ETag"] == f'"{current}"'
    assert (
        ada.post(
            f"{path}/moves", shown.json["legal_moves"][0], headers={"If-Match": f'"{current}"'}
        ).status_code
        == 201
    )


def test_if_match_with_a_star_accepts_any_version(ada: ApiUser, path: str) -> None:
    assert ada.post(f"{path}/moves", move_of(ada, path), headers={"If-Match": "*"}).status_code == 201


def test_the_version_in_if_match_may_have_no_quotes(ada: ApiUser, path: str) -> None:
    version = ada.get(path).json["version"]
    assert (
        ada.post(f"{path}/moves", move_of(ada, path), headers={"If-Match": str(version - 1)}).status_code
        == 412
    )
    assert (
        ada.post(f"{path}/moves", move_of(ada, path), headers={"If-Match": str(version)}).status_code == 201
    )


def test_a_retried_move_is_made_once_and_gets_the_same_answer(ada: ApiUser, ben: ApiUser, path: str) -> None:
    move, key = move_of(ada, path), {"Idempotency-Key": "move-1"}
    first = ada.post(f"{path}/moves", move, headers=key)
    ben.post(f"{path}/moves", move_of(ben, path))
    again = ada.post(f"{path}/moves", move, headers=key)
    assert (again.status_code, again.data, again.headers["Idempotency-Replayed"]) == (201, first.data, "true")
    assert "Idempotency-Replayed" not in first.headers
    other = ada.post(f"{path}/moves", {"type": "close_fair"}, headers=key)
    assert (other.status_code, other.json["code"]) == (409, "key_reused")


def test_idempotency_keys_of_different_players_are_independent(ada: ApiUser, ben: ApiUser, path: str) -> None:
    for who in (ada, ben):
        answer = who.post(f"{path}/moves", move_of(who, path), headers={"Idempotency-Key": "same"})
        assert (answer.status_code, "Idempotency-Replayed" in answer.headers) == (201, False)


def test_a_dry_run_stores_nothing(ada: ApiUser, path: str) -> None:
    version = ada.get(path).json["version"]
    before = ada.get(path).json
    move = move_of(ada, path)
    answer = ada.post(f"{path}/dry-runs?tell=en", move)
    fact = {"type": "card_laid", "seat": before["you"], "card": move["card"]}
    seats = [
        {**seat, "cards": 2, "laid": True, "hand": [card for card in seat["hand"] if card != move["card"]]}
        | {"card": move["card"]}
        if number == before["you"]
        else seat
        for number, seat in enumerate(before["view"]["seats"])
    ]
    waits = [seat for seat in before["view"]["waits_for"] if seat != before["you"]]
    after = {**before["view"], "waits_for": waits, "seats": seats}
    texts = {"texts": [f"Ada lays a {move['card'] + 1}."], "label": f"Lay a {move['card'] + 1}"}
    offered: dict[str, list[str]] = {"legal_moves": [], "labels": []}
    result = {"facts": [fact], **texts, "view": after, **offered}
    assert (answer.status_code, answer.json) == (
        200,
        {"passes": True, "version": version, **result, "complete": True},
    )
    assert ada.get(path).json["version"] == version
    refused = ada.post(f"{path}/dry-runs", {"type": "close_fair"})
    assert (refused.status_code, refused.json["rule"][:2]) == (409, "T-")


def test_several_moves_are_tried_as_they_would_be_made_together(ada: ApiUser, path: str) -> None:
    moves = [move_of(ada, path)] * 2
    answers = [ada.post(f"{path}/{name}", {"moves": moves}) for name in ("dry-runs", "moves")]
    assert [answer.status_code for answer in answers] == [409, 409]
    same = {"request_id": "", "instance": ""}
    assert answers[0].json | same == answers[1].json | same
    answer = ada.post(f"{path}/dry-runs", {"moves": [{"type": "nonsense"}]})
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/moves/0/type")


def test_only_the_player_on_the_seat_can_move(
    ada: ApiUser, ben: ApiUser, anonymous: ApiUser, path: str, register: object
) -> None:
    stranger = register("Cem")  # type: ignore[operator]
    answer = stranger.post(f"{path}/moves", move_of(ada, path))
    assert (answer.status_code, answer.json["code"]) == (403, "not_seated")
    assert anonymous.post(f"{path}/moves", move_of(ada, path)).status_code == 401


def test_no_move_is_possible_before_the_start_or_after_the_end(ada: ApiUser) -> None:
    match = ada.match(ME, OPEN)
    answer = ada.post(f"/v1/matches/{match['id']}/moves", {"type": "close_fair"})
    assert (answer.status_code, answer.json["code"]) == (409, "match_not_running")


def test_an_open_move_is_given_by_its_schema(ada: ApiUser, ben: ApiUser, path: str) -> None:
    for who in (ada, ben):
        who.post(f"{path}/moves", move_of(who, path))
    offers = [move for who in (ada, ben) for move in who.get(path).json["legal_moves"] if "schema" in move]
    assert [move["type"] for move in offers] == ["offer_card"]
    assert offers[0]["schema"]["properties"]["type"] == {"const": "offer_card"}


# --- moves in many matches ----------------------------------------------------------------------------------


def running(ada: ApiUser, ben: ApiUser) -> str:
    match = str(ada.match(ME, OPEN)["id"])
    ben.post(f"/v1/matches/{match}/seats")
    return match


def first_move(who: ApiUser, match: str) -> dict[str, object]:
    return move_of(who, f"/v1/matches/{match}")


def test_each_move_of_a_batch_is_answered_like_a_single_move(ada: ApiUser, ben: ApiUser) -> None:
    one, two, three = (running(ada, ben) for _ in range(3))
    version = ada.get(f"/v1/matches/{one}").json["version"]
    answer = ada.post(
        "/v1/moves",
        {
            "commands": [
                {"match": one, "move": first_move(ada, one), "version": version, "key": "mine"},
                {"match": two, "moves": [first_move(ada, two)]},
                {"match": three, "move": first_move(ada, three), "version": 1},
                {"match": one, "move": {"type": "close_fair"}},
            ]
        },
    )
    assert answer.status_code == 200
    first, second, stale, refused = answer.json["answers"]
    shown = ada.get(f"/v1/matches/{one}").json
    assert (first["status"], first["match"], first["problem"], first["replayed"]) == (201, one, None, False)
    assert first["answer"]["version"] == shown["version"] == version + len(first["answer"]["facts"])
    assert second["status"] == 201
    assert (stale["status"], stale["answer"], stale["problem"]["code"]) == (412, None, "stale_version")
    alone = ada.post(f"/v1/matches/{three}/moves", first_move(ada, three), headers={"If-Match": '"1"'})
    assert stale["problem"] == alone.json
    assert (refused["status"], refused["problem"]["rule"][:2]) == (409, "T-")
    again = ada.post(
        f"/v1/matches/{one}/moves",
        first["answer"]["facts"][0] | {"type": "x"},
        headers={"Idempotency-Key": "mine"},
    )
    assert again.status_code == 422, "the key belongs to the command, on both routes"


def test_brief_answers_have_neither_view_nor_legal_moves(ada: ApiUser, path: str) -> None:
    command = {"match": path.rpartition("/")[2], "move": move_of(ada, path), "key": "k"}
    (brief,) = ada.post("/v1/moves?brief=true", {"commands": [command]}).json["answers"]
    (whole,) = ada.post("/v1/moves", {"commands": [command]}).json["answers"]
    left_out = {"view", "legal_moves"}
    assert (brief["status"], left_out & brief["answer"].keys()) == (201, set())
    assert brief["answer"] == {name: value for name, value in whole["answer"].items() if name not in left_out}
    (with_texts,) = ada.post("/v1/moves?brief=true&tell=en", {"commands": [command]}).json["answers"]
    assert with_texts["answer"].keys() - brief["answer"].keys() == {"texts"}


def test_commands_without_a_key_get_theirs_from_the_header(ada: ApiUser, ben: ApiUser) -> None:
    matches = [running(ada, ben) for _ in range(2)]
    body = {"commands": [{"match": match, "move": first_move(ada, match)} for match in matches]}
    first, again = (ada.post("/v1/moves", body, headers={"Idempotency-Key": "k"}).json for _ in range(2))
    assert [one["replayed"] for one in first["answers"] + again["answers"]] == [False, False, True, True]
    assert [one["answer"] for one in first["answers"]] == [one["answer"] for one in again["answers"]]
    alone = ada.post(
        f"/v1/matches/{matches[1]}/moves", body["commands"][1]["move"], headers={"Idempotency-Key": "k.1"}
    )
    assert (alone.status_code, alone.headers["Idempotency-Replayed"]) == (201, "true")


MATCH = "0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"
MOVE = {"type": "close_fair"}


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ([], [""]),
        ({}, ["/commands"]),
        ({"commands": []}, ["/commands"]),
        ({"commands": [{"match": MATCH, "move": MOVE}] * 201}, ["/commands"]),
        ({"commands": [{"match": MATCH, "move": MOVE}], "more": 1}, ["/more"]),
        ({"commands": [7]}, ["/commands/0"]),
        ({"commands": [{"move": MOVE}]}, ["/commands/0/match"]),
        ({"commands": [{"match": "x", "move": MOVE}]}, ["/commands/0/match"]),
        ({"commands": [{"match": MATCH}]}, ["/commands/0"]),
        ({"commands": [{"match": MATCH, "move": MOVE, "moves": [MOVE]}]}, ["/commands/0"]),
        ({"commands": [{"match": MATCH, "move": 1}]}, ["/commands/0/move"]),
        ({"commands": [{"match": MATCH, "move": {}}]}, ["/commands/0/move/type"]),
        ({"commands": [{"match": MATCH, "moves": []}]}, ["/commands/0/moves"]),
        ({"commands": [{"match": MATCH, "moves": [MOVE, {"type": ""}]}]}, ["/commands/0/moves/1/type"]),
        (
            {
                "commands": [
                    {"match": MATCH, "move": MOVE, "key": "", "version": -1, "signature": "x", "a": 1}
                ]
            },
            ["/commands/0/a", "/commands/0/key", "/commands/0/signature", "/commands/0/version"],
        ),
        ({"commands": [{"match": MATCH, "move": MOVE, "version": True}]}, ["/commands/0/version"]),
        ({"commands": [{"match": MATCH, "move": MOVE, "version": 1.5}]}, ["/commands/0/version"]),
    ],
)
def test_a_malformed_batch_is_refused_with_all_errors_and_does_nothing(
    ada: ApiUser, body: object, pointers: list[str]
) -> None:
    answer = ada.post("/v1/moves", body)
    assert (answer.status_code, [fault["pointer"] for fault in answer.json["errors"]]) == (422, pointers)


def test_a_malformed_move_in_a_batch_is_refused_alone(ada: ApiUser, ben: ApiUser) -> None:
    one, two = running(ada, ben), running(ada, ben)
    wrong = {"type": "lay_card", "card": "many", "price": 1}
    commands = [
        {"match": one, "move": wrong},
        {"match": one, "moves": [wrong]},
        {"match": two, "move": first_move(ada, two), "version": 5.0},
    ]
    first, second, third = ada.post("/v1/moves", {"commands": commands}).json["answers"]
    places = [
        {fault["pointer"].rpartition("/")[0] for fault in one["problem"]["errors"]} for one in (first, second)
    ]
    assert places == [{"/commands/0/move"}, {"/commands/1/moves/0"}]
    assert (first["status"], third["status"]) == (422, 412)


def test_each_command_counts_as_a_call(ada: ApiUser, kontor: Kontor, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[tuple[str, int]] = []
    check = kontor.limits.check

    def recorded_check(
        who: Caller | str, cost: str, calls: int = 1, *, count_refused: bool = False
    ) -> LimitState:
        counted.append((cost, calls))
        assert count_refused == (calls > 1)
        return check(who, cost, calls, count_refused=count_refused)

    monkeypatch.setattr(kontor.limits, "check", recorded_check)
    ada.post("/v1/moves", {"commands": [{"match": MATCH, "move": MOVE}] * 5})
    assert counted == [("move", 1), ("move", 4)]
