"""Holds a service to a checkpoint that somebody kept: against its database, or offline against a later checkpoint with a proof.

Whoever rolls a database back has fewer leaves than were signed; whoever rewrites it can no longer compute the signed root, or has leaves
that do not fit the facts. Either way one sentence says so.
"""

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from kontor_games.domain.audit import BrokenRecordError
from kontor_games.domain.codec import Plain
from kontor_games.domain.merkle import is_consistent, root_of
from kontor_games.domain.seed import is_hash
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.store.stored_record import chain_of
from kontor_games.service.trust.checkpoints import Checkpoint, Leaf, checkpoint_text
from kontor_games.service.trust.signatures import PublicKey, is_signed, key_at

_FIELDS = {"size": int, "root": str, "at": int, "key": str, "signature": str}


class BrokenPromiseError(Exception):
    """What the service signed does not hold any more, or it never signed it."""


class UnreadableEvidenceError(Exception):
    """Not what it should be: no checkpoint, no proof."""


def read_checkpoint(data: Plain) -> Checkpoint:
    """A checkpoint as the service publishes it."""
    if not isinstance(data, dict) or any(type(data.get(name)) is not kind for name, kind in _FIELDS.items()):
        raise UnreadableEvidenceError("this is no checkpoint: it must be an object with " + ", ".join(_FIELDS))
    return Checkpoint(**{name: data[name] for name in _FIELDS})


def read_proof(data: Plain) -> list[str]:
    """A proof as the service gives it: the list itself, or the whole answer with the list in it."""
    proof = data.get("proof") if isinstance(data, dict) else data
    if not isinstance(proof, list) or not all(isinstance(node, str) and is_hash(node) for node in proof):
        raise UnreadableEvidenceError("this is no proof: it must be a list of hashes, or an object with one called proof")
    return proof


def check_signature(checkpoint: Checkpoint, keys: Sequence[PublicKey]) -> None:
    """The checkpoint must be signed with the key of its time."""
    key = key_at(keys, checkpoint.at)
    if key is None or key.id != checkpoint.key:
        raise BrokenPromiseError(f"it is signed with the key {checkpoint.key}, which was not the service's at that moment")
    if not is_signed(key.public, checkpoint.signature, checkpoint_text(checkpoint.size, checkpoint.root, checkpoint.at)):
        raise BrokenPromiseError("its signature is not right: the service never signed this")


def check_leaves(checkpoint: Checkpoint, leaves: Sequence[Leaf]) -> None:
    """The first leaves of the database must be those that were signed."""
    if len(leaves) < checkpoint.size:
        raise BrokenPromiseError(
            f"it covers {checkpoint.size:,} leaves, but the database has only {len(leaves):,}: the database was rolled back"
        )
    if root_of([leaf.hash for leaf in leaves[: checkpoint.size]]) != checkpoint.root:
        raise BrokenPromiseError("the leaves in the database are not those that were signed: the database was rewritten")


def check_facts(store: EventStore, leaves: Iterable[Leaf], done: Callable[[str], None] = lambda _: None) -> tuple[int, int]:
    """Each leaf's head must be the one that the stored facts give; answers how many matches and facts were hashed."""
    by_match: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        by_match.setdefault(leaf.match, []).append(leaf)
    facts = 0
    for match, own in by_match.items():
        try:
            hashes = chain_of(store, UUID(match))
        except BrokenRecordError as broken:
            raise BrokenPromiseError(f"match {match}: {broken}") from broken
        for leaf in own:
            _compare(leaf, hashes)
        facts += len(hashes)
        done(match)
    return len(by_match), facts


def _compare(leaf: Leaf, hashes: Sequence[str]) -> None:
    if leaf.version > len(hashes):
        raise BrokenPromiseError(
            f"match {leaf.match} had version {leaf.version} when it was signed, and has {len(hashes)} now: the database was rolled back"
        )
    if hashes[leaf.version - 1] != leaf.head:
        raise BrokenPromiseError(f"match {leaf.match} up to version {leaf.version} is not what was signed: the database was rewritten")


def check_growth(kept: Checkpoint, later: Checkpoint, proof: Sequence[str]) -> None:
    """Offline: the later tree must have grown from the kept one."""
    if kept.size > later.size:
        raise BrokenPromiseError(f"the later checkpoint covers {later.size:,} leaves, the kept one {kept.size:,}: something was taken away")
    if not is_consistent(kept.size, kept.root, later.size, later.root, proof):
        raise BrokenPromiseError("the proof does not show that the later checkpoint grew from the kept one")
