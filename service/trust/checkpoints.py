"""Signed checkpoints over all matches: a Merkle tree (RFC 6962) of the heads of matches at their versions.

The tree only grows. A kept checkpoint proves later that the database was rolled back or rewritten: then its
root can no longer be computed, or a leaf no longer matches its match. The leading process takes checkpoints
at intervals.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from uuid import UUID

from eventsourcing.persistence import IntegrityError

from kontor_games.domain.codec import Plain, canonical
from kontor_games.domain.merkle import consistency_proof, inclusion_proof, leaf_hash, root_of
from kontor_games.service.errors import MatchDamagedError, NotFoundError
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.trust.signing import Signer

CHECKPOINT_TABLES = (
    """CREATE TABLE IF NOT EXISTS checkpoint_leaves (
        place BIGINT PRIMARY KEY, match_id TEXT NOT NULL, version BIGINT NOT NULL, head TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS checkpoint_leaves_by_match ON checkpoint_leaves (match_id, version)",
    """CREATE TABLE IF NOT EXISTS checkpoints (
        size BIGINT PRIMARY KEY, root TEXT NOT NULL, taken_at BIGINT NOT NULL, signing_key TEXT NOT NULL,
        signature TEXT NOT NULL, seen BIGINT NOT NULL)""",
)
INTERVAL_MS = 60_000
"""The time between two checkpoints that the service takes by itself."""
_OVERLAP = 1000
"""Rows that are read again: on PostgreSQL a row can be committed after one with a higher number."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The head of a match at a version."""

    match: str
    version: int
    head: str

    @property
    def hash(self) -> str:
        """The leaf hash in the tree."""
        return leaf_hash(canonical({"head": self.head, "match": self.match, "version": self.version}))


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The signed root over all matches at a time."""

    size: int
    root: str
    at: int
    key: str
    signature: str

    def plain(self) -> Plain:
        """Return the published JSON."""
        return {name: getattr(self, name) for name in ("size", "root", "at", "key", "signature")}


def checkpoint_text(size: int, root: str, at: int) -> bytes:
    """Return the text that is signed."""
    return b"kontor.checkpoint.1\n" + canonical({"at": at, "root": root, "size": size})


class Checkpoints:
    """Takes, lists and proves checkpoints."""

    def __init__(
        self, cache: MatchCache, database: Database, signer: Signer, clock: Callable[[], int]
    ) -> None:
        self._cache = cache
        self._database = database
        self._signer = signer
        self._clock = clock

    def leaves(self, size: int | None = None) -> list[Leaf]:
        """Return all leaves of the tree, or the first `size` of them, in order."""
        limit, values = ("", []) if size is None else (" WHERE place < ?", [size])
        sql = f"SELECT * FROM checkpoint_leaves{limit} ORDER BY place"  # noqa: S608
        rows = self._database.read(sql, values)
        return [Leaf(row["match_id"], row["version"], row["head"]) for row in rows]

    def latest(self) -> Checkpoint | None:
        """Return the newest checkpoint, or None if there is none yet."""
        return next(iter(self.page(1)), None)

    def page(self, limit: int, before: int | None = None) -> list[Checkpoint]:
        """Return checkpoints, the newest first."""
        where, values = ("", []) if before is None else (" WHERE size < ?", [before])
        sql = f"SELECT * FROM checkpoints{where} ORDER BY size DESC LIMIT ?"  # noqa: S608
        rows = self._database.read(sql, [*values, limit])
        return [
            Checkpoint(row["size"], row["root"], row["taken_at"], row["signing_key"], row["signature"])
            for row in rows
        ]

    def take_if_due(self) -> None:
        """Take a checkpoint if there is none, or if the newest one is a minute old."""
        last = self.latest()
        if last is None or self._clock() >= last.at + INTERVAL_MS:
            self.take()

    def take(self) -> Checkpoint | None:
        """Take a checkpoint; return None if nothing has changed, or another process was faster."""
        last = self._database.read("SELECT seen FROM checkpoints ORDER BY size DESC LIMIT 1")
        seen, changed = self._changed_since(last[0]["seen"] if last else 0)
        known = self.leaves()
        fresh = list(self._new_leaves(changed, {leaf.match: leaf.version for leaf in known}))
        if not fresh:
            return None
        leaves = [*known, *fresh]
        checkpoint = self._sign(len(leaves), root_of([leaf.hash for leaf in leaves]))
        try:
            self._database.write(*_rows(len(known), fresh, checkpoint, seen))
        except IntegrityError:
            return None
        return checkpoint

    def _changed_since(self, seen: int) -> tuple[int, list[UUID]]:
        """Return the highest row number, and the matches with rows after `seen` (with an overlap)."""
        column = "notification_id" if self._database.is_postgres else "rowid"
        rows = self._database.read(
            f"SELECT originator_id AS id, MAX({column}) AS newest FROM kontor_events"  # noqa: S608
            f" WHERE {column} > ? GROUP BY originator_id ORDER BY 2",
            [seen - _OVERLAP],
        )
        return max((row["newest"] for row in rows), default=seen), [UUID(str(row["id"])) for row in rows]

    def _new_leaves(self, changed: list[UUID], known: dict[str, int]) -> Iterator[Leaf]:
        for match_id in changed:
            try:
                log = self._cache.get_fresh(match_id)
            except MatchDamagedError:
                continue  # a damaged match is never signed
            with log.lock:
                version, head = log.match.version, log.heads[-1]
            if version > known.get(str(match_id), 0):
                yield Leaf(str(match_id), version, head)

    def _sign(self, size: int, root: str) -> Checkpoint:
        at = self._clock()
        return Checkpoint(size, root, at, *self._signer.sign(checkpoint_text(size, root, at), at))

    def inclusion(self, match_id: str, size: int) -> tuple[Leaf, int, list[str]]:
        """Return the newest leaf of a match in the tree of a size, its index, and the inclusion proof."""
        leaves = self.leaves(size)
        if len(leaves) != size or not size:
            raise NotFoundError("There is no checkpoint of this size.")
        for place in range(size - 1, -1, -1):
            if leaves[place].match == match_id:
                return leaves[place], place, inclusion_proof([leaf.hash for leaf in leaves], place)
        raise NotFoundError("The match is not in this checkpoint.")

    def consistency(self, earlier: int, size: int) -> list[str]:
        """Return the proof that the tree of one size was grown from the tree of an earlier size."""
        leaves = self.leaves(size)
        if len(leaves) != size or not 0 < earlier <= size:
            raise NotFoundError("There are no checkpoints of these sizes.")
        return consistency_proof([leaf.hash for leaf in leaves], earlier)


def _rows(start: int, fresh: list[Leaf], checkpoint: Checkpoint, seen: int) -> list[Statement]:
    statements: list[Statement] = [
        ("INSERT INTO checkpoint_leaves VALUES (?, ?, ?, ?)", [place, leaf.match, leaf.version, leaf.head])
        for place, leaf in enumerate(fresh, start)
    ]
    values = [checkpoint.size, checkpoint.root, checkpoint.at, checkpoint.key, checkpoint.signature, seen]
    return [*statements, ("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?)", values)]
