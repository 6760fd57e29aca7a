"""The stored log: leaves by subject, outages that touch a period, tiles, and cosignatures."""

from collections.abc import Sequence

import pytest

from kontor_games.domain.log_leaves import Leaf, MatchLeaf, OutageLeaf
from kontor_games.domain.signed_note import NoteSignature
from kontor_games.service.errors import NotFoundError
from kontor_games.service.kontor import Kontor
from kontor_games.service.trust.log_store import Checkpoint, LogStore, checkpoint_row, hashed
from tests.support.plain_tree import root_of


def match(name: str, version: int) -> MatchLeaf:
    return MatchLeaf(name, version, f"{version:064x}")


LEAVES: list[Leaf] = [
    match("a", 3), OutageLeaf(1000, 2000), match("b", 5), match("a", 8),
    OutageLeaf(3000, 4000), OutageLeaf(4500, 5000),
]  # fmt: skip


def grown(log: LogStore, service: Kontor, leaves: Sequence[Leaf]) -> str:
    """Append leaves, and return the root."""
    root, statements = log.grown(log.size(), leaves)
    service.database.write(*statements)
    return root


@pytest.fixture
def log(service: Kontor) -> LogStore:
    log = LogStore(service.database)
    grown(log, service, LEAVES)
    return log


def test_leaves_are_found_by_their_subject_in_the_tree_of_a_size(log: LogStore) -> None:
    assert log.size() == len(LEAVES)
    assert list(log.leaves()) == LEAVES
    assert list(log.leaves(2)) == LEAVES[:2]
    assert (log.first_of("a", 6), log.newest_of("a", 6)) == ((0, LEAVES[0]), (3, LEAVES[3]))
    assert log.newest_of("a", 3) == (0, LEAVES[0])
    assert log.newest_of("a", 0) is None
    assert log.newest_of("nobody", 6) is None
    assert log.versions(["a", "b", "nobody"]) == {"a": 8, "b": 5}


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        (0, 9999, [1, 4, 5]),
        (2000, 9999, [1, 4, 5]),
        (2001, 9999, [4, 5]),
        (0, 2999, [1]),
        (0, 3000, [1, 4]),
        (3500, 3600, [4]),
        (4100, 4400, []),
        (5001, 9999, []),
    ],
)
def test_outages_that_touch_a_period(log: LogStore, first: int, last: int, found: list[int]) -> None:
    assert log.outages(6, first, last, 10) == [(place, LEAVES[place]) for place in found]


def test_outages_are_those_of_the_tree_and_no_more_than_asked_for(log: LogStore) -> None:
    assert [place for place, _ in log.outages(4, 0, 9999, 10)] == [1]
    assert [place for place, _ in log.outages(6, 0, 9999, 2)] == [1, 4]


@pytest.mark.parametrize("sizes", [(1, 1), (255, 1), (255, 2), (256, 256), (200, 300), (600, 1)])
def test_a_log_that_grows_in_two_steps_has_the_root_of_all_leaves(
    service: Kontor, sizes: tuple[int, int]
) -> None:
    log, leaves = LogStore(service.database), [match("m", version) for version in range(1, sum(sizes) + 1)]
    first = grown(log, service, leaves[: sizes[0]])
    second = grown(log, service, leaves[sizes[0] :])
    hashes = [leaf.hash for leaf in leaves]
    assert (first, second) == (root_of(hashes[: sizes[0]]), root_of(hashes))
    assert (log.tree(sizes[0]).root, log.tree(sum(sizes)).root) == (first, second)
    assert log.contents(0, sum(sizes)) == [leaf.content for leaf in leaves]


def test_a_tile_has_the_hashes_of_its_leaves_and_is_not_wider_than_the_tree(log: LogStore) -> None:
    hashes = hashed([leaf.content for leaf in LEAVES])
    assert [log.tile(0, 0, width) for width in (1, 6)] == [hashes[:32], hashes]
    for level, index, width in ((0, 0, 7), (0, 1, 1), (1, 0, 1)):
        with pytest.raises(NotFoundError):
            log.tile(level, index, width)


def test_checkpoints_are_listed_the_newest_first(log: LogStore, service: Kontor) -> None:
    kept = [Checkpoint(size, "r", 1000 * size, "k", f"note {size}") for size in (1, 3, 6)]
    service.database.write(*(checkpoint_row(one, seen=one.size + 10) for one in kept))
    assert log.newest() == (kept[2], 16)
    assert log.page(2, None) == [kept[2], kept[1]]
    assert log.page(2, 6) == [kept[1], kept[0]]
    assert log.page(2, 1) == []
    assert (log.at_size(3), log.at_size(2)) == (kept[1], None)


def test_the_first_cosignature_of_a_witness_is_kept(log: LogStore) -> None:
    one, other = (NoteSignature("witness", bytes(4), text) for text in (b"one", b"two"))
    log.keep_cosignatures(3, [one])
    log.keep_cosignatures(3, [other, NoteSignature("another", bytes(4), b"three")])
    assert log.cosignatures([]) == {}
    assert log.cosignatures([1, 2]) == {}
    found = log.cosignatures([3])
    assert (len(found[3]), one.line in found[3], other.line in found[3]) == (2, True, False)
