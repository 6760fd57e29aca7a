"""Signed checkpoints: a Merkle tree (RFC 6962) of the heads of matches and tournaments, and signing keys.

The tree only grows. A kept checkpoint proves later that the database was rolled back or rewritten: then its
root can no longer be computed, or a leaf no longer matches its match.
Outages get their leaves when they end. The leading process takes checkpoints:
one a minute over everything that changed, and one soon after matches have ended and tournaments have been
announced, started or signed off.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import Plain
from kontor_games.domain.log_leaves import HeadLeaf, Leaf, MatchLeaf, OutageLeaf, TournamentLeaf
from kontor_games.domain.merkle import consistency_proof, inclusion_proof
from kontor_games.domain.signed_note import (
    Note,
    NoteKey,
    NoteSignature,
    TreeHead,
    decode_base64,
    read_note,
    read_signatures,
    read_tree_head,
)
from kontor_games.domain.tiles import HEIGHT, WIDTH, TileTree, write_bundle
from kontor_games.service.errors import (
    NotFoundError,
    RecordDamagedError,
    UnavailableError,
    UnknownWitnessError,
)
from kontor_games.service.matches.delays import Delays
from kontor_games.service.store.database import Database
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.store.streams import StreamCache
from kontor_games.service.trust.log_store import OUTAGES, Checkpoint, LogStore, checkpoint_row
from kontor_games.service.trust.notes import CLOCK_ERROR_S, PublicKey, cosigned_at, note_key
from kontor_games.service.trust.signing import Signer

INTERVAL_MS = 60_000
"""The time between two checkpoints over everything that changed."""
_Changed = tuple[UUID, Callable[[UUID], HeadLeaf]]
"""The id of a match or tournament that may need a leaf, and the function that makes it."""
_MAX_OUTAGES = 1000
"""Outages that are proven with a match."""
_OVERLAP = 1000
"""Rows that are read again: on PostgreSQL a row can be committed after one with a higher number."""
_CHANGED = """SELECT originator_id AS id, MAX({column}) AS newest, MIN(topic) AS topic FROM kontor_events
    WHERE {column} > ? GROUP BY originator_id ORDER BY 2"""


@dataclass(frozen=True, slots=True)
class ProvenLeaf:
    """A leaf, its index in the tree, and its inclusion proof."""

    leaf: Leaf
    index: int
    proof: list[str]

    def plain(self) -> Plain:
        return {"index": self.index, "leaf": json.loads(self.leaf.content), "proof": self.proof}


class Checkpoints:
    """Takes, lists and proves checkpoints."""

    def __init__(
        self,
        cache: MatchCache,
        tournaments: StreamCache[Any],
        database: Database,
        signer: Signer,
        clock: Callable[[], int],
        origin: str,
        witnesses: Sequence[NoteKey],
        delays: Delays,
    ) -> None:
        self._delays = delays
        self._cache = cache
        self._tournaments = tournaments
        self._database = database
        self._signer = signer
        self._clock = clock
        self._given_origin = origin
        self._witnesses = {one.name: one for one in witnesses}
        self._log = LogStore(database)
        self._bound: set[str] = set()
        self._outages_until: int | None = None
        """The end of the newest outage that is a leaf."""
        self._last_full_at: int | None = None

    @property
    def origin(self) -> str:
        """The name of the log: as configured, as in its checkpoints, or with the id of the first key.

        Witnesses keep one state per origin, so two services must not have the same one.
        """
        if not self._given_origin and (newest := self._log.newest()):
            return read_tree_head(read_note(newest[0].note)).origin
        keys = self._signer.public_keys()
        return self._given_origin or f"localhost/{keys[0].id if keys else 'none'}/v1/log"

    def leaves(self, size: int | None = None) -> Iterator[Leaf]:
        """Yield all leaves of the tree, or the first `size` of them, in order."""
        return self._log.leaves(size)

    def latest(self) -> Checkpoint | None:
        """Return the newest checkpoint, or None if there is none yet."""
        return next(iter(self.page(1)), None)

    def page(self, limit: int, before: int | None = None) -> list[Checkpoint]:
        """Return checkpoints with their cosignatures, the newest first."""
        found = self._log.page(limit, before)
        lines = self._log.cosignatures([one.size for one in found])
        return [replace(one, note=one.note + "".join(lines.get(one.size, ()))) for one in found]

    def take_if_due(self) -> None:
        """Take a checkpoint over everything once a minute, or if a signing key is not in the log yet."""
        now = self._clock()
        unbound = self._unbound() or self._unbound_outages(self._log.size())
        if self._last_full_at is None or now >= self._last_full_at + INTERVAL_MS or unbound:
            self.take()
            self._last_full_at = now

    def take(self) -> Checkpoint | None:
        """Take a checkpoint over everything; None if nothing has changed, or another process was faster."""
        last = self._log.newest()
        seen, changed = self._changed_since(last[1] if last else 0)
        leaves: dict[str, Callable[[UUID], HeadLeaf]]
        leaves = {"match": self._match_leaf, "tournament": self._tournament_leaf}
        return self._take(last, [(id_, leaves[kind]) for kind, id_ in changed], seen)

    def take_now(self, matches: Iterable[UUID], tournaments: Iterable[UUID] = ()) -> Checkpoint | None:
        """Take a checkpoint over matches that have ended and tournaments that may have reached a milestone.

        Others are left out, so that a running match gets at most one leaf a minute.
        """
        last = self._log.newest()
        changed: list[_Changed] = [(one, self._match_leaf) for one in matches]
        changed += [(one, self._milestone_leaf) for one in tournaments]
        return self._take(last, changed, last[1] if last else 0)

    def _take(
        self, last: tuple[Checkpoint, int] | None, changed: list[_Changed], seen: int
    ) -> Checkpoint | None:
        size = self._log.size()
        unbound = self._unbound()
        heads = list(self._new_leaves(changed))
        outages = self._unbound_outages(
            size
        )  # after the heads: an outage is stored before it gives time back
        fresh: list[Leaf] = [*(key.leaf for key in unbound), *outages, *heads]
        if not fresh and (last is None or last[0].size == size):
            return None  # nothing has changed, or another process has just taken the first one
        root, statements = self._log.grown(size, fresh)
        checkpoint = self._sign(size + len(fresh), root, last[0].size if last else 0)
        try:
            self._database.write(*statements, checkpoint_row(checkpoint, seen))
        except IntegrityError:
            return None  # another process was faster
        self._bound.update(key.id for key in unbound)
        self._outages_until = outages[-1].until if outages else self._outages_until
        return checkpoint

    def _unbound_outages(self, size: int) -> list[OutageLeaf]:
        """Return the outages that are not leaves yet, the oldest first."""
        if self._outages_until is None:
            newest = self._log.newest_of(OUTAGES, size)
            leaf = newest[1] if newest else None
            self._outages_until = leaf.until if isinstance(leaf, OutageLeaf) else 0
        query = "SELECT since, until FROM outages WHERE until > ? ORDER BY until"
        rows = self._database.read(query, [self._outages_until])
        return [OutageLeaf(int(row["since"]), int(row["until"])) for row in rows]

    def _unbound(self) -> list[PublicKey]:
        """Return the signing keys that are not leaves yet."""
        new = [key for key in self._signer.public_keys() if key.id not in self._bound]
        size = self._log.size() if new else 0
        missing = [key for key in new if self._log.first_of(key.id, size) is None]
        self._bound.update(key.id for key in new if key not in missing)
        return missing

    def _changed_since(self, seen: int) -> tuple[int, list[tuple[str, UUID]]]:
        """Return the highest row number, and kind and id of all that has rows after `seen`, with overlap."""
        column = "notification_id" if self._database.is_postgres else "rowid"
        rows = self._database.read(_CHANGED.format(column=column), [seen - _OVERLAP])
        changed = [(row["topic"].partition(".")[0], UUID(str(row["id"]))) for row in rows]
        return max((row["newest"] for row in rows), default=seen), changed

    def _new_leaves(self, changed: list[_Changed]) -> Iterator[HeadLeaf]:
        known = self._log.versions([str(id_) for id_, _ in changed])
        for id_, leaf_of in changed:
            try:
                leaf = leaf_of(id_)
            except RecordDamagedError:
                continue  # what is damaged is never signed
            if leaf.version > known.get(leaf.subject, 0):
                yield leaf

    def _match_leaf(self, match_id: UUID) -> MatchLeaf:
        cached = self._cache.get_fresh(match_id)
        with cached.lock:
            match = cached.state
            version = match.version
            if match.is_delayed_for(None):  # the hash of what is not shown yet would confirm a guess
                version = self._delays.newest_shown(cached, match)
            return MatchLeaf(cached.name, version, cached.head_at(version), end=match.revealed)

    def _tournament_leaf(self, tournament_id: UUID) -> TournamentLeaf:
        cached = self._tournaments.get_fresh(tournament_id)
        with cached.lock:
            return TournamentLeaf(cached.name, cached.state.version, cached.head)

    def _milestone_leaf(self, tournament_id: UUID) -> TournamentLeaf:
        cached = self._tournaments.get_fresh(tournament_id)
        with cached.lock:
            return TournamentLeaf(cached.name, *cached.milestone())

    def _sign(self, size: int, root: str, before: int) -> Checkpoint:
        """Sign with the newest valid key that is in the tree of the previous checkpoint, if there is one."""
        at, origin = self._clock(), self.origin
        text = TreeHead(origin, size, root).text
        valid = [key for key in self._signer.public_keys() if key.valid_from <= at]
        bound = [key for key in valid if self._log.first_of(key.id, before)] if before else []
        if not valid:
            raise UnavailableError("The service has no signing key; the operator must run kontor migrate.")
        key = (bound or valid)[-1]
        named, signature = note_key(origin, key), self._signer.sign_with(key, text.encode())
        note = Note(text, (NoteSignature(named.name, named.id, decode_base64(signature)),))
        return Checkpoint(size, root, at, key.id, note.write())

    def inclusion(self, subject: str, size: int, kind: str = "match") -> ProvenLeaf:
        """Return the newest leaf of a match or tournament in the tree of a size, with its proof."""
        tree = self._tree(size)
        found = self._log.newest_of(subject, size)
        if found is None:
            raise NotFoundError(f"The {kind} is not in this checkpoint.")
        return _proven(tree, *found)

    def outages(self, size: int, first: int, last: int) -> list[ProvenLeaf]:
        """Return the first outages in the tree of a size that touch a period, with their proofs."""
        tree = self._tree(size)
        return [_proven(tree, *one) for one in self._log.outages(size, first, last, _MAX_OUTAGES)]

    def keys(self, size: int) -> list[ProvenLeaf]:
        """Return the signing keys that are leaves in the tree of a size, with their proofs."""
        tree = self._tree(size)
        found = [self._log.first_of(key.id, size) for key in self._signer.public_keys()]
        leaves = [_proven(tree, *one) for one in found if one is not None]
        return sorted(leaves, key=lambda one: one.index)

    def consistency(self, earlier: int, size: int) -> list[str]:
        """Return the proof that the tree of one size was grown from the tree of an earlier size."""
        if not 0 < earlier <= size:
            raise NotFoundError("There are no checkpoints of these sizes.")
        return consistency_proof(self._tree(size).subtree, earlier, size)

    def _tree(self, size: int) -> TileTree:
        self._require(size, "There is no checkpoint of this size.")
        return self._log.tree(size)

    def tile(self, level: int, index: int, width: int) -> bytes:
        """Return a tile of the published tree."""
        self._require(index * WIDTH + width << HEIGHT * level, "There is no such tile.")
        return self._log.tile(level, index, width)

    def bundle(self, index: int, width: int) -> bytes:
        """Return a bundle of entries of the published tree."""
        self._require(index * WIDTH + width, "There is no such tile.")
        return write_bundle(self._log.contents(index * WIDTH, index * WIDTH + width))

    def _require(self, size: int, missing: str) -> None:
        newest = self._log.newest()
        if newest is None or not 0 < size <= newest[0].size:
            raise NotFoundError(missing)

    def accept_cosignatures(self, size: int, lines: str) -> list[str]:
        """Store cosignatures of known witnesses under a checkpoint; return the names of the witnesses."""
        checkpoint = self._log.at_size(size)
        if checkpoint is None:
            raise NotFoundError("There is no checkpoint of this size.")
        text, signatures = read_note(checkpoint.note).text, read_signatures(lines)
        earliest, latest = checkpoint.at // 1000 - CLOCK_ERROR_S, self._clock() // 1000 + CLOCK_ERROR_S
        for one in signatures:
            witness = self._witnesses.get(one.name)
            if witness is None:
                raise UnknownWitnessError("This service does not know a witness of this name.")
            at_s = cosigned_at(text, one, witness)
            if at_s is None:
                raise UnknownWitnessError("The witness did not make this cosignature of this checkpoint.")
            if not earliest <= at_s <= latest:
                raise UnknownWitnessError(
                    "The time of this cosignature is before the checkpoint, or in the future."
                )
        self._log.keep_cosignatures(size, signatures)
        return [one.name for one in signatures]


def _proven(tree: TileTree, index: int, leaf: Leaf) -> ProvenLeaf:
    return ProvenLeaf(leaf, index, inclusion_proof(tree.subtree, index, tree.size))
