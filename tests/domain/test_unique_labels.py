from typing import Any

from kontor_games.domain.narration.narrator import _make_unique


def test_equal_labels_get_the_values_in_which_their_moves_differ() -> None:
    moves: list[dict[str, Any]] = [
        {"type": "move", "caravan": 1, "path": ["a", "b"]},
        {"type": "move", "caravan": 2, "path": ["a", "c"]},
        {"type": "stay"},
    ]
    assert _make_unique(["Move.", "Move.", "Stay."], moves) == [
        "Move. (1) (a → b)",
        "Move. (2) (a → c)",
        "Stay.",
    ]


def test_labels_that_differ_stay_as_they_are() -> None:
    assert _make_unique(["Go.", "Stay."], [{"type": "go"}, {"type": "stay"}]) == ["Go.", "Stay."]
