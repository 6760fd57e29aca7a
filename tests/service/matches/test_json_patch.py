"""JSON Patches: the least that turns one view into the next."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor_client.replay import patched
from kontor_games.service.matches.replay import json_patch


def replace(path: str, value: Any) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


@pytest.mark.parametrize(
    ("before", "after", "operations"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [replace("/a", 2)]),
        ({"a": 1, "b": 2}, {"b": 2, "c": 3}, [
            {"op": "remove", "path": "/a"}, {"op": "add", "path": "/c", "value": 3},
        ]),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, [replace("/a~1b/~0", 2)]),
        ([1, 2], [1, 2, 3, 4], [
            {"op": "add", "path": "/-", "value": 3}, {"op": "add", "path": "/-", "value": 4},
        ]),
        ([1, 2, 3], [1, 9, 3], [replace("/1", 9)]),
        ([1, 2, 3], [8, 9, 3], [replace("", [8, 9, 3])]),
        ([1, 2, 3], [1, 2], [replace("", [1, 2])]),
        ([1, 2], [9, 2, 3], [replace("", [9, 2, 3])]),
        ([{"a": 1}, {"a": 2}], [{"a": 3}, {"a": 4}], [replace("/0/a", 3), replace("/1/a", 4)]),
        ([[1], [2]], [[3], [4]], [replace("/0/0", 3), replace("/1/0", 4)]),
        ([{"a": 1}], [{"a": 2}, {}], [replace("", [{"a": 2}, {}])]),
        ({"a": [1]}, {"a": {"b": 1}}, [replace("/a", {"b": 1})]),
        (None, {"a": 1}, [replace("", {"a": 1})]),
    ],
)  # fmt: skip
def test_a_patch_has_the_fewest_and_shortest_operations(
    before: Any, after: Any, operations: list[Any]
) -> None:
    assert json_patch(before, after) == operations


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a/b", "~"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab~/"), inner, max_size=4),
    max_leaves=12,
)


@given(before=VALUES, after=VALUES)
def test_a_patch_turns_every_value_into_every_other(before: Any, after: Any) -> None:
    assert patched(before, json_patch(before, after)) == after
