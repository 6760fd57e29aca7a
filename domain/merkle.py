"""Merkle trees as in RFC 6962: one hash that binds a growing list, with short proofs that an item is in it and that it only grew."""

import hashlib
from collections.abc import Sequence

EMPTY = hashlib.sha256(b"").hexdigest()


def leaf_hash(content: bytes) -> str:
    """The hash of an item of the list."""
    return hashlib.sha256(b"\x00" + content).hexdigest()


def _node(left: str, right: str) -> str:
    return hashlib.sha256(b"\x01" + bytes.fromhex(left) + bytes.fromhex(right)).hexdigest()


def _split(size: int) -> int:
    """The largest power of two below the size."""
    return 1 << (size - 1).bit_length() - 1


def root_of(leaves: Sequence[str]) -> str:
    """The root over leaf hashes: level by level, an odd one out moves up as it is."""
    if not leaves:
        return EMPTY
    level = list(leaves)
    while len(level) > 1:
        paired = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = paired + level[len(paired) * 2 :]
    return level[0]


def inclusion_proof(leaves: Sequence[str], index: int) -> list[str]:
    """What must be known besides the leaf to compute the root, from the leaf upwards."""
    if len(leaves) == 1:
        return []
    middle = _split(len(leaves))
    if index < middle:
        return [*inclusion_proof(leaves[:middle], index), root_of(leaves[middle:])]
    return [*inclusion_proof(leaves[middle:], index - middle), root_of(leaves[:middle])]


def root_from_inclusion(leaf: str, index: int, size: int, proof: Sequence[str]) -> str:
    """The root that a leaf at a place leads to; compare it with the signed one. ValueError where the proof has the wrong length."""
    if not 0 <= index < size:
        raise ValueError("the leaf lies outside the tree")
    if size == 1:
        if proof:
            raise ValueError("the proof is too long")
        return leaf
    if not proof:
        raise ValueError("the proof is too short")
    middle, last = _split(size), proof[-1]
    if index < middle:
        return _node(root_from_inclusion(leaf, index, middle, proof[:-1]), last)
    return _node(last, root_from_inclusion(leaf, index - middle, size - middle, proof[:-1]))


def consistency_proof(leaves: Sequence[str], earlier: int) -> list[str]:
    """What shows that the tree of the first `earlier` leaves is a beginning of this one."""
    return _subproof(leaves, earlier, whole=True) if 0 < earlier < len(leaves) else []


def _subproof(leaves: Sequence[str], earlier: int, *, whole: bool) -> list[str]:
    if earlier == len(leaves):
        return [] if whole else [root_of(leaves)]
    middle = _split(len(leaves))
    if earlier <= middle:
        return [*_subproof(leaves[:middle], earlier, whole=whole), root_of(leaves[middle:])]
    return [*_subproof(leaves[middle:], earlier - middle, whole=False), root_of(leaves[:middle])]


def is_consistent(earlier: int, earlier_root: str, size: int, root: str, proof: Sequence[str]) -> bool:
    """Whether the later tree only grew from the earlier one."""
    if earlier in (0, size):
        return not proof and (earlier == 0 or earlier_root == root)
    if not 0 < earlier < size:
        return False
    try:
        old, new, rest = _climb(earlier, size, list(proof), earlier_root, whole=True)
    except IndexError:
        return False
    return not rest and old == earlier_root and new == root


def _climb(earlier: int, size: int, proof: list[str], earlier_root: str, *, whole: bool) -> tuple[str, str, list[str]]:
    """Both roots of a subtree as the proof gives them, and what is left of the proof (taken from its end)."""
    if earlier == size:
        if whole:
            return earlier_root, earlier_root, proof
        return proof[-1], proof[-1], proof[:-1]
    middle, sibling, below = _split(size), proof[-1], proof[:-1]
    if earlier <= middle:
        old, new, rest = _climb(earlier, middle, below, earlier_root, whole=whole)
        return old, _node(new, sibling), rest
    old, new, rest = _climb(earlier - middle, size - middle, below, earlier_root, whole=False)
    return _node(sibling, old), _node(sibling, new), rest
