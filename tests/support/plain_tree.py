"""Merkle trees over a list of leaf hashes in memory, as RFC 6962 defines them; the service uses tiles."""

from collections.abc import Sequence

from kontor_games.domain.merkle import EMPTY, Subtree, node_hash


def root_of(leaves: Sequence[str]) -> str:
    """Return the root over leaf hashes; on each level, an unpaired last node moves up unchanged."""
    if not leaves:
        return EMPTY
    level = list(leaves)
    while len(level) > 1:
        paired = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = paired + level[len(paired) * 2 :]
    return level[0]


def subtree_of(leaves: Sequence[str]) -> Subtree:
    """Return the roots over parts of the list."""
    return lambda start, end: root_of(leaves[start:end])
