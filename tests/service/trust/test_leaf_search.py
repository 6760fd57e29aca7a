"""Search of all leaves: contradictions are found, and lists that are not the signed ones are refused."""

import pytest

from kontor_games.domain.log_leaves import KeyLeaf, Leaf, MatchLeaf, OutageLeaf
from kontor_games.domain.merkle import leaf_hash
from kontor_games.domain.signed_note import TreeHead
from kontor_games.service.trust.inclusion_check import LogEvidenceError
from kontor_games.service.trust.leaf_search import LeafReport, search_leaves
from tests.support.plain_tree import root_of

A, B = "aaaaaaaa-0000-4000-8000-000000000000", "bbbbbbbb-0000-4000-8000-000000000000"
KEY = KeyLeaf("0" * 16, "x", 0)
HONEST: list[Leaf] = [
    KEY,
    MatchLeaf(A, 3, "a3"),
    MatchLeaf(B, 1, "b1"),
    MatchLeaf(A, 3, "a3"),
    MatchLeaf(A, 9, "a9"),
]


def head_of(leaves: list[Leaf]) -> TreeHead:
    return TreeHead("log.example", len(leaves), root_of([leaf.hash for leaf in leaves]))


def searched(leaves: list[Leaf], exports: dict[str, list[str]] | None = None) -> LeafReport:
    return search_leaves([leaf.content for leaf in leaves], head_of(leaves), exports)


def test_an_honest_log_has_no_contradictions() -> None:
    report = searched(HONEST)
    assert (report.leaves, report.contradictions) == (5, [])
    assert report.matches == {A: (4, 9, "a9"), B: (2, 1, "b1")}
    assert report.keys == {KEY.key: KEY}


@pytest.mark.parametrize(
    ("leaf", "found"),
    [
        (
            MatchLeaf(A, 9, "other"),
            f"leaves 4 and 5 of match {A} contradict each other: two heads for version 9",
        ),
        (
            MatchLeaf(B, 1, "other"),
            f"leaves 2 and 5 of match {B} contradict each other: two heads for version 1",
        ),
        (
            MatchLeaf(A, 8, "a8"),
            f"leaves 4 and 5 of match {A} contradict each other: version 9, then version 8",
        ),
        (KeyLeaf(KEY.key, "x", 7), f"leaf 5: the key {KEY.key} is there twice, and different"),
    ],
)
def test_a_leaf_that_contradicts_one_before_is_found(leaf: Leaf, found: str) -> None:
    assert searched([*HONEST, leaf]).contradictions == [found]


def test_outages_are_listed_and_do_not_overlap() -> None:
    outages: list[Leaf] = [OutageLeaf(10, 20), OutageLeaf(20, 25)]
    report = searched([*HONEST, *outages])
    assert (report.outages, report.contradictions) == (outages, [])
    for wrong in (OutageLeaf(24, 30), OutageLeaf(30, 30)):
        report = searched([*HONEST, *outages, wrong])
        assert report.contradictions == ["leaf 7: an outage that has no length, or overlaps another"]


def test_no_version_follows_the_leaf_of_the_end() -> None:
    """So another history contradicts the leaf of the end, whether it is longer, shorter or as long."""
    ended: list[Leaf] = [*HONEST, MatchLeaf(A, 12, "a12", end=True), MatchLeaf(A, 12, "a12", end=True)]
    assert searched(ended).contradictions == []
    for leaf, found in {
        MatchLeaf(A, 13, "a13"): "the end is version 12, then version 13",
        MatchLeaf(A, 13, "a13", end=True): "the end is version 12, then version 13",
        MatchLeaf(A, 12, "other", end=True): "two heads for version 12",
        MatchLeaf(A, 11, "other", end=True): "version 12, then version 11",
    }.items():
        message = f"leaves 6 and 7 of match {A} contradict each other: {found}"
        assert searched([*ended, leaf]).contradictions == [message]


def test_a_leaf_that_an_export_contradicts_is_found() -> None:
    hashes = [f"a{version}" for version in range(1, 10)]
    assert searched(HONEST, {A: hashes}).contradictions == []
    changed = [*hashes[:8], "other"]
    message = f"match {A} at version 9 is not what the export has"
    assert searched(HONEST, {A: changed}).contradictions == [f"leaf 4: {message}"]
    assert searched(HONEST, {A: hashes[:8]}).contradictions == [f"leaf 4: {message}"]


def test_the_report_says_how_far_the_leaves_of_an_export_reach() -> None:
    exports = {A: [f"a{version}" for version in range(1, 12)], "another": ["x"]}
    report = searched(HONEST, exports)
    assert (report.contradictions, report.covered) == ([], {A: 9, "another": 0})


def test_an_entry_that_is_no_leaf_is_named() -> None:
    contents = [b"{}", MatchLeaf(A, 1, "a1").content]
    root = root_of([leaf_hash(content) for content in contents])
    report = search_leaves(contents, TreeHead("log.example", 2, root))
    assert report.contradictions == ["leaf 0: an entry of the log is not a match, tournament, key or outage"]


def test_entries_that_are_not_those_of_the_checkpoint_are_refused() -> None:
    contents = [leaf.content for leaf in HONEST]
    for wrong in (contents[:-1], contents[::-1], [*contents, contents[0]]):
        with pytest.raises(LogEvidenceError, match="are not those of its checkpoint"):
            search_leaves(wrong, head_of(HONEST))
