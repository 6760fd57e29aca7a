"""Speed of proofs and appends in a log with ten million leaves: `python -m tests.bench.proofs`.

The tiles are written directly, with pseudorandom leaf hashes. Only the leaves whose proofs are requested, and
those of the last, partial tile, are real. Every proof is checked against the root.
"""

import argparse
import hashlib
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import Progress

from kontor_games.domain.log_leaves import MatchLeaf
from kontor_games.domain.merkle import is_consistent, root_from_inclusion
from kontor_games.domain.tiles import WIDTH, TileTree, root_of_hashes
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Statement
from kontor_games.service.trust.log_store import Checkpoint, LogStore, checkpoint_row, leaf_row, tile_row

LEAVES = 10_000_000
PROOFS = 300
LONGEST_MS = 10.0
_HASH = 32
_TILES_AT_ONCE = 512
_DIFFERENT = 1000


def leaf_at(place: int) -> MatchLeaf:
    """The real leaf at a place of the log."""
    head = hashlib.sha256(place.to_bytes(8, "big")).hexdigest()
    return MatchLeaf(f"00000000-0000-4000-8000-{place:012x}", place % 500 + 1, head)


@dataclass
class BigLog:
    """A large log in its own database."""

    kontor: Kontor
    store: LogStore
    size: int
    places: list[int]
    root: str

    def inclusion(self, place: int) -> list[str]:
        """The inclusion proof of a leaf, after checking it."""
        proven = self.kontor.checkpoints.inclusion(leaf_at(place).match, self.size)
        assert root_from_inclusion(proven.leaf.hash, place, self.size, proven.proof) == self.root
        return proven.proof

    def consistency(self, earlier: int) -> list[str]:
        """The consistency proof from an earlier size."""
        return self.kontor.checkpoints.consistency(earlier, self.size)

    def is_grown_from(self, earlier: int, proof: list[str]) -> bool:
        """Whether a consistency proof from an earlier size is valid."""
        root = TileTree(self.store.tile, earlier).root
        return is_consistent(earlier, root, self.size, self.root, proof)

    def append(self, leaves: int) -> str:
        """Compute everything that appending this many leaves would write; return the new root."""
        return self.store.grown(self.size, [leaf_at(self.size + one) for one in range(leaves)])[0]


@cache
def _pseudorandom_tile(number: int) -> tuple[bytes, bytes]:
    """The pseudorandom hashes of a full tile, and their root."""
    hashes = hashlib.shake_128(number.to_bytes(8, "big")).digest(WIDTH * _HASH)
    return hashes, root_of_hashes(hashes)


def tiles_of_level_0(size: int, places: set[int]) -> Iterator[tuple[int, bytes, bytes]]:
    """Index, hashes and root of each full tile. Tiles without a real leaf repeat, which affects no proof."""
    real: dict[int, list[int]] = {}
    for place in places:
        real.setdefault(place // WIDTH, []).append(place)
    for index in range(size // WIDTH):
        tile, root = _pseudorandom_tile(index % _DIFFERENT)
        hashes = bytearray(tile)
        for place in real.get(index, ()):
            at = (place - index * WIDTH) * _HASH
            hashes[at : at + _HASH] = bytes.fromhex(leaf_at(place).hash)
        yield index, bytes(hashes), root_of_hashes(bytes(hashes)) if index in real else root


def write_tiles(kontor: Kontor, size: int, places: set[int], advance: Callable[[int], None]) -> None:
    """Write all full tiles of level 0, and those of the levels above."""
    level, upper, rows = 0, bytearray(), list[Statement]()
    for index, tile, root in tiles_of_level_0(size, places):
        rows.append(tile_row(0, index, tile))
        upper += root
        if len(rows) == _TILES_AT_ONCE:
            kontor.database.write(*rows)
            advance(len(rows) * WIDTH)
            rows.clear()
    kontor.database.write(*rows)
    while upper:
        level, hashes, upper = level + 1, bytes(upper), bytearray()
        tiles = [hashes[at : at + WIDTH * _HASH] for at in range(0, len(hashes), WIDTH * _HASH)]
        kontor.database.write(*(tile_row(level, index, tile) for index, tile in enumerate(tiles)))
        for tile in tiles:
            upper += root_of_hashes(tile) if len(tile) == WIDTH * _HASH else b""


@contextmanager
def big_log(size: int, leaves: int, advance: Callable[[int], None] = lambda _: None) -> Iterator[BigLog]:
    """A log of the given size, in which this many random leaves are real."""
    with tempfile.TemporaryDirectory() as folder:
        kontor = Kontor(
            Settings(database_url=f"sqlite:///{Path(folder)}/kontor.db", workers_in_process=False)
        )
        kontor.migrate()
        chosen = random.Random(7).sample(range(size), leaves)  # the same ones in every run
        tail = range(size // WIDTH * WIDTH, size)
        write_tiles(kontor, size, set(chosen), advance)
        kontor.database.write(*(leaf_row(place, leaf_at(place)) for place in sorted({*chosen, *tail})))
        store = LogStore(kontor.database)
        root = store.tree(size).root
        kontor.database.write(checkpoint_row(Checkpoint(size, root, 0, "", ""), 0))
        try:
            yield BigLog(kontor, store, size, chosen, root)
        finally:
            kontor.close()


def measured(work: Callable[[int], object], values: list[int]) -> tuple[list[float], list[float]]:
    """The CPU time and the elapsed time of each call, in milliseconds."""
    on_processor, on_clock = list[float](), list[float]()
    for value in values:
        start, wall = time.process_time(), time.perf_counter()
        work(value)
        on_processor.append((time.process_time() - start) * 1000)
        on_clock.append((time.perf_counter() - wall) * 1000)
    return sorted(on_processor), sorted(on_clock)


def memory_mb() -> float:
    """The peak memory of this process, in MB."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1024 * 1024 if sys.platform == "darwin" else 1024)


def main() -> None:
    """Print the times, and fail if the median proof takes too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leaves", type=int, default=LEAVES, help="the size of the log")
    leaves, screen = parser.parse_args().leaves, Console(width=140)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task("writing tiles", total=leaves)
        with big_log(leaves, PROOFS, lambda done: progress.advance(task, done)) as log:
            progress.stop()
            before = memory_mb()
            rows = {
                "inclusion proof": measured(log.inclusion, log.places),
                "consistency proof": measured(log.consistency, [place + 1 for place in log.places]),
                "append of 100 leaves": measured(log.append, [100] * 20),
            }
            grown = memory_mb() - before
    screen.print(f"{leaves:,} leaves, SQLite")
    for name, (busy, wall) in rows.items():
        figures = f"median {median(busy):6.2f} ms   99 % {busy[int(len(busy) * 0.99)]:6.2f} ms"
        screen.print(f"{name:22} {figures}   (elapsed: median {median(wall):6.2f} ms)   n = {len(busy)}")
    screen.print(f"memory grew by {grown:.1f} MB meanwhile")
    slow = [name for name in ("inclusion proof", "consistency proof") if median(rows[name][0]) > LONGEST_MS]
    if slow:
        sys.exit(f"slower than {LONGEST_MS} ms: {', '.join(slow)}")


if __name__ == "__main__":
    main()
