"""Compares an export with a kept checkpoint: the leaf of the match or tournament, and the keys in the tree.

With a checkpoint, a key counts only if the tree binds it before its use (docs/log.md, "Keys"): for everything
up to the version of the leaf, the keys of the service are those whose leaves stand before that leaf.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kontor_games.domain.codec import Plain
from kontor_games.domain.commands.by_service import RETRY_MS
from kontor_games.domain.log_leaves import (
    HeadLeaf,
    KeyLeaf,
    Leaf,
    MatchLeaf,
    OutageLeaf,
    UnreadableLeafError,
    leaf_from,
)
from kontor_games.domain.merkle import root_from_inclusion
from kontor_games.domain.seed import is_hash
from kontor_games.domain.signed_note import (
    COSIGNATURE,
    Note,
    NoteKey,
    TreeHead,
    UnreadableNoteError,
    read_key,
    read_note,
    read_tree_head,
)
from kontor_games.service.trust.notes import (
    CLOCK_ERROR_S,
    Cosigner,
    PublicKey,
    UnsignedNoteError,
    cosigners,
    signer_of,
)


class LogEvidenceError(Exception):
    """A checkpoint or a proof is not right, or contradicts the export."""


@dataclass(frozen=True, slots=True)
class LogEvidence:
    """The result of comparing a match or a tournament with a kept checkpoint."""

    note: Note
    head: TreeHead
    leaf: HeadLeaf
    bound: frozenset[KeyLeaf]
    """The keys in the tree."""
    bound_before: frozenset[KeyLeaf]
    """The keys whose leaves stand before the leaf."""
    outages: tuple[OutageLeaf, ...] = ()
    """The outages in the tree that the service has proven."""
    now_s: float | None = None
    """The time of the reader; None for that of the machine."""

    def check_signer(self, keys: Sequence[PublicKey]) -> None:
        """Check that the checkpoint is signed with a key of the service that the tree binds."""
        try:
            signer_of(self.note, self.head.origin, [key for key in keys if key.leaf in self.bound])
        except UnsignedNoteError as error:
            raise LogEvidenceError(f"the checkpoint cannot be trusted: {error}") from error

    def check_witnesses(self, keys: Sequence[str], required: int, since_ms: int) -> list[Cosigner]:
        """Check that enough of the witnesses that the match names cosigned the checkpoint; return them.

        `since_ms` is the time of the fact in the leaf: no witness can have cosigned it before.
        """
        try:
            known = [read_key(text, COSIGNATURE) for text in keys]
        except UnreadableNoteError as error:
            raise LogEvidenceError(f"the match names a witness that cannot be read: {error}") from error
        found = require_witnesses(self.note, known, required, self.now_s)
        for one in found:
            if one.at_s + CLOCK_ERROR_S < since_ms // 1000:
                raise LogEvidenceError(
                    f"the cosignature of {one.name} has a time before the fact that the checkpoint binds"
                )
        return found

    def keys_at(self, version: int, keys: Sequence[PublicKey]) -> list[PublicKey]:
        """Return those of the keys that count for a signature at a version."""
        binding = self.bound_before if version <= self.leaf.version else self.bound
        return [key for key in keys if key.leaf in binding]

    def logged(self, returned: Sequence[tuple[int, int]]) -> int:
        """Return how many of these times, given back to clocks, lie in an outage that the tree binds."""
        return sum(
            any(one.outage <= since and until <= one.until + RETRY_MS for one in self.outages)
            for since, until in returned
        )

    def check_subject(self, kind: type[HeadLeaf], subject: str) -> None:
        """Check that the leaf is that of this match or tournament."""
        if not isinstance(self.leaf, kind) or self.leaf.subject != subject:
            what = "match" if kind is MatchLeaf else "tournament"
            raise LogEvidenceError(f"the proof is for another {what}")

    def check_hashes(self, hashes: Sequence[str]) -> None:
        """Check that the export has the head of the leaf at its version."""
        if hashes[self.leaf.version - 1] != self.leaf.head:
            raise LogEvidenceError(
                f"the service has signed another history: the kept checkpoint of {self.head.size:,} leaves"
                f" names another hash for version {self.leaf.version}"
            )


def read_kept_note(content: str) -> tuple[Note, TreeHead]:
    """Return a kept checkpoint as note and tree; raise LogEvidenceError if it is none."""
    try:
        note = read_note(content)
        return note, read_tree_head(note)
    except UnreadableNoteError as error:
        raise LogEvidenceError(f"this is no checkpoint: {error}") from error


def require_witnesses(
    note: Note, witnesses: Sequence[NoteKey], required: int, now_s: float | None = None
) -> list[Cosigner]:
    """Check that enough known witnesses cosigned a checkpoint, none of them in the future; return them."""
    try:
        found = cosigners(note, witnesses)
    except UnsignedNoteError as error:
        raise LogEvidenceError(f"the checkpoint cannot be trusted: {error}") from error
    latest = (time.time() if now_s is None else now_s) + CLOCK_ERROR_S
    for one in found:
        if not 0 < one.at_s <= latest:
            raise LogEvidenceError(f"the cosignature of {one.name} has an impossible time")
    if len(found) < required:
        raise LogEvidenceError(
            f"the checkpoint is cosigned by {len(found)} of the known witnesses, and {required} are required"
        )
    return found


def read_inclusion(data: Plain, note: Note, head: TreeHead) -> LogEvidence:
    """Read the service's answer to the request for an inclusion proof, and check its proofs."""
    if not isinstance(data, dict) or data.get("size") != head.size:
        raise LogEvidenceError(f"the proof is not for the tree of {head.size:,} leaves")
    index, leaf = _proven(data, head)
    keys = data.get("keys")
    if isinstance(leaf, KeyLeaf | OutageLeaf) or leaf.version < 1 or not isinstance(keys, list):
        raise LogEvidenceError("the proof does not show a match or tournament and the keys of the service")
    places = {key: place for place, key in proven_keys(keys, head)}
    before = frozenset(key for key, place in places.items() if place < index)
    named = data.get("outages", ())  # older services send none
    proven = [_proven(one, head)[1] for one in (named if isinstance(named, list) else ())]
    outages = tuple(one for one in proven if isinstance(one, OutageLeaf))
    return LogEvidence(note, head, leaf, frozenset(places), before, outages)


