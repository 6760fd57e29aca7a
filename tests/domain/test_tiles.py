"""Tiles of the log: whatever is computed from them is what the plain tree of RFC 6962 gives."""

import hashlib
import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor_games.domain.merkle import (
    EMPTY,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
)
from kontor_games.domain.tiles import (
    TileTree,
    grown_tiles,
    read_bundle,
    read_tile_path,
    tile_path,
    width_of,
    write_bundle,
)
from tests.domain import log_by_the_document as document
from tests.support.plain_tree import root_of, subtree_of

VECTORS: dict[str, Any] = json.loads(document.FILE.read_text(encoding="utf-8"))
LARGEST = 600


@cache
def hashes() -> list[str]:
    """The hashes of many leaves, made when a test needs them: every process of a run imports this file."""
    return [leaf_hash(f"leaf {place}".encode()) for place in range(70_000)]


@cache
def raw() -> bytes:
    """The same as bytes."""
    return b"".join(bytes.fromhex(one) for one in hashes())


class Kept:
    """Tiles as a store keeps them: full ones of level 0, all of higher levels, and the leaf hashes."""

    def __init__(self) -> None:
        self.tiles: dict[tuple[int, int], bytes] = {}
        self.size = 0
        self.reads = 0

    def read(self, level: int, index: int, width: int) -> bytes:
        self.reads += 1
        found = self.tiles.get((level, index), b"")
        if level == 0 and len(found) < width * 32:
            found = raw()[index * 256 * 32 : self.size * 32]
        assert len(found) >= width * 32 > 0, (level, index, width)
        return found[: width * 32]

    def grow(self, size: int) -> int:
        """Append leaves; return how many tiles were written."""
        tiles = list(grown_tiles(self.read, self.size, raw()[self.size * 32 : size * 32]))
        self.tiles.update({(level, index): hashes for level, index, hashes in tiles})
        self.size = size
        return len(tiles)

    def tree(self, size: int) -> TileTree:
        self.reads = 0
        return TileTree(self.read, size)


@pytest.fixture(scope="module")
def kept() -> Kept:
    """A tree that was grown one leaf at a time."""
    made = Kept()
    for size in range(1, LARGEST + 1):
        made.grow(size)
    return made


@pytest.mark.untraced
def test_the_root_of_every_size_is_that_of_the_plain_tree(kept: Kept) -> None:
    assert kept.tree(0).root == EMPTY
    for size in range(1, LARGEST + 1):
        assert kept.tree(size).root == root_of(hashes()[:size])


@pytest.mark.untraced
@settings(max_examples=400, deadline=None)
@given(st.integers(1, LARGEST), st.data())
def test_proofs_from_tiles_are_those_of_the_plain_tree(kept: Kept, size: int, data: st.DataObject) -> None:
    index, earlier = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    tree, plain = kept.tree(size), subtree_of(hashes()[:size])
    assert inclusion_proof(tree.subtree, index, size) == inclusion_proof(plain, index, size)
    assert consistency_proof(tree.subtree, earlier, size) == consistency_proof(plain, earlier, size)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 400), min_size=1, max_size=6))
def test_a_tree_is_the_same_however_it_was_grown(steps: list[int]) -> None:
    made = Kept()
    for step in steps:
        made.grow(made.size + step)
    assert made.tree(made.size).root == root_of(hashes()[: made.size])


def test_growing_by_a_leaf_writes_nothing_until_a_tile_is_full() -> None:
    made = Kept()
    written = [made.grow(size) for size in range(1, 514)]
    assert [place + 1 for place, count in enumerate(written) if count] == [256, 512]
    assert set(written) == {0, 2}


def test_a_proof_reads_a_few_tiles_of_each_level_and_no_more() -> None:
    made = Kept()
    made.grow(70_000)
    assert sorted({level for level, _ in made.tiles}) == [0, 1, 2]
    for index in (0, 255, 256, 40_000, 65_535, 65_536, 69_999):
        tree = made.tree(70_000)
        proof = inclusion_proof(tree.subtree, index, 70_000)
        assert len(proof) <= 17
        assert made.reads <= 6
    for earlier in (1, 256, 33_333, 65_536, 69_999):
        tree = made.tree(70_000)
        consistency_proof(tree.subtree, earlier, 70_000)
        assert made.reads <= 6


