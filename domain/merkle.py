"""Merkle trees as in RFC 6962: the hash of a growing list, with proofs of inclusion and consistency."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

EMPTY = hashlib.sha256(b"").hexdigest()


def leaf_hash(content: bytes) -> str:
    """Return the hash of an item of the list."""
    return hashlib.sha256(b"\x00" + content).hexdigest()


def node_hash(left: str, right: str) -> str:
    """Return the hash of a node over its two children."""
    return hashlib.sha256(b"\x01" + bytes.fromhex(left) + bytes.fromhex(right)).hexdigest()


def split(size: int) -> int:
    """Return the largest power of two below the size."""
    return 1 << (size - 1).bit_length() - 1


@dataclass
class GrowingRoot:
    """The root of a list that grows leaf by leaf; it needs memory for a few hashes only."""

    size: int = 0
    _complete: list[str] = field(default_factory=list)
    """The roots of complete subtrees, the largest first."""

    def append(self, leaf: str) -> None:
        self.size += 1
        self._complete.append(leaf)
        for _ in range((self.size & -self.size).bit_length() - 1):
            right = self._complete.pop()
            self._complete.append(node_hash(self._complete.pop(), right))

    @property
    def root(self) -> str:
        """The root over all leaves so far."""
        if not self._complete:
            return EMPTY
        *others, root = self._complete
        for left in reversed(others):
            root = node_hash(left, root)
        return root


Subtree = Callable[[int, int], str]
"""Returns the root over the leaves from a start up to, and without, an end."""


def inclusion_proof(subtree: Subtree, index: int, size: int) -> list[str]:
    """Return the sibling hashes needed to compute the root from a leaf, from the leaf upwards."""
    return _descend(subtree, index, size, lambda start, end: end - start == 1)[2]


def _descend(
    subtree: Subtree, index: int, size: int, reached: Callable[[int, int], bool]
) -> tuple[int, int, list[str]]:
    """Go down from the root towards a leaf; return the subtree reached and the siblings on the way back."""
    siblings, start, end = list[str](), 0, size
    while not reached(start, end):
        middle = start + split(end - start)
        if index < middle:
            siblings.append(subtree(middle, end))
            end = middle
        else:
            siblings.append(subtree(start, middle))
            start = middle
    return start, end, siblings[::-1]


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
    middle, last = split(size), proof[-1]
    if index < middle:
        return node_hash(root_from_inclusion(leaf, index, middle, proof[:-1]), last)
    return node_hash(last, root_from_inclusion(leaf, index - middle, size - middle, proof[:-1]))


def consistency_proof(subtree: Subtree, earlier: int, size: int) -> list[str]:
    """Return the proof that the tree of a size was grown from the tree of its first `earlier` leaves."""
    if not 0 < earlier < size:
        return []
    start, end, proof = _descend(subtree, earlier - 1, size, lambda _, end: end == earlier)
    # A subtree at the left edge is the earlier tree itself, whose root the verifier has.
    return [subtree(start, end), *proof] if start else proof


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
    middle, sibling, below = split(size), proof[-1], proof[:-1]
    if earlier <= middle:
        old, new, rest = _climb(earlier, middle, below, earlier_root, whole=whole)
        return old, node_hash(new, sibling), rest
    old, new, rest = _climb(earlier - middle, size - middle, below, earlier_root, whole=False)
    return node_hash(sibling, old), node_hash(sibling, new), rest
