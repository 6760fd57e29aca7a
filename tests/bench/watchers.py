"""Thousands of watchers of one match on one process: `python -m tests.bench.watchers --count 5000`.

The service is as `make serve` starts it, one process on SQLite, but with room for so many streams
(KONTOR_STREAMS) and without limits for one address: here all watchers come from one.
"""

import resource
import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console

from kontor_games.domain.games import installed_games
from tests.bench.lanes import Machine
from tests.bench.measures import Bench, Final
from tests.support.coroutines import run_coroutine
from tests.support.serving import Served, served

COUNT, MOVES = 5000, 5
_SPARE_FILES = 100


def resident_mb(server: Served) -> float:
    """The memory of the serving processes."""
    pages = sum(
        int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) for pid in server.workers
    )
    return pages * resource.getpagesize() / 1e6


def raise_file_limit(count: int) -> None:
    """Allow this process a socket for each watcher, or end with a sentence."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + _SPARE_FILES
    if hard != resource.RLIM_INFINITY and hard < wanted:
        sys.exit(
            f"{count:,} watchers need {wanted:,} open files, and the system allows "
            f"{hard:,}: see `ulimit -Hn`."
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def run(count: int) -> tuple[Final, float, float]:
    """What the watchers heard of some moves, and the memory in MB before they came and while they watched."""
    with tempfile.TemporaryDirectory(prefix="kontor-watched-") as folder:
        url = f"sqlite:///{folder}/kontor.db"
        with served(url, workers=1, environment={"KONTOR_STREAMS": str(2 * count)}) as server:
            used = [resident_mb(server)]
            final = run_coroutine(_watch(Bench(Machine(server, None), url, 0, 0), count, used))
            return final, used[0], used[-1]


async def _watch(bench: Bench, count: int, used: list[float]) -> Final:
    game = next(iter(installed_games().values()))
    try:
        return await bench.final(game, count, lambda: used.append(resident_mb(bench.machine.server)))
    finally:
        await bench.close()


@click.command()
@click.option("--count", default=COUNT, show_default=True, help="Watchers of one match.")
def main(*, count: int) -> None:
    """Let many clients watch one match, and count what they hear of five moves."""
    raise_file_limit(count)
    final, before, with_all = run(count)
    Console(highlight=False).print(
        f"{final.let_in:,} of {count:,} watchers let in; {final.heard:,} of {MOVES * count:,} events heard, "
        f"half of them within {final.p50_ms:.0f} ms, 99 % within {final.p99_ms:.0f} ms, "
        f"the last of a move after {final.last_ms:.0f} ms (median). "
        f"Memory of the process: {before:.0f} → {with_all:.0f} MB, "
        f"{(with_all - before) / count * 1000:.1f} kB a watcher."
    )
    sys.exit(0 if final.let_in == count and final.heard == MOVES * count else 1)


if __name__ == "__main__":
    main()
