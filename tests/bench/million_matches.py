"""Memory of `kontor simulate` from ten thousand to a million matches, with two workers and a journal.

The matches are of the toy game, since a million of them take minutes instead of hours; executor, journal and
statistics are the same for every game. At the end the journal is read again, as by a resumed run, and must
give the same statistics.
"""

import argparse
import gc
import multiprocessing
import os
import resource
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import track
from rich.table import Table

from kontor_games.service.arena import Contest, Journal, Outcome, Tally, outcomes
from tests.service.fair import GAME, FairgroundOptions, fairground

TARGET = 1.05
"""Memory after the last match, as a multiple of the memory after the first ten thousand."""
_FIRST = 10_000


def contest() -> Contest:
    chosen = FairgroundOptions(rounds=1)
    return Contest("fair", ("greedy", "random"), "million", chosen, GAME.data_sets[0], fairground)


def megabytes(pids: Iterable[int]) -> list[float]:
    """The resident memory of each process, in MB."""
    pages = [int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]) for pid in pids]
    return [count * resource.getpagesize() / 1e6 for count in pages]


def measured() -> list[float]:
    """The current memory of this process and of its workers, in MB."""
    gc.collect()
    workers = sorted(process.pid or 0 for process in multiprocessing.active_children())
    return megabytes([os.getpid(), *workers])


def journalled(toy_contest: Contest, matches: int, jobs: int, journal: Journal) -> Iterator[Outcome]:
    for outcome in outcomes(toy_contest, matches, jobs):
        journal.add(outcome)
        yield outcome


def marks(matches: int) -> list[int]:
    """The numbers of matches after which memory is measured: 10,000, 100,000 … and one just before the end.

    The workers end before the last outcomes are read, so there is nothing to measure at the very end.
    """
    powers = [_FIRST * 10**power for power in range(10)]
    last = matches - _FIRST // 10
    return [power for power in powers if power < last] + [last]


def run(matches: int, jobs: int, path: Path) -> tuple[dict[int, list[float]], Tally]:
    """Play and measure; return the memory at each mark, and the statistics."""
    toy_contest, at = contest(), set(marks(matches))
    found: dict[int, list[float]] = {}
    tally = Tally()
    with Journal(path, toy_contest) as journal:
        for outcome in track(journalled(toy_contest, matches, jobs, journal), "Playing", matches):
            tally.add(outcome)
            if tally.matches in at:
                found[tally.matches] = measured()
    return found, tally


def resumed(matches: int, path: Path) -> Tally:
    """The statistics that a resumed run reads from the journal."""
    with Journal(path, contest()) as journal:
        return Tally(journal.recorded(matches))


def main() -> None:
    """Print the memory of each process at each mark, and whether the journal gives the same statistics."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000_000, help="how many matches to play")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    options = parser.parse_args()
    began, console = time.perf_counter(), Console()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.ndjson"
        found, tally = run(options.matches, options.jobs, path)
        again = resumed(options.matches, path)
    first = next(iter(found.values()))
    table = Table(
        "matches", "main process", *(f"worker {n}" for n in range(1, len(first))), "growth", box=None
    )
    for played, memory in found.items():
        growth = max(now / then for now, then in zip(memory, first, strict=True))
        table.add_row(f"{played:,}", *(f"{one:.1f} MB" for one in memory), f"× {growth:.3f}")
    console.print(table)
    same = (again.by_bot_and_seat(), again.lengths()) == (tally.by_bot_and_seat(), tally.lengths())
    console.print(
        f"Target: ≤ × {TARGET} {'✓' if growth <= TARGET else '✗'}. "
        f"{options.matches:,} matches in {time.perf_counter() - began:,.0f} s; "
        f"the journal gives the same statistics: {'✓' if same else '✗'}."
    )


if __name__ == "__main__":
    main()
