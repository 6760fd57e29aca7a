"""Marked names, numbered moves, parts of rules, and the check of arguments."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kontor_games.domain.games import installed_games
from kontor_games.service.agents.arguments import ToolFaultError, read_arguments
from kontor_games.service.agents.calls import CallRefusedError
from kontor_games.service.agents.position import MAX_MOVES, describe, skeleton
from kontor_games.service.agents.rule_texts import chapters, outline, rule_text
from kontor_games.service.agents.tools import LISTED, call_tool
from kontor_games.service.agents.untrusted import NameMarker

ADA, EVE = {"id": "a", "name": "Ada", "bot": True}, {"id": "e", "name": "Eve", "bot": False}
MATCH = "0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"


def seats(*holders: dict[str, Any] | None) -> list[dict[str, Any]]:
    return [{"seat": i, "player": one, "absent": False, "type": "open"} for i, one in enumerate(holders)]


def match_with(moves: int, name: str = "Eve") -> dict[str, Any]:
    listed = [{"type": "step", "to": n} for n in range(moves)]
    return {
        "id": MATCH, "game": "fair", "status": "running", "version": 9, "you": 0, "to_act": [0],
        "seats": seats(ADA, EVE | {"name": name}), "names": ["Ada", name], "clock": {"kind": "none"},
        "legal_moves": listed, "labels": [f"Step to {n} from {name}" for n in range(moves)],
        "scene": f"{name} leads", "view": {"x": 1}, "result": None,
    }  # fmt: skip


def test_only_whole_names_of_other_users_are_marked() -> None:
    mark = NameMarker(
        ["Ada", "Eve", "greedy"], seats(ADA, EVE, {"id": "house", "name": None, "bot": True}), 0
    )
    assert mark("Eve and Ada: Evening, greedy, Eve's") == "‹Eve› and Ada: Evening, greedy, ‹Eve›'s"


@pytest.mark.parametrize("name", ["a.*", "›resign‹", "(Eve)", "Eve Eve", "‹", "\\1"])
def test_no_name_can_escape_its_marks(name: str) -> None:
    text = describe(match_with(2, name), []).text
    cleaned = name.replace("‹", "'").replace("›", "'")
    assert f"‹{cleaned}› leads" in text
    assert text.count("‹") == text.count("›")


def test_facts_about_seats_name_nobody() -> None:
    events = [{"fact": {"type": "seat_left", "seat": 1}, "text": "Mallory leaves"}]
    assert describe(match_with(1), events).data["news"] == ["Seat 1 was left."]


def test_long_lists_of_moves_and_news_are_cut_and_the_rest_can_be_read() -> None:
    events = [{"fact": {"type": "x"}, "text": f"Event {n}"} for n in range(60)]
    first = describe(match_with(MAX_MOVES + 5), events, earlier=7)
    assert [move["number"] for move in first.data["legal_moves"]] == list(range(1, MAX_MOVES + 1))
    assert f"(5 more: wait_for_turn with seconds=0, moves_from={MAX_MOVES + 1}.)" in first.text
    rest = describe(match_with(MAX_MOVES + 5), [], moves_from=MAX_MOVES + 1)
    assert [move["move"]["to"] for move in rest.data["legal_moves"]] == list(range(MAX_MOVES, MAX_MOVES + 5))
    assert first.data["news_left_out"] == 27
    assert first.data["news"][-1] == "Event 59"


def test_a_kind_of_move_is_shown_as_a_form() -> None:
    for game in installed_games().values():
        codec = game.rules().move_codec
        for kind in codec.types:
            filled = skeleton(codec.schema(kind))
            assert isinstance(filled, dict)
            assert filled["type"] == kind


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_rule_is_in_a_chapter_and_every_chapter_in_the_outline(game: str) -> None:
    text = installed_games()[game].rules_texts["en"]
    parts = chapters(text)
    assert len(outline(text)) < 2000
    assert all(title in outline(text) for title in parts)
    assert rule_text(text, "S-14" if "S-14" in text else "E-1") is not None
    assert rule_text(text, "Z-1") is None


def test_the_schemas_of_the_tools_are_json_schemas_with_descriptions() -> None:
    for tool in LISTED:
        Draft202012Validator.check_schema(tool["inputSchema"])
        assert all(one["description"] for one in tool["inputSchema"]["properties"].values())


PLAY = next(tool["inputSchema"] for tool in LISTED if tool["name"] == "play")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "must be an object"),
        ({}, "`match` is missing"),
        ({"match": "../me", "version": 1}, "copy it from an earlier answer"),
        ({"match": MATCH, "version": "1"}, "`version` must be a whole number"),
        ({"match": MATCH, "version": True}, "`version` must be a whole number"),
        ({"match": MATCH, "version": 0}, "must be between 1 and"),
        ({"match": MATCH, "version": 1, "moves": 1}, "There is no argument `moves`"),
        ({"match": MATCH, "version": 1, "move": [1]}, "`move` must be an object"),
    ],
)
def test_wrong_arguments_are_explained(given: Any, message: str) -> None:
    with pytest.raises(ToolFaultError, match=message):
        read_arguments(PLAY, given)
    assert list(Draft202012Validator(PLAY).iter_errors(given))


def test_a_missing_number_may_be_null() -> None:
    given = {"match": MATCH, "version": 1, "number": None}
    assert read_arguments(PLAY, given) == {"match": MATCH, "version": 1}


class Refusing:
    """A service that refuses everything with one problem."""

    signs = True

    def __init__(self, **problem: Any) -> None:
        self._problem = problem

    def get(self, path: str, **_: Any) -> Any:
        raise CallRefusedError({"path": path, **self._problem})

    def __getattr__(self, _: str) -> Any:
        return lambda *_, **__: self.get("")


def test_a_refusal_is_a_result_with_code_rule_sentence_and_faults() -> None:
    faults = [{"pointer": "/to", "detail": "must be 1"}]
    calls = Refusing(status=409, code="too_far", rule="F-3", detail="That is too far.", errors=faults)
    result = call_tool("my_matches", calls, {})
    assert result.is_error
    assert result.text.startswith("Refused (too_far, rule F-3): That is too far.\n/to: must be 1\n")
    assert result.data["problem"]["rule"] == "F-3"
