"""Looks through all leaves of a log for two that contradict each other, or one that contradicts an export."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kontor_games.domain.log_leaves import KeyLeaf, MatchLeaf, UnreadableLeafError, read_leaf
from kontor_games.domain.merkle import GrowingRoot, leaf_hash
from kontor_games.domain.signed_note import TreeHead
from kontor_games.service.trust.inclusion_check import LogEvidenceError


@dataclass(slots=True)
class LeafReport:
    """What was found in a log."""

    leaves: int = 0
    matches: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    """Index, version and head of the newest leaf of each match."""
    keys: dict[str, KeyLeaf] = field(default_factory=dict)
    contradictions: list[str] = field(default_factory=list)


def search_leaves(
    entries: Iterable[bytes], head: TreeHead, exports: Mapping[str, Sequence[str]] | None = None
) -> LeafReport:
    """Read all entries of a tree, compare them with each other and with the hashes of exported matches.

    Raises LogEvidenceError if the entries are not those of the tree.
    """
    report, tree = LeafReport(), GrowingRoot()
    for content in entries:
        _look_at(report, content, exports or {})
        tree.append(leaf_hash(content))
        report.leaves += 1
    if (tree.size, tree.root) != (head.size, head.root):
        raise LogEvidenceError("the entries that the service lists are not those of its checkpoint")
    return report


def _look_at(report: LeafReport, content: bytes, exports: Mapping[str, Sequence[str]]) -> None:
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
    _compare(report, index, leaf)
    if leaf.match in exports:
        hashes = exports[leaf.match]
        if leaf.version > len(hashes) or hashes[leaf.version - 1] != leaf.head:
            report.contradictions.append(
                f"leaf {index:,}: match {leaf.match} at version {leaf.version} is not what the export has"
            )


def _compare(report: LeafReport, index: int, leaf: MatchLeaf) -> None:
    """Compare a leaf with the one of the same match before: versions rise, and one version has one head."""
    before, version, head = report.matches.get(leaf.match, (index, 0, ""))
    if leaf.version < version or (leaf.version == version and leaf.head != head):
        both = f"leaves {before:,} and {index:,} of match {leaf.match} contradict each other"
        found = "two heads for version" if leaf.version == version else f"version {version}, then version"
        report.contradictions.append(f"{both}: {found} {leaf.version}")
    report.matches[leaf.match] = index, leaf.version, leaf.head
