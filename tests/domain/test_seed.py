"""The seed of a match: committed to before anyone joins, and computed from all contributions."""

import hashlib
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor_games.domain.seed import commitment_of, is_hash, is_opening_of, seed_of

VECTORS = json.loads((Path(__file__).parents[2] / "docs/vectors/chance.json").read_text(encoding="utf-8"))[
    "match_seeds"
]
SECRET = "5e" * 32


@pytest.mark.parametrize("vector", VECTORS)
def test_secret_and_contributions_give_the_published_commitment_and_seed(vector: dict[str, Any]) -> None:
    assert commitment_of(vector["secret"]) == vector["commitment"]
    assert seed_of(vector["secret"], vector["contributions"]).hex() == vector["seed"]


def test_another_order_of_the_contributions_gives_another_seed() -> None:
    orders = itertools.permutations(["ann's", "ben's", "cid's"])
    assert len({seed_of(SECRET, order) for order in orders}) == 6


def test_contributions_are_encoded_unambiguously() -> None:
    near = [["ab", "c"], ["a", "bc"], ["abc", ""], ["", "abc"], ["abc"], ["a", "b", "c"], ["\0\1a", "bc"]]
    assert len({seed_of(SECRET, contributions) for contributions in near}) == len(near)


@given(st.lists(st.text(max_size=20), max_size=5), st.lists(st.text(max_size=20), max_size=5))
def test_two_lists_of_contributions_give_the_same_seed_only_if_they_are_equal(
    one: list[str], other: list[str]
) -> None:
    assert (seed_of(SECRET, one) == seed_of(SECRET, other)) == (one == other)


def test_one_changed_contribution_changes_the_seed() -> None:
    seeds = {seed_of(SECRET, ["", text, ""]) for text in ("", "heads", "tails")}
    assert len(seeds) == 3


def test_the_length_of_the_longest_contribution_can_be_encoded() -> None:
    assert len(seed_of(SECRET, ["€" * 1000])) == 32


def test_a_sealed_contribution_is_opened_only_by_its_value() -> None:
    sealed = hashlib.sha256("Würfel".encode()).hexdigest()
    assert is_opening_of("Würfel", sealed)
    assert not any(is_opening_of(other, sealed) for other in ("", "würfel", "Würfel ", sealed))


@pytest.mark.parametrize(
    ("text", "can_be"),
    [
        ("0" * 64, True),
        ("af" * 32, True),
        ("AF" * 32, False),
        ("0" * 63, False),
        ("0" * 65, False),
        ("0" * 64 + "\n", False),
    ],
)
def test_a_sealed_contribution_is_a_hash_in_lower_case_hex(text: str, can_be: bool) -> None:
    assert is_hash(text) is can_be
