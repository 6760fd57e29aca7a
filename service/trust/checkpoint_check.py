"""Checks a kept checkpoint: against the database, or offline against a later checkpoint with a proof.

A database that was rolled back has fewer leaves than were signed. A database that was rewritten no longer
gives the signed root, or its leaves do not match the facts.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID

from kontor_games.domain.anomalies import anomaly
from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.codec import Plain
from kontor_games.domain.log_leaves import HeadLeaf, KeyLeaf, Leaf, MatchLeaf
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.merkle import GrowingRoot, is_consistent
from kontor_games.domain.seed import is_hash
from kontor_games.domain.signed_note import Note, read_note, read_tree_head
from kontor_games.domain.stream import Decider
from kontor_games.domain.tournaments.stream import TOURNAMENTS
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.store.stored_record import chain_of
from kontor_games.service.trust.notes import PublicKey, UnsignedNoteError, signer_of


class CheckpointMismatchError(Exception):
    """The checkpoint does not match the database or the later checkpoint, or the service never signed it."""


class UnreadableCheckpointError(Exception):
    """The input is not a checkpoint or a proof."""


@dataclass(frozen=True, slots=True)
class KeptCheckpoint:
    """A checkpoint that somebody kept."""

    size: int
    root: str
    note: Note

    def check_signature(self, keys: Sequence[PublicKey]) -> None:
        try:
            signer_of(self.note, read_tree_head(self.note).origin, keys)
        except UnsignedNoteError as error:
            raise CheckpointMismatchError(*error.args) from error


def read_checkpoint(content: str) -> KeptCheckpoint:
    """Read a checkpoint, which is a signed note."""
    try:
        note = read_note(content)
        head = read_tree_head(note)
    except (ValueError, RecursionError) as error:
        raise UnreadableCheckpointError(anomaly("no_checkpoint", detail=str(error))) from error
    return KeptCheckpoint(head.size, head.root, note)


def read_proof(data: Plain) -> list[str]:
    """Read a published proof: the list itself, or the answer of the service that contains it."""
    proof = data.get("proof") if isinstance(data, dict) else data
    if not isinstance(proof, list) or not all(isinstance(node, str) and is_hash(node) for node in proof):
        raise UnreadableCheckpointError(
            "this is not a proof: it must be a list of hashes, or an object with one called proof"
        )
    return proof


def check_leaves(kept: KeptCheckpoint, leaves: Iterable[Leaf]) -> None:
    """Check that the first leaves of the database are those that were signed."""
    tree = GrowingRoot()
    for leaf in islice(leaves, kept.size):
        tree.append(leaf.hash)
    if tree.size < kept.size:
        wrong = anomaly("rolled_back", signed=f"{kept.size:,}", found=f"{tree.size:,}")
        raise CheckpointMismatchError(wrong)
    if tree.root != kept.root:
        raise CheckpointMismatchError(anomaly("leaves_rewritten"))


def check_keys(leaves: Iterable[Leaf], keys: Iterable[PublicKey]) -> None:
    """Check that each key in the tree is published, and unchanged."""
    published = {key.leaf for key in keys}
    for leaf in leaves:
        if isinstance(leaf, KeyLeaf) and leaf not in published:
            raise CheckpointMismatchError(anomaly("key_unpublished", key=leaf.key))


def check_facts(
    store: EventStore, leaves: Iterable[Leaf], on_done: Callable[[str], None] = lambda _: None
) -> tuple[int, int]:
    """Check that each leaf has the head of the stored facts; return the numbers of subjects and facts."""
    by_subject: dict[str, list[HeadLeaf]] = {}
    for leaf in leaves:
        if isinstance(leaf, HeadLeaf):
            by_subject.setdefault(leaf.subject, []).append(leaf)
    facts = 0
    for subject, own in by_subject.items():
        hashes = _stored_hashes(store, own[0])
        for one in own:
            _compare(one, hashes)
        facts += len(hashes)
        on_done(subject)
    return len(by_subject), facts


def _stored_hashes(store: EventStore, leaf: HeadLeaf) -> list[str]:
    decider: Decider[Any] = MATCHES if isinstance(leaf, MatchLeaf) else TOURNAMENTS
    try:
        return chain_of(store, decider, UUID(leaf.subject))
    except BrokenRecordError as broken:
        raise CheckpointMismatchError(f"{leaf}: {broken}") from broken


def _compare(leaf: HeadLeaf, hashes: Sequence[str]) -> None:
    if leaf.version > len(hashes):
        raise CheckpointMismatchError(
            f"{leaf} had version {leaf.version} when it was signed, and has {len(hashes)} now:"
            " the database was rolled back"
        )
    if hashes[leaf.version - 1] != leaf.head:
        raise CheckpointMismatchError(
            f"{leaf} up to version {leaf.version} is not what was signed: the database was rewritten"
        )


def check_growth(kept: KeptCheckpoint, later: KeptCheckpoint, proof: Sequence[str]) -> None:
    """Check offline that the later tree extends the kept one."""
    if kept.size > later.size:
        raise CheckpointMismatchError(
            f"the later checkpoint covers {later.size:,} leaves, the kept one {kept.size:,}:"
            " something was taken away"
        )
    if not is_consistent(kept.size, kept.root, later.size, later.root, proof):
        raise CheckpointMismatchError(
            "the proof does not show that the later checkpoint grew from the kept one"
        )
