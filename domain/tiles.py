"""The tiles of a transparency log (C2SP tlog-tiles): its tree in pieces of 256 hashes, entries in bundles.

A tile of level 0 holds leaf hashes. A tile of a higher level holds the roots of full tiles of the level
below. Only the last tile of a level can be partial. Every proof needs a few tiles of each level, whatever the
size.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence

from kontor_games.domain.merkle import EMPTY, node_hash, split

WIDTH = 256
"""The hashes in a full tile, and the entries in a full bundle."""
HEIGHT = 8
"""The levels of the tree in a tile."""
_HASH = 32
_LENGTH_BYTES = 2
_PLACE = re.compile(r"((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")

ReadTile = Callable[[int, int, int], bytes]
"""Returns the first hashes of a tile, given its level, its index and their number."""


def width_of(level: int, index: int, size: int) -> int:
    """Return the number of hashes of a tile in a tree of this size; 0 if the tree does not have the tile."""
    return max(0, min(WIDTH, (size >> HEIGHT * level) - WIDTH * index))


def tile_path(index: int, width: int = WIDTH) -> str:
    """Return the end of a tile's address: its index in groups of three digits; the width of a partial one."""
    *above, last = [group.zfill(3) for group in f"{index:,}".split(",")]
    whole = "/".join([*(f"x{group}" for group in above), last])
    return whole if width == WIDTH else f"{whole}.p/{width}"


def read_tile_path(path: str) -> tuple[int, int] | None:
    """Return the index and the width that the end of a tile's address names; None if it has another form."""
    found = _PLACE.fullmatch(path) if len(path) < 64 else None
    if found is None:
        return None
    index = int(found[1].replace("x", "").replace("/", ""))
    width = int(found[2] or WIDTH)
    return (index, width) if width <= WIDTH and tile_path(index, width) == path else None


def root_of_hashes(hashes: bytes) -> bytes:
    """Return the root over concatenated hashes; their number must be a power of two."""
    while len(hashes) > _HASH:
        pairs = range(0, len(hashes), 2 * _HASH)
        hashes = b"".join([hashlib.sha256(b"\x01" + hashes[at : at + 2 * _HASH]).digest() for at in pairs])
    return hashes


class TileTree:
    """A tree of a given size, computed from tiles, each of which is read once, when it is needed."""

    def __init__(self, read: ReadTile, size: int) -> None:
        self._read = read
        self._tiles: dict[tuple[int, int], bytes] = {}
        self.size = size

    @property
    def root(self) -> str:
        return self.subtree(0, self.size) if self.size else EMPTY

    def subtree(self, start: int, end: int) -> str:
        """Return the root over some leaves, which must be a subtree of this tree or of an earlier one."""
        count = end - start
        if count & (count - 1):
            middle = start + split(count)
            return node_hash(self.subtree(start, middle), self.subtree(middle, end))
        level, rest = divmod(count.bit_length() - 1, HEIGHT)
        tile, first = divmod(start >> HEIGHT * level, WIDTH)
        return root_of_hashes(self._tile(level, tile)[first * _HASH : (first + (1 << rest)) * _HASH]).hex()

    def _tile(self, level: int, index: int) -> bytes:
        key = level, index
        if key not in self._tiles:
            self._tiles[key] = self._read(level, index, width_of(level, index, self.size))
        return self._tiles[key]


def grown_tiles(read: ReadTile, size: int, fresh: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield level, index and hashes of each tile that changes when leaf hashes are appended to a tree.

    `size` is the size of the tree before. The cost is that of the new hashes and of one tile of each level. A
    partial tile of level 0 is left out.
    """
    level = 0
    while fresh:
        first = size >> HEIGHT * level
        index, known = divmod(first, WIDTH)
        hashes = (read(level, index, known) if known else b"") + fresh
        full = len(hashes) // (WIDTH * _HASH)
        tiles = [hashes[at : at + WIDTH * _HASH] for at in range(0, len(hashes), WIDTH * _HASH)]
        for place, tile in enumerate(tiles if level else tiles[:full], index):
            yield level, place, tile
        fresh = b"".join(map(root_of_hashes, tiles[:full]))
        level += 1


def write_bundle(entries: Sequence[bytes]) -> bytes:
    """Return entries as a bundle: each one after its length in two bytes."""
    return b"".join([len(entry).to_bytes(_LENGTH_BYTES, "big") + entry for entry in entries])


def read_bundle(bundle: bytes) -> list[bytes]:
    """Return the entries of a bundle; raise ValueError if it is cut off."""
    entries, at = list[bytes](), 0
    while at < len(bundle):
        start = at + _LENGTH_BYTES
        at = start + int.from_bytes(bundle[at:start], "big")
        if at > len(bundle):
            raise ValueError("the bundle of entries is cut off")
        entries.append(bundle[start:at])
    return entries
