"""Searches all leaves of a log for two that contradict each other, or one that contradicts an export."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kontor_games.domain.log_leaves import (
    HeadLeaf,
    KeyLeaf,
    MatchLeaf,
    OutageLeaf,
    UnreadableLeafError,
    read_leaf,
)
from kontor_games.domain.merkle import GrowingRoot, leaf_hash
from kontor_games.domain.signed_note import TreeHead
from kontor_games.service.trust.inclusion_check import LogEvidenceError


@dataclass(slots=True)
class LeafReport:
    """The contents and contradictions of a log."""

    leaves: int = 0
    matches: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    """Index, version and head of the newest leaf of each match."""
    tournaments: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    """The same of each tournament."""
    keys: dict[str, KeyLeaf] = field(default_factory=dict)
    outages: list[OutageLeaf] = field(default_factory=list)
    ended: set[str] = field(default_factory=set)
    """The matches that have a leaf which says that it is the last one."""
    contradictions: list[str] = field(default_factory=list)
    covered: dict[str, int] = field(default_factory=dict)
    """The version of the newest leaf of each export; 0 if the log has none."""


def search_leaves(
    entries: Iterable[bytes], head: TreeHead, exports: Mapping[str, Sequence[str]] | None = None
) -> LeafReport:
    """Read all entries of a tree, compare them with each other and with the hashes of exports.

    Raises LogEvidenceError if the entries are not those of the tree.
    """
    report, tree = LeafReport(), GrowingRoot()
    for content in entries:
        _check_leaf(report, content, exports or {})
        tree.append(leaf_hash(content))
        report.leaves += 1
    if (tree.size, tree.root) != (head.size, head.root):
        raise LogEvidenceError("the entries that the service lists are not those of its checkpoint")
    report.covered = {subject: _covered(report, subject) for subject in exports or ()}
    return report


def _covered(report: LeafReport, subject: str) -> int:
    _, version, _ = report.matches.get(subject) or report.tournaments.get(subject) or (0, 0, "")
    return version


def _check_leaf(report: LeafReport, content: bytes, exports: Mapping[str, Sequence[str]]) -> None:
    index = report.leaves
    try:
        leaf = read_leaf(content)
    except UnreadableLeafError as error:
        report.contradictions.append(f"leaf {index:,}: {error}")
        return
    if isinstance(leaf, KeyLeaf):
        if report.keys.setdefault(leaf.key, leaf) != leaf:
            report.contradictions.append(f"leaf {index:,}: the key {leaf.key} is there twice, and different")
        return
    if isinstance(leaf, OutageLeaf):
        if leaf.until <= leaf.outage or (report.outages and leaf.outage < report.outages[-1].until):
            report.contradictions.append(f"leaf {index:,}: an outage that has no length, or overlaps another")
        report.outages.append(leaf)
        return
    _compare(report, index, leaf)
    if leaf.subject in exports:
        hashes = exports[leaf.subject]
        if leaf.version > len(hashes) or hashes[leaf.version - 1] != leaf.head:
            report.contradictions.append(
                f"leaf {index:,}: {leaf} at version {leaf.version} is not what the export has"
            )


def _compare(report: LeafReport, index: int, leaf: HeadLeaf) -> None:
    """Compare a leaf with the one of the same subject before.

    Versions rise, one version has one head, and no version follows a leaf that says that the match ended.
    """
    newest = report.matches if isinstance(leaf, MatchLeaf) else report.tournaments
    before, version, head = newest.get(leaf.subject, (index, 0, ""))
    if leaf.version < version or (leaf.version == version and leaf.head != head):
        both = f"leaves {before:,} and {index:,} of {leaf} contradict each other"
        found = "two heads for version" if leaf.version == version else f"version {version}, then version"
        report.contradictions.append(f"{both}: {found} {leaf.version}")
    elif leaf.subject in report.ended and leaf.version > version:
        report.contradictions.append(
            f"leaves {before:,} and {index:,} of {leaf} contradict each other:"
            f" the end is version {version}, then version {leaf.version}"
        )
    if isinstance(leaf, MatchLeaf) and leaf.end:
        report.ended.add(leaf.subject)
    newest[leaf.subject] = index, leaf.version, leaf.head
