"""Speed of `kontor simulate`: one plain process, several, and a Dask cluster on this machine.

All kinds play the same matches in the same run. The measure is the CPU time of all processes for each match,
since other programs share the cores. A loop with a journal alternates with a plain loop; two processes are
compared with two concurrent plain loops, because two busy cores are slower than one on most machines.
"""

import argparse
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from distributed import Client
from rich.console import Console
from rich.table import Table

from kontor_games.domain.games import installed_games
from kontor_games.service.arena import Contest, Journal, Outcome, Tally, outcomes
from kontor_games.service.arena.cluster import cluster_outcomes
from tests.support.serving import free_port

GAME = installed_games()["speicherstadt"]
TARGET = 0.9
PLAIN, TWO_PLAIN, JOURNAL = "plain process", "2 plain processes", "with a journal"
_SLICE = 100
"""How many matches are played before plain and journal change places."""


def contest_of(bots: str) -> Contest:
    rules = GAME.rules()
    return Contest(GAME.id, (bots,) * 4, "bench", rules.options(), rules.data)


def cpu_of(pid: int) -> float:
    """The CPU time of a process so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def dask(*words: str) -> Iterator[int]:
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def measure(play: Callable[[], Iterable[Outcome]], pids: Iterable[int] = ()) -> tuple[int, float, float]:
    """Matches, seconds and CPU seconds of a run; `pids` are processes that continue to run after it."""
    pids = tuple(pids)
    before = [cpu_of(pid) for pid in pids]
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    began, own = time.perf_counter(), time.process_time()
    tally = Tally(play())
    seconds, used = time.perf_counter() - began, time.process_time() - own
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    used += ended.ru_utime + ended.ru_stime - children.ru_utime - children.ru_stime
    used += sum(cpu_of(pid) - start for pid, start in zip(pids, before, strict=True))
    return tally.matches, seconds, used


def journalled(contest: Contest, numbers: range, journal: Journal) -> Iterator[Outcome]:
    for outcome in outcomes(contest, numbers.stop, first=numbers.start):
        journal.add(outcome)
        yield outcome


def one_process(contest: Contest, matches: int, path: Path) -> dict[str, tuple[int, float, float]]:
    """Measure a plain loop and the same with a journal, in turn: the speed of a core changes all the time."""
    sums = {PLAIN: (0, 0.0, 0.0), JOURNAL: (0, 0.0, 0.0)}
    with Journal(path, contest) as journal:
        for start in range(0, matches, _SLICE):
            numbers = range(start, min(matches, start + _SLICE))
            kinds: list[tuple[str, Callable[[], Iterable[Outcome]]]] = [
                (PLAIN, partial(map, contest.outcome, numbers)),
                (JOURNAL, partial(journalled, contest, numbers, journal)),
            ]
            for name, play in kinds if start // _SLICE % 2 else kinds[::-1]:
                sums[name] = _added(sums[name], measure(play))
    return sums


def _added(one: tuple[int, float, float], other: tuple[int, float, float]) -> tuple[int, float, float]:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _play(contest: Contest, first: int, matches: int) -> None:
    for number in range(first, matches, 2):
        contest.outcome(number)


def two_plain_processes(contest: Contest, matches: int) -> Iterator[Outcome]:
    """Two plain processes that share nothing, as a measure of two busy cores of this machine."""
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=_play, args=(contest, first, matches)) for first in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    sample = contest.outcome(0)
    return (sample for _ in range(matches))


def main() -> None:
    """Print the results as a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=6_000)
    options = parser.parse_args()
    contest, console = contest_of("random"), Console()
    list(outcomes(contest, 50))
    with ExitStack() as stack:
        port = str(free_port())
        address = f"tcp://127.0.0.1:{port}"
        at = ("--host", "127.0.0.1", "--no-dashboard")
        pids = [stack.enter_context(dask("scheduler", *at, "--port", port))]
        words = ("worker", address, *at, "--nthreads", "1", "--no-nanny")
        pids += [stack.enter_context(dask(*words)) for _ in range(2)]
        client = stack.enter_context(Client(address, timeout=60, set_as_default=False))
        client.wait_for_workers(2, timeout=120)
        list(cluster_outcomes(contest, 400, address))  # warm-up: load imports, rules and bots
        journal = Path(stack.enter_context(TemporaryDirectory())) / "run.ndjson"
        measured = one_process(contest, options.matches, journal)
        measured[TWO_PLAIN] = measure(lambda: two_plain_processes(contest, options.matches))
        measured["--jobs 2"] = measure(lambda: outcomes(contest, options.matches, 2))
        measured["--cluster, 2 workers"] = measure(
            lambda: cluster_outcomes(contest, options.matches, address), pids
        )
        table = Table("where", "matches/s", "CPU ms per match", "plain / this", "target", box=None)
        plain = 0.0
        for name, (matches, seconds, used) in measured.items():
            if name in {PLAIN, TWO_PLAIN}:
                plain = used
            ratio, verdict = plain / used, ""
            if name not in {PLAIN, TWO_PLAIN}:
                verdict = f"≥ {TARGET} {'✓' if ratio >= TARGET else '✗'}"
            table.add_row(
                name, f"{matches / seconds:,.0f}", f"{used / matches * 1e3:.2f}", f"{ratio:.2f}", verdict
            )
        console.print(table)


if __name__ == "__main__":
    main()