def test_a_tree_of_70000_has_the_tiles_that_the_specification_names() -> None:
    size = 70_000
    assert [width_of(0, 272, size), width_of(0, 273, size), width_of(0, 274, size)] == [256, 112, 0]
    assert [width_of(1, 0, size), width_of(1, 1, size), width_of(1, 2, size)] == [256, 17, 0]
    assert [width_of(2, 0, size), width_of(3, 0, size)] == [1, 0]


@pytest.mark.parametrize("tree", VECTORS["trees"], ids=lambda tree: str(tree["size"]))
def test_tiles_bundles_and_proofs_are_the_published_ones(tree: dict[str, Any]) -> None:
    size, entries = tree["size"], [entry.encode() for entry in document.entries(tree["size"])]
    hashes = [leaf_hash(entry) for entry in entries]
    raw, tiles = bytes.fromhex("".join(hashes)), dict[tuple[int, int], bytes]()
    for level, index, content in grown_tiles(lambda *_: b"", 0, raw):
        tiles[level, index] = content

    def read(level: int, index: int, width: int) -> bytes:
        found = tiles.get((level, index)) or raw[index * 256 * 32 :]
        return found[: width * 32]

    for published in tree["tiles"]:
        level, place = published["path"].removeprefix("tile/").split("/", 1)
        where = read_tile_path(place)
        assert where is not None
        assert width_of(int(level), where[0], size) == where[1]
        assert hashlib.sha256(read(int(level), *where)).hexdigest() == published["sha256"]
    computed = TileTree(read, size)
    assert computed.root == tree["root"]
    for one in tree["inclusion"]:
        assert inclusion_proof(computed.subtree, one["index"], size) == one["proof"]
    for one in tree["consistency"]:
        assert consistency_proof(computed.subtree, one["earlier"], size) == one["proof"]
    last = entries[size // 256 * 256 :]
    if last:
        assert hashlib.sha256(write_bundle(last)).hexdigest() == tree["last_bundle"]


def test_the_vectors_follow_from_the_document() -> None:
    assert document.vectors() == VECTORS


@pytest.mark.parametrize("one", VECTORS["tile_paths"], ids=lambda one: one["path"])
def test_addresses_of_tiles_are_the_published_ones(one: dict[str, Any]) -> None:
    assert tile_path(one["index"]) == one["path"]
    assert read_tile_path(one["path"]) == (one["index"], 256)
    assert read_tile_path(one["path"] + ".p/7") == (one["index"], 7)


@given(st.integers(0, 10**15), st.integers(1, 256))
def test_every_address_is_read_as_it_is_written(index: int, width: int) -> None:
    assert read_tile_path(tile_path(index, width)) == (index, width)


@pytest.mark.parametrize(
    "path",
    [
        *("", "0", "00", "0000", "x000/000", "001/000", "x1/000", "000/", "/000", "x001", "000.p", "000.p/"),
        *("000.p/0", "000.p/01", "000.p/256", "000.p/999", "-01", "٠٠٠", "x001/x000", "000\n", "x999/" * 20),
    ],
)
def test_a_malformed_tile_path_is_refused(path: str) -> None:
    assert read_tile_path(path) is None


@given(st.lists(st.binary(max_size=300), max_size=20))
def test_a_bundle_is_read_as_it_is_written(entries: list[bytes]) -> None:
    assert read_bundle(write_bundle(entries)) == entries


@pytest.mark.parametrize("bundle", [b"\x00", b"\x00\x01", b"\x00\x02a", b"\x00\x01ab"])
def test_a_bundle_that_is_cut_off_is_refused(bundle: bytes) -> None:
    with pytest.raises(ValueError, match="cut off"):
        read_bundle(bundle)
