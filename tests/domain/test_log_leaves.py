"""Leaves of the log: one canonical form, and nothing else is one."""

import pytest

from kontor_games.domain.log_leaves import (
    KeyLeaf,
    Leaf,
    MatchLeaf,
    OutageLeaf,
    TournamentLeaf,
    UnreadableLeafError,
    read_leaf,
)

MATCH, KEY = MatchLeaf("m", 3, "h"), KeyLeaf("k", "p", 5)


@pytest.mark.parametrize(
    ("leaf", "content"),
    [
        (MATCH, b'{"head":"h","match":"m","version":3}'),
        (MatchLeaf("m", 3, "h", end=True), b'{"end":true,"head":"h","match":"m","version":3}'),
        (TournamentLeaf("t", 3, "h"), b'{"head":"h","tournament":"t","version":3}'),
        (OutageLeaf(5, 9), b'{"outage":5,"until":9}'),
        (KEY, b'{"key":"k","public_key":"p","valid_from":5}'),
    ],
)
def test_a_leaf_is_read_as_it_is_written(leaf: Leaf, content: bytes) -> None:
    assert leaf.content == content
    assert read_leaf(content) == leaf


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"{}", b"1", b"\xff", b"[" * 100_000),
        b'{"match":"m","head":"h","version":3}',
        b'{"head":"h","match":"m","version": 3}',
        b'{"head":"x","head":"h","match":"m","version":3}',
        b'{"head":"h","match":"m","version":3,"x":1}',
        b'{"head":"h","match":"m","version":true}',
        b'{"head":"h","match":"m","version":3.0}',
        b'{"head":"h","match":1,"version":3}',
        b'{"end":false,"head":"h","match":"m","version":3}',
        b'{"end":1,"head":"h","match":"m","version":3}',
        b'{"end":true,"head":"h","tournament":"m","version":3}',
    ],
)
def test_anything_else_is_not_a_leaf(content: bytes) -> None:
    with pytest.raises(UnreadableLeafError):
        read_leaf(content)
