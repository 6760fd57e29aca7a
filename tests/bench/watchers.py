"""Thousands of watchers of one match in one process: `python -m tests.bench.watchers --count 5000`.

The service is started as by `make serve`, with one process on SQLite, but with KONTOR_STREAMS raised and
without limits per address, since all watchers have the same address.
"""

import resource
import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console

from kontor_games.domain.games import installed_games
from tests.bench.load import Machine
from tests.bench.measures import Bench, WatchedMatch
from tests.support.coroutines import run_coroutine
from tests.support.serving import Served, served

COUNT, MOVES = 5000, 5
_SPARE_FILES = 100


def resident_mb(server: Served) -> float:
    """The resident memory of the serving processes, in MB."""
    pages = sum(
        int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) for pid in server.workers
    )
    return pages * resource.getpagesize() / 1e6


def raise_file_limit(count: int) -> None:
    """Allow this process a socket for each watcher; exit with a message if the system forbids it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + _SPARE_FILES
    if hard != resource.RLIM_INFINITY and hard < wanted:
        sys.exit(
            f"{count:,} watchers need {wanted:,} open files, but the system allows only "
            f"{hard:,}: see `ulimit -Hn`."
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def run(count: int) -> tuple[WatchedMatch, float, float]:
    """The delays of the events, and the memory in MB before the watchers connected and after the moves."""
    with tempfile.TemporaryDirectory(prefix="kontor-watched-") as folder:
        url = f"sqlite:///{folder}/kontor.db"
        with served(url, workers=1, environment={"KONTOR_STREAMS": str(2 * count)}) as server:
            used = [resident_mb(server)]
            watched = run_coroutine(_watch(Bench(Machine(server, None), url, 0, 0), count, used))
            return watched, used[0], used[-1]


async def _watch(bench: Bench, count: int, used: list[float]) -> WatchedMatch:
    game = next(iter(installed_games().values()))
    try:
        return await bench.watched_match(game, count, lambda: used.append(resident_mb(bench.machine.server)))
    finally:
        await bench.close()


@click.command()
@click.option("--count", default=COUNT, show_default=True, help="Watchers of one match.")
def main(*, count: int) -> None:
    """Let many clients watch one match, and measure when they receive the events of five moves."""
    raise_file_limit(count)
    watched, before, with_all = run(count)
    Console(highlight=False).print(
        f"{watched.connected:,} of {count:,} watchers connected; "
        f"{watched.received:,} of {MOVES * count:,} events received, "
        f"half of them within {watched.p50_ms:.0f} ms, 99 % within {watched.p99_ms:.0f} ms, "
        f"the last event of a move after {watched.last_ms:.0f} ms (median). "
        f"Memory of the process: {before:.0f} → {with_all:.0f} MB, "
        f"{(with_all - before) / count * 1000:.1f} kB per watcher."
    )
    sys.exit(0 if watched.connected == count and watched.received == MOVES * count else 1)


if __name__ == "__main__":
    main()
