"""Merkle trees as in RFC 6962: known roots, valid proofs, and refused ones."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor_games.domain.codec import canonical
from kontor_games.domain.merkle import (
    EMPTY,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    leaf_hash,
    root_from_inclusion,
)
from tests.support.plain_tree import root_of, subtree_of

VECTORS = json.loads((Path(__file__).parents[2] / "docs/vectors/chain.json").read_text(encoding="utf-8"))[
    "trees"
]

CONTENTS = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
]
KNOWN_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""Of the trees over the first one, two, three … of these contents, as published for RFC 6962."""


def leaves(size: int) -> list[str]:
    return [leaf_hash(f"leaf {place}".encode()) for place in range(size)]


def test_roots_are_those_that_other_implementations_of_the_rfc_give() -> None:
    hashes = [leaf_hash(bytes.fromhex(content)) for content in CONTENTS]
    assert [root_of(hashes[:size]) for size in range(1, 9)] == KNOWN_ROOTS
    assert root_of([]) == EMPTY == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize("tree", VECTORS, ids=lambda tree: str(len(tree["leaves"])))
def test_roots_and_proofs_are_the_published_ones(tree: dict[str, Any]) -> None:
    hashes = [leaf_hash(canonical(leaf)) for leaf in tree["leaves"]]
    assert root_of(hashes) == tree["root"]
    for published in tree["inclusion"]:
        assert inclusion_proof(subtree_of(hashes), published["index"], len(hashes)) == published["proof"]
    for published in tree["consistency"]:
        assert root_of(hashes[: published["earlier"]]) == published["root"]
        assert consistency_proof(subtree_of(hashes), published["earlier"], len(hashes)) == published["proof"]


def test_the_proof_of_every_leaf_gives_the_root() -> None:
    for size in range(1, 34):
        hashes = leaves(size)
        for index in range(size):
            assert root_from_inclusion(
                hashes[index], index, size, inclusion_proof(subtree_of(hashes), index, len(hashes))
            ) == root_of(hashes)


def test_every_tree_is_consistent_with_all_earlier_ones() -> None:
    for size in range(1, 34):
        hashes = leaves(size)
        for earlier in range(size + 1):
            proof = consistency_proof(subtree_of(hashes), earlier, len(hashes))
            assert is_consistent(earlier, root_of(hashes[:earlier]), size, root_of(hashes), proof)


@given(st.integers(2, 40), st.data())
def test_the_proof_of_a_leaf_that_is_not_in_the_tree_gives_another_root(
    size: int, data: st.DataObject
) -> None:
    hashes, index = leaves(size), data.draw(st.integers(0, size - 1))
    proof = inclusion_proof(subtree_of(hashes), index, len(hashes))
    other = data.draw(st.integers(0, size - 1).filter(lambda place: place != index))
    assert root_from_inclusion(leaf_hash(b"forged"), index, size, proof) != root_of(hashes)
    assert root_from_inclusion(hashes[other], index, size, proof) != root_of(hashes)
    changed = [*proof]
    changed[data.draw(st.integers(0, len(proof) - 1))] = leaf_hash(b"forged")
    assert root_from_inclusion(hashes[index], index, size, changed) != root_of(hashes)


@given(st.integers(2, 40), st.data())
def test_a_tree_in_which_an_old_leaf_was_rewritten_is_not_consistent_with_the_old_one(
    size: int, data: st.DataObject
) -> None:
    hashes = leaves(size)
    earlier = data.draw(st.integers(1, size))
    rewritten = [*hashes]
    rewritten[data.draw(st.integers(0, earlier - 1))] = leaf_hash(b"rewritten")
    proof = consistency_proof(subtree_of(rewritten), earlier, len(rewritten))
    assert not is_consistent(earlier, root_of(hashes[:earlier]), size, root_of(rewritten), proof)


@given(st.integers(2, 40), st.data())
def test_a_changed_proof_of_consistency_is_refused(size: int, data: st.DataObject) -> None:
    hashes = leaves(size)
    earlier = data.draw(st.integers(1, size - 1))
    proof = consistency_proof(subtree_of(hashes), earlier, len(hashes))
    place = data.draw(st.integers(0, len(proof) - 1))
    for changed in (
        proof[:-1],
        [*proof, leaf_hash(b"more")],
        [*proof[:place], leaf_hash(b"forged"), *proof[place + 1 :]],
    ):
        assert not is_consistent(earlier, root_of(hashes[:earlier]), size, root_of(hashes), changed)


def test_a_rolled_back_tree_is_not_consistent_with_a_longer_one() -> None:
    hashes = leaves(9)
    assert not is_consistent(9, root_of(hashes), 5, root_of(hashes[:5]), [])
    assert not is_consistent(9, root_of(hashes), 9, root_of([*hashes[:8], leaf_hash(b"other")]), [])


@pytest.mark.parametrize(
    ("index", "size", "length"), [(3, 3, 2), (-1, 3, 2), (0, 3, 1), (0, 3, 3), (0, 1, 1), (0, 0, 0)]
)
def test_a_proof_of_the_wrong_length_or_position_is_an_error(index: int, size: int, length: int) -> None:
    with pytest.raises(ValueError, match=r"outside the tree|too long|too short"):
        root_from_inclusion(leaf_hash(b""), index, size, [leaf_hash(b"")] * length)
