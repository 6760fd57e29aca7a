"""`python -m tests.simulation`: play many simulated runs, or replay one of them (docs/virtual-time.md)."""

import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import process_time

import click
import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tests.simulation.journal import Journal, program_digest
from tests.simulation.world import MOVES, Report, World, replay


@dataclass
class Totals:
    """The results of many runs."""

    runs: int = 0
    moves: int = 0
    acknowledged: int = 0
    matches: int = 0
    audited: int = 0
    checks: int = 0
    virtual_s: float = 0.0
    cpu_s: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    violations: dict[int, str] = field(default_factory=dict)
    """The violations that were found, by seed."""

    def add(self, report: Report) -> None:
        self.runs += 1
        for name in ("moves", "acknowledged", "matches", "audited", "checks", "virtual_s", "cpu_s"):
            setattr(self, name, getattr(self, name) + getattr(report, name))
        self.counts.update(report.counts)
        if report.violation is not None:
            self.violations[report.seed] = report.violation


def play_many(
    moves: int, first_seed: int, jobs: int, console: Console, journal: Journal | None = None
) -> Totals:
    """Play runs with one seed after another until this many moves are stored; skip runs in the journal."""
    totals, known = Totals(), set[int]()
    for report in journal.finished() if journal is not None else ():
        known.add(report.seed)
        totals.add(report)
    if known:
        console.print(f"{totals.moves:,} moves of {len(known):,} runs are in the journal")
    seeds = (seed for seed in count(first_seed) if seed not in known)
    columns = TextColumn("moves"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("moves", total=moves)
        for report in _finished_runs(moves - totals.moves, seeds, jobs):
            totals.add(report)
            if journal is not None:
                journal.add(report)
            progress.update(bar, completed=min(moves, totals.moves))
            if not console.is_terminal:
                console.print(f"{totals.moves:,} moves · {len(totals.violations)} violations")
    return totals


def _finished_runs(moves: int, seeds: Iterator[int], jobs: int) -> Iterator[Report]:
    """Play the runs of these seeds in parallel until they have this many moves; yield them as they end."""
    running: set[Future[Report]] = set()
    with ProcessPoolExecutor(jobs) as pool:
        while moves > 0 or running:
            while moves > 0 and len(running) < jobs:
                running.add(pool.submit(replay, next(seeds)))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for one in done:
                moves -= one.result().moves
                yield one.result()


def table_of(totals: Totals) -> Table:
    """The results as a table."""
    table = Table(
        box=SIMPLE_HEAD,
        title="Simulation: three processes and their clients on virtual time",
        title_justify="left",
    )
    table.add_column("what")
    table.add_column("count", justify="right")
    speed = totals.moves / totals.cpu_s if totals.cpu_s else 0
    rows: list[tuple[str, object]] = [
        ("runs, each with its own seed", f"{totals.runs:,}"),
        ("moves stored · acknowledged to players", f"{totals.moves:,} · {totals.acknowledged:,}"),
        ("matches · audited", f"{totals.matches:,} · {totals.audited:,}"),
        ("answers and events compared with the store", f"{totals.checks:,}"),
        (
            "virtual hours · CPU minutes · moves per CPU second",
            f"{totals.virtual_s / 3600:.1f} · {totals.cpu_s / 60:.1f} · {speed:.0f}",
        ),
        *((what, f"{number:,}") for what, number in sorted(totals.counts.items())),
        ("violations", f"[bold red]{len(totals.violations)}[/]" if totals.violations else "[green]0[/]"),
    ]
    for name, value in rows:
        table.add_row(name, str(value))
    return table


def show_one(seed: int, moves: int, *, trace: bool, console: Console) -> bool:
    """Play one run; print its trace or only the end of it, and the violation if there is one."""
    world = World(seed)
    if trace:
        world.report_line = lambda line: console.print(line, markup=False, soft_wrap=True)
    began = process_time()
    report = world.run(moves)
    report.cpu_s = process_time() - began
    if report.violation is not None and not trace:
        for line in report.last_lines[-40:]:
            console.print(line, markup=False, soft_wrap=True)
    totals = Totals()
    totals.add(report)
    console.print(table_of(totals))
    console.print(f"seed {seed} · trace {report.trace}", soft_wrap=True)
    if report.violation is not None:
        console.print(f"Violation: {report.violation}", markup=False, soft_wrap=True)
    return report.violation is None


@click.command()
@click.option(
    "--moves", type=click.IntRange(1), default=None, help="How many moves to play; with --seed, in that run."
)
@click.option("--seed", type=int, default=None, help="Replay the run with this seed.")
@click.option(
    "--first-seed", type=int, default=1, show_default=True, help="The seed of the first of many runs."
)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Concurrent runs.")
@click.option(
    "--journal",
    "journal_path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write finished runs into this file, and continue the series in it if the program is the same.",
)
@click.option("--trace", is_flag=True, help="With --seed: print the whole trace, not only its end.")
@click.option(
    "--json",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the counts into this file.",
)
def main(
    *,
    moves: int | None,
    seed: int | None,
    first_seed: int,
    jobs: int,
    journal_path: Path | None,
    trace: bool,
    target: Path | None,
) -> None:
    """Simulate the service with faults; check that nothing is lost, duplicated, wrong or revealed."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    if seed is not None:
        sys.exit(0 if show_one(seed, moves or MOVES, trace=trace, console=console) else 1)
    with Journal(journal_path, MOVES, program_digest()) if journal_path else nullcontext() as journal:
        totals = play_many(moves or 1_000_000, first_seed, jobs, console, journal)
    console.print(table_of(totals))
    for found, what in list(totals.violations.items())[:10]:
        console.print(f"seed {found}: {what}", markup=False, soft_wrap=True)
        console.print(f"  replay: python -m tests.simulation --seed {found}", markup=False)
    if target:
        target.write_bytes(msgspec.json.format(msgspec.json.encode(totals)) + b"\n")
    sys.exit(1 if totals.violations else 0)


if __name__ == "__main__":
    main()
