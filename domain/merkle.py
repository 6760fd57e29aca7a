"""Merkle trees as in RFC 6962: the hash of a growing list, with proofs of inclusion and consistency."""

import hashlib
from collections.abc import Sequence

EMPTY = hashlib.sha256(b"").hexdigest()


def leaf_hash(content: bytes) -> str:
    """Return the hash of an item of the list."""
    return hashlib.sha256(b"\x00" + content).hexdigest()


def _node(left: str, right: str) -> str:
    return hashlib.sha256(b"\x01" + bytes.fromhex(left) + bytes.fromhex(right)).hexdigest()


def _split(size: int) -> int:
    """Return the largest power of two below the size."""
    return 1 << (size - 1).bit_length() - 1


def root_of(leaves: Sequence[str]) -> str:
    """Return the root over leaf hashes; on each level, an unpaired last node moves up unchanged."""
    if not leaves:
        return EMPTY
    level = list(leaves)
    while len(level) > 1:
        paired = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = paired + level[len(paired) * 2 :]
    return level[0]


def inclusion_proof(leaves: Sequence[str], index: int) -> list[str]:
    """Return the sibling hashes needed to compute the root from a leaf, from the leaf upwards."""
    if len(leaves) == 1:
        return []
    middle = _split(len(leaves))
    if index < middle:
        return [*inclusion_proof(leaves[:middle], index), root_of(leaves[middle:])]
    return [*inclusion_proof(leaves[middle:], index - middle), root_of(leaves[:middle])]


def root_from_inclusion(leaf: str, index: int, size: int, proof: Sequence[str]) -> str:
    """Compute the root from a leaf and its proof; raise ValueError if the proof has the wrong length."""
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
    """Return the proof that this tree was grown from the tree of its first `earlier` leaves."""
    return _subproof(leaves, earlier, whole=True) if 0 < earlier < len(leaves) else []


def _subproof(leaves: Sequence[str], earlier: int, *, whole: bool) -> list[str]:
    if earlier == len(leaves):
        return [] if whole else [root_of(leaves)]
    middle = _split(len(leaves))
    if earlier <= middle:
        return [*_subproof(leaves[:middle], earlier, whole=whole), root_of(leaves[middle:])]
    return [*_subproof(leaves[middle:], earlier - middle, whole=False), root_of(leaves[:middle])]


def is_consistent(earlier: int, earlier_root: str, size: int, root: str, proof: Sequence[str]) -> bool:
    """Return whether the proof shows that the later tree was grown from the earlier one."""
    if earlier in (0, size):
        return not proof and (earlier == 0 or earlier_root == root)
    if not 0 < earlier < size:
        return False
    try:
        old, new, rest = _climb(earlier, size, list(proof), earlier_root, whole=True)
    except IndexError:
        return False
    return not rest and old == earlier_root and new == root


def _climb(
    earlier: int, size: int, proof: list[str], earlier_root: str, *, whole: bool
) -> tuple[str, str, list[str]]:
    """Compute the old and new root of a subtree from the end of the proof; return them and the rest of it."""
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
