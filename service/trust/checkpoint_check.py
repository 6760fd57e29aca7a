"""Checks a kept checkpoint: against the database, or offline against a later checkpoint with a proof.

A database that was rolled back has fewer leaves than were signed. A database that was rewritten no longer
gives the signed root, or its leaves do not match the facts.
"""

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.codec import Plain
from kontor_games.domain.merkle import is_consistent, root_of
from kontor_games.domain.seed import is_hash
from kontor_games.service.ed25519 import is_signed
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.store.stored_record import chain_of
from kontor_games.service.trust.checkpoints import Checkpoint, Leaf, checkpoint_text
from kontor_games.service.trust.signatures import PublicKey, key_at

_FIELDS = {"size": int, "root": str, "at": int, "key": str, "signature": str}


class CheckpointMismatchError(Exception):
    """The checkpoint does not match the database or the later checkpoint, or the service never signed it."""


class UnreadableCheckpointError(Exception):
    """The input is not a checkpoint or a proof."""


def read_checkpoint(data: Plain) -> Checkpoint:
    """Read a published checkpoint."""
    if not isinstance(data, dict) or any(type(data.get(name)) is not kind for name, kind in _FIELDS.items()):
        raise UnreadableCheckpointError(
            "this is no checkpoint: it must be an object with " + ", ".join(_FIELDS)
        )
    return Checkpoint(**{name: data[name] for name in _FIELDS})


def read_proof(data: Plain) -> list[str]:
    """Read a published proof: the list itself, or the answer of the service that contains it."""
    proof = data.get("proof") if isinstance(data, dict) else data
    if not isinstance(proof, list) or not all(isinstance(node, str) and is_hash(node) for node in proof):
        raise UnreadableCheckpointError(
            "this is no proof: it must be a list of hashes, or an object with one called proof"
        )
    return proof


def check_signature(checkpoint: Checkpoint, keys: Sequence[PublicKey]) -> None:
    """Check that the checkpoint is signed with the key that was valid at its time."""
    key = key_at(keys, checkpoint.at)
    if key is None or key.id != checkpoint.key:
        raise CheckpointMismatchError(
            f"it is signed with the key {checkpoint.key}, which was not the service's at that moment"
        )
    if not is_signed(
        key.public, checkpoint.signature, checkpoint_text(checkpoint.size, checkpoint.root, checkpoint.at)
    ):
        raise CheckpointMismatchError("its signature is not right: the service never signed this")


def check_leaves(checkpoint: Checkpoint, leaves: Sequence[Leaf]) -> None:
    """Check that the first leaves of the database are those that were signed."""
    if len(leaves) < checkpoint.size:
        raise CheckpointMismatchError(
            f"it covers {checkpoint.size:,} leaves, but the database has only {len(leaves):,}:"
            " the database was rolled back"
        )
    if root_of([leaf.hash for leaf in leaves[: checkpoint.size]]) != checkpoint.root:
        raise CheckpointMismatchError(
            "the leaves in the database are not those that were signed: the database was rewritten"
        )


def check_facts(
    store: EventStore, leaves: Iterable[Leaf], on_done: Callable[[str], None] = lambda _: None
) -> tuple[int, int]:
    """Check that each leaf has the head of the stored facts; return the numbers of matches and facts."""
    by_match: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        by_match.setdefault(leaf.match, []).append(leaf)
    facts = 0
    for match, own in by_match.items():
        try:
            hashes = chain_of(store, UUID(match))
        except BrokenRecordError as broken:
            raise CheckpointMismatchError(f"match {match}: {broken}") from broken
        for leaf in own:
            _compare(leaf, hashes)
        facts += len(hashes)
        on_done(match)
    return len(by_match), facts


def _compare(leaf: Leaf, hashes: Sequence[str]) -> None:
    if leaf.version > len(hashes):
        raise CheckpointMismatchError(
            f"match {leaf.match} had version {leaf.version} when it was signed, and has {len(hashes)} now:"
            " the database was rolled back"
        )
    if hashes[leaf.version - 1] != leaf.head:
        raise CheckpointMismatchError(
            f"match {leaf.match} up to version {leaf.version} is not what was signed:"
            " the database was rewritten"
        )


def check_growth(kept: Checkpoint, later: Checkpoint, proof: Sequence[str]) -> None:
    """Check offline that the later tree was grown from the kept one."""
    if kept.size > later.size:
        raise CheckpointMismatchError(
            f"the later checkpoint covers {later.size:,} leaves, the kept one {kept.size:,}:"
            " something was taken away"
        )
    if not is_consistent(kept.size, kept.root, later.size, later.root, proof):
        raise CheckpointMismatchError(
            "the proof does not show that the later checkpoint grew from the kept one"
        )
