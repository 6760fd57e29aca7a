"""The tables of the log: leaves, tiles, checkpoints and cosignatures. Rows are only ever added.

Level 0 keeps full tiles; its last, partial one is computed from the leaves. A higher level keeps a row for
each width that its last tile had after an append, so that no row changes. A proof reads a few tiles of each
level.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kontor_games.domain.log_leaves import KeyLeaf, Leaf, OutageLeaf, read_leaf
from kontor_games.domain.merkle import leaf_hash
from kontor_games.domain.signed_note import NoteSignature
from kontor_games.domain.tiles import WIDTH, TileTree, grown_tiles
from kontor_games.service.errors import NotFoundError
from kontor_games.service.store.database import Database, Statement

_HASH = 32
OUTAGES = "outages"
"""The subject of all leaves of outages."""
_BATCH = 256 * WIDTH
"""Number of leaves per query when all leaves are read."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The signed root over all matches and tournaments at a time."""

    size: int
    root: str
    at: int
    key: str
    note: str
    """The signed note, without cosignatures."""


class LogStore:
    """Reads the log, and appends to it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def size(self) -> int:
        [row] = self._database.read("SELECT MAX(place) AS last FROM log_leaves")
        return 0 if row["last"] is None else int(row["last"]) + 1

    def contents(self, start: int, end: int) -> list[bytes]:
        """Return the entries from index `start` up to, but not including, `end`."""
        rows = self._database.read(
            "SELECT content FROM log_leaves WHERE place >= ? AND place < ? ORDER BY place", [start, end]
        )
        return [row["content"].encode() for row in rows]

    def leaves(self, size: int | None = None) -> Iterator[Leaf]:
        """Yield all leaves of the tree, or the first `size` of them, in order."""
        end = self.size() if size is None else size
        for start in range(0, end, _BATCH):
            yield from map(read_leaf, self.contents(start, min(end, start + _BATCH)))

    def newest_of(self, subject: str, size: int) -> tuple[int, Leaf] | None:
        """Return index and content of the newest leaf of a match, tournament or key in the tree of a size."""
        return self._one_of(subject, size, "DESC")

    def first_of(self, subject: str, size: int) -> tuple[int, Leaf] | None:
        """Return index and content of the first leaf of a match, tournament or key in the tree of a size."""
        return self._one_of(subject, size, "ASC")

    def _one_of(self, subject: str, size: int, order: str) -> tuple[int, Leaf] | None:
        rows = self._database.read(
            "SELECT place, content FROM log_leaves WHERE subject = ? AND place < ?"  # noqa: S608
            f" ORDER BY place {order} LIMIT 1",
            [subject, size],
        )
        return (int(rows[0]["place"]), read_leaf(rows[0]["content"].encode())) if rows else None

    def outages(self, size: int, first: int, last: int, limit: int) -> list[tuple[int, Leaf]]:
        """Return index and content of the first outages in a tree that touch a period."""
        rows = self._database.read(
            "SELECT place, content FROM log_leaves WHERE subject = ? AND place < ? AND version >= ?"
            " ORDER BY place LIMIT ?",
            [OUTAGES, size, first, limit],
        )
        found = [(int(row["place"]), read_leaf(row["content"].encode())) for row in rows]
        return [
            (place, leaf) for place, leaf in found if isinstance(leaf, OutageLeaf) and leaf.outage <= last
        ]

    def versions(self, subjects: Sequence[str]) -> dict[str, int]:
        """Return the newest version of each match or tournament that has a leaf."""
        rows = self._database.read_many(
            "SELECT subject, MAX(version) AS version FROM log_leaves WHERE subject IN ({}) GROUP BY subject",
            subjects,
        )
        return {row["subject"]: int(row["version"]) for row in rows}

    def tile(self, level: int, index: int, width: int) -> bytes:
        """Return the first hashes of a tile; raise NotFoundError if the tree is too small."""
        rows = self._database.read(
            "SELECT hashes FROM log_tiles WHERE level = ? AND place = ? AND width >= ?"
            " ORDER BY width LIMIT 1",
            [level, index, width],
        )
        hashes = bytes(rows[0]["hashes"]) if rows else b""
        if not rows and level == 0:
            hashes = hashed(self.contents(index * WIDTH, index * WIDTH + width))
        if len(hashes) < width * _HASH:
            raise NotFoundError("There is no such tile.")
        return hashes[: width * _HASH]

    def tree(self, size: int) -> TileTree:
        """Return the tree of the first leaves."""
        return TileTree(self.tile, size)

    def grown(self, size: int, fresh: Sequence[Leaf]) -> tuple[str, list[Statement]]:
        """Return the root of a tree of a size with further leaves, and the statements that store them."""
        new_hashes = hashed([leaf.content for leaf in fresh])
        tiles = {(level, index): tile for level, index, tile in grown_tiles(self.tile, size, new_hashes)}

        def read(level: int, index: int, width: int) -> bytes:
            if (level, index) in tiles:
                return tiles[level, index][: width * _HASH]
            known = max(0, min(width, size - index * WIDTH)) if level == 0 else width
            stored = self.tile(level, index, known) if known else b""
            start = max(0, index * WIDTH - size)
            return stored + new_hashes[start * _HASH : (start + width - known) * _HASH]

        statements = [leaf_row(place, leaf) for place, leaf in enumerate(fresh, size)]
        statements += [tile_row(*key, tile) for key, tile in tiles.items()]
        return TileTree(read, size + len(fresh)).root, statements

    def newest(self) -> tuple[Checkpoint, int] | None:
        """Return the newest checkpoint, and the number of the last stored event that it covers."""
        rows = self._database.read("SELECT * FROM log_checkpoints ORDER BY size DESC LIMIT 1")
        return (_checkpoint(rows[0]), int(rows[0]["seen"])) if rows else None

    def page(self, limit: int, before: int | None) -> list[Checkpoint]:
        """Return checkpoints, the newest first."""
        where, values = ("", []) if before is None else (" WHERE size < ?", [before])
        sql = f"SELECT * FROM log_checkpoints{where} ORDER BY size DESC LIMIT ?"  # noqa: S608
        return [_checkpoint(row) for row in self._database.read(sql, [*values, limit])]

    def at_size(self, size: int) -> Checkpoint | None:
        """Return the checkpoint of a size; None if there is none."""
        rows = self._database.read("SELECT * FROM log_checkpoints WHERE size = ?", [size])
        return _checkpoint(rows[0]) if rows else None

    def cosignatures(self, sizes: Sequence[int]) -> dict[int, list[str]]:
        """Return the cosignature lines under checkpoints, by size."""
        found: dict[int, list[str]] = {}
        if sizes:
            rows = self._database.read(
                "SELECT size, line FROM log_cosignatures WHERE size >= ? AND size <= ?"
                " ORDER BY size, witness",
                [min(sizes), max(sizes)],
            )
            for row in rows:
                found.setdefault(int(row["size"]), []).append(row["line"])
        return found

    def keep_cosignatures(self, size: int, signatures: Sequence[NoteSignature]) -> None:
        """Keep the first cosignature of each witness under a checkpoint."""
        insert = "INSERT INTO log_cosignatures VALUES (?, ?, ?) ON CONFLICT (size, witness) DO NOTHING"
        self._database.write(*((insert, [size, one.name, one.line]) for one in signatures))


def checkpoint_row(checkpoint: Checkpoint, seen: int) -> Statement:
    """Return the statement that stores a checkpoint."""
    values = [checkpoint.size, checkpoint.root, checkpoint.at, checkpoint.key, checkpoint.note, seen]
    return "INSERT INTO log_checkpoints VALUES (?, ?, ?, ?, ?, ?)", values


def _checkpoint(row: dict[str, Any]) -> Checkpoint:
    return Checkpoint(int(row["size"]), row["root"], int(row["taken_at"]), row["signing_key"], row["note"])


def hashed(contents: Sequence[bytes]) -> bytes:
    """Return the leaf hashes of entries, one after the other."""
    return bytes.fromhex("".join(map(leaf_hash, contents)))


def _place_of(leaf: Leaf) -> tuple[str, int | None]:
    """Return subject and version in the row of a leaf; all outages have one subject."""
    match leaf:
        case KeyLeaf():
            return leaf.key, None
        case OutageLeaf():
            return OUTAGES, leaf.until
    return leaf.subject, leaf.version


def leaf_row(place: int, leaf: Leaf) -> Statement:
    """Return the statement that stores a leaf."""
    subject, version = _place_of(leaf)
    return "INSERT INTO log_leaves VALUES (?, ?, ?, ?)", [place, subject, version, leaf.content.decode()]


def tile_row(level: int, index: int, hashes: bytes) -> Statement:
    """Return the statement that stores a tile; storing it again changes nothing."""
    return (
        "INSERT INTO log_tiles VALUES (?, ?, ?, ?) ON CONFLICT (level, place, width) DO NOTHING",
        [level, index, len(hashes) // _HASH, hashes],
    )
