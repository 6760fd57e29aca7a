import pytest

from tests.api.conftest import Someone

ME, OPEN = {"type": "me"}, {"type": "open"}


@pytest.fixture
def path(ada: Someone, ben: Someone) -> str:
    """A running match of Ada's and Ben's."""
    match = ada.match(ME, OPEN)
    ben.post(f"/v1/matches/{match['id']}/seats")
    return f"/v1/matches/{match['id']}"


def move_of(who: Someone, path: str) -> dict[str, object]:
    return dict(who.get(path).json["legal_moves"][0])


def test_a_move_answers_all_that_the_next_decision_needs(ada: Someone, path: str) -> None:
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
    look = ada.get(path).json
    assert {name: look[name] for name in after if name not in ("first", "facts", "receipt")} == {
        name: value for name, value in after.items() if name not in ("first", "facts", "receipt")
    }


def test_several_moves_are_made_as_one(ada: Someone, ben: Someone, path: str) -> None:
    answer = ada.post(f"{path}/moves", {"moves": [move_of(ada, path)]})
    assert answer.status_code == 201
    twice = ben.post(f"{path}/moves", {"moves": [move_of(ben, path), move_of(ben, path)]})
    assert (twice.status_code, twice.json["index"]) == (409, 1)
    assert ben.get(path).json["version"] == answer.json["version"]


def test_a_refused_move_cites_the_rule_and_changes_nothing(ada: Someone, path: str) -> None:
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
def test_a_malformed_move_is_told_what_is_wrong(
    ada: Someone, path: str, body: object, pointers: list[str]
) -> None:
    answer = ada.post(f"{path}/moves", body)
    assert answer.status_code == 422
    assert sorted(fault["pointer"] for fault in answer.json["errors"]) == pointers


def test_five_point_zero_is_an_integer(ada: Someone, path: str) -> None:
    card = move_of(ada, path)["card"]
    raw = f'{{"type": "lay_card", "card": {card}.0}}'
    assert ada.post(f"{path}/moves", data=raw, content_type="application/json").status_code == 201


def test_a_move_decided_on_an_old_version_is_stale(ada: Someone, ben: Someone, path: str) -> None:
    look = ada.get(path)
    ben.post(f"{path}/moves", move_of(ben, path))
    stale = ada.post(f"{path}/moves", look.json["legal_moves"][0], headers={"If-Match": look.headers["ETag"]})
    current = ada.get(path).json["version"]
    assert (stale.status_code, stale.json["code"], stale.json["current_version"]) == (
        412,
        "stale_version",
        current,
    )
    assert stale.headers["ETag"] == f'"{current}"'
    assert (
        ada.post(
            f"{path}/moves", look.json["legal_moves"][0], headers={"If-Match": f'"{current}"'}
        ).status_code
        == 201
    )


def test_any_version_will_do_with_a_star(ada: Someone, path: str) -> None:
    assert ada.post(f"{path}/moves", move_of(ada, path), headers={"If-Match": "*"}).status_code == 201


def test_a_version_may_stand_without_quotes(ada: Someone, path: str) -> None:
    version = ada.get(path).json["version"]
    assert (
        ada.post(f"{path}/moves", move_of(ada, path), headers={"If-Match": str(version - 1)}).status_code
        == 412
    )
    assert (
        ada.post(f"{path}/moves", move_of(ada, path), headers={"If-Match": str(version)}).status_code == 201
    )


def test_a_retried_move_is_made_once_and_answered_alike(ada: Someone, ben: Someone, path: str) -> None:
    move, key = move_of(ada, path), {"Idempotency-Key": "move-1"}
    first = ada.post(f"{path}/moves", move, headers=key)
    ben.post(f"{path}/moves", move_of(ben, path))
    again = ada.post(f"{path}/moves", move, headers=key)
    assert (again.status_code, again.data, again.headers["Idempotency-Replayed"]) == (201, first.data, "true")
    assert "Idempotency-Replayed" not in first.headers
    other = ada.post(f"{path}/moves", {"type": "close_fair"}, headers=key)
    assert (other.status_code, other.json["code"]) == (422, "key_reused")


def test_the_same_key_of_another_player_is_another_key(ada: Someone, ben: Someone, path: str) -> None:
    for who in (ada, ben):
        answer = who.post(f"{path}/moves", move_of(who, path), headers={"Idempotency-Key": "same"})
        assert (answer.status_code, "Idempotency-Replayed" in answer.headers) == (201, False)


def test_a_dry_run_stores_nothing(ada: Someone, path: str) -> None:
    version = ada.get(path).json["version"]
    answer = ada.post(f"{path}/moves?dry_run=true", move_of(ada, path))
    assert (answer.status_code, answer.json) == (200, {"passes": True, "version": version})
    assert ada.get(path).json["version"] == version
    refused = ada.post(f"{path}/moves?dry_run=true", {"type": "close_fair"})
    assert (refused.status_code, refused.json["rule"][:2]) == (409, "T-")


def test_a_dry_run_looks_at_one_move_since_chance_may_follow(ada: Someone, path: str) -> None:
    move = move_of(ada, path)
    answer = ada.post(f"{path}/moves?dry_run=true", {"moves": [move, move]})
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/moves")


def test_only_who_sits_there_moves(
    ada: Someone, ben: Someone, anyone: Someone, path: str, register: object
) -> None:
    stranger = register("Cem")  # type: ignore[operator]
    answer = stranger.post(f"{path}/moves", move_of(ada, path))
    assert (answer.status_code, answer.json["code"]) == (403, "not_seated")
    assert anyone.post(f"{path}/moves", move_of(ada, path)).status_code == 401


def test_nobody_moves_before_the_start_or_after_the_end(ada: Someone) -> None:
    match = ada.match(ME, OPEN)
    answer = ada.post(f"/v1/matches/{match['id']}/moves", {"type": "close_fair"})
    assert (answer.status_code, answer.json["code"]) == (409, "match_not_running")


def test_a_kind_of_move_that_is_too_many_to_list_is_given_by_its_schema(
    ada: Someone, ben: Someone, path: str
) -> None:
    for who in (ada, ben):
        who.post(f"{path}/moves", move_of(who, path))
    offers = [move for who in (ada, ben) for move in who.get(path).json["legal_moves"] if "schema" in move]
    assert [move["type"] for move in offers] == ["offer_card"]
    assert offers[0]["schema"]["properties"]["type"] == {"const": "offer_card"}
