"""The client applies the JSON Patches that the service writes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor_client.replay import patched, read_positions
from kontor_games.service.matches.replay import json_patch

KEYS = st.sampled_from(["a", "b", "c/d", "~e", "", "0", "-"])
VALUES = st.recursive(
    st.none() | st.integers(2, 5) | st.sampled_from(["x", "y"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_the_client_applies_every_patch_that_the_service_writes(before: Any, after: Any) -> None:
    as_it_was = repr(before)
    assert patched(before, json_patch(before, after)) == after
    assert repr(before) == as_it_was


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"gold": 1}, {"gold": 1}, []),
        ({"gold": 1}, {"gold": 2}, [{"op": "replace", "path": "/gold", "value": 2}]),
        ({"gold": 1}, {"gold": None}, [{"op": "replace", "path": "/gold", "value": None}]),
        (
            {"a/b": 1, "c": 2},
            {"d~": 3, "c": 2},
            [{"op": "remove", "path": "/a~1b"}, {"op": "add", "path": "/d~0", "value": 3}],
        ),
        (
            {"seats": [{"coins": 1, "cards": []}, {"coins": 2}]},
            {"seats": [{"coins": 0, "cards": ["ship"]}, {"coins": 2}]},
            [
                {"op": "replace", "path": "/seats/0/coins", "value": 0},
                {"op": "add", "path": "/seats/0/cards/-", "value": "ship"},
            ],
        ),
        ({"hand": [1, 2, 3]}, {"hand": [1, 3]}, [{"op": "replace", "path": "/hand", "value": [1, 3]}]),
    ],
)
def test_a_patch_names_what_changed(before: Any, after: Any, patch: Any) -> None:
    assert json_patch(before, after) == patch


def test_the_views_of_earlier_positions_stay_as_they_were() -> None:
    common = {"seat": 0, "facts": [], "status": "running", "to_act": [0]}
    first = {**common, "version": 1, "view": {"seats": [{"coins": 1}], "bag": 3}}
    second = {**common, "version": 2, "patch": json_patch(first["view"], {"seats": [{"coins": 2}], "bag": 3})}
    positions = list(read_positions([first, second]))
    assert [one.view for one in positions] == [
        {"seats": [{"coins": 1}], "bag": 3},
        {"seats": [{"coins": 2}], "bag": 3},
    ]
    assert repr(positions[1]) == "Position(version=2, 'running')"