def proven_keys(data: Plain, head: TreeHead) -> list[tuple[int, KeyLeaf]]:
    """Read keys with their proofs, and check the proofs."""
    if not isinstance(data, list):
        raise LogEvidenceError("the keys of the service are missing")
    found = [_proven(one, head) for one in data]
    if not all(isinstance(leaf, KeyLeaf) for _, leaf in found):
        raise LogEvidenceError("a leaf that should be a key is not one")
    return [(place, leaf) for place, leaf in found if isinstance(leaf, KeyLeaf)]


def _proven(data: Plain, head: TreeHead) -> tuple[int, Leaf]:
    """Return the index and the leaf of a proof that leads to the root."""
    proof, index = (data.get("proof"), data.get("index")) if isinstance(data, dict) else (None, None)
    if not isinstance(proof, list) or type(index) is not int:
        raise LogEvidenceError("this is not an inclusion proof: it needs leaf, index and proof")
    if not all(isinstance(node, str) and is_hash(node) for node in proof):
        raise LogEvidenceError("this is not an inclusion proof: the proof is a list of hashes")
    try:
        leaf = leaf_from(data.get("leaf"))
        root = root_from_inclusion(leaf.hash, index, head.size, proof)
    except (UnreadableLeafError, ValueError) as error:
        raise LogEvidenceError(f"the inclusion proof is not right: {error}") from error
    if root != head.root:
        raise LogEvidenceError("the inclusion proof does not lead to the root of the kept checkpoint")
    return index, leaf


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:100]!r} is there twice")
    return found


def read_json(content: str | bytes) -> Plain:
    """Return the value; raise ValueError for anything that is not JSON with unique keys."""
    try:
        return json.loads(content, object_pairs_hook=_unique)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
