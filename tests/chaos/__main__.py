"""`python -m tests.chaos`: play for a while, kill what serves and what stores, and count what is missing."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click
import structlog
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from tests.chaos.failover import Drill, drill, drill_without_synchronous_commit
from tests.chaos.storm import Report, run

_SILENT = 50
"""Above the level of an error: damaged matches are counted in the tables; planted faults damage many."""


def table_of(report: Report) -> Table:
    """The counts for people."""
    return _counted(
        "Chaos: moves over HTTP on PostgreSQL while both are killed with SIGKILL",
        ("seconds, with the check afterwards", f"{report.seconds:.0f}"),
        ("serving processes killed", report.workers_killed),
        ("databases crashed", report.databases_crashed),
        ("matches · facts", f"{report.matches} · {report.facts:,}"),
        ("connections lost by clients", report.lost_connections),
        ("answers 503", report.unavailable),
        ("longest wait for one move, with retries", f"{report.longest_wait_s:.1f} s"),
        ("moves acknowledged · of these in batches", f"{report.acknowledged:,} · {report.batched:,}"),
        ("acknowledged moves missing", _bad(report.lost)),
        ("moves stored twice", _bad(report.doubled)),
        ("records with a gap, a fork or a wrong hash", _bad(len(report.broken))),
        ("other answers than success and 503", _bad(len(report.odd))),
    )


def fail_over_table(done: Drill) -> Table:
    """The counts of the fail-over drill for people."""
    return _counted(
        "Fail-over: the primary of PostgreSQL is killed under load, its synchronous replica takes over",
        ("seconds, with set-up and check", f"{done.report.seconds:.0f}"),
        ("fail-overs", done.fail_overs),
        ("longest pause after a promotion", f"{done.longest_pause_s:.1f} s"),
        ("moves acknowledged", f"{done.report.acknowledged:,}"),
        ("acknowledged moves missing", _bad(done.report.lost)),
        ("moves stored twice", _bad(done.report.doubled)),
        ("records with a gap, a fork or a wrong hash", _bad(len(done.report.broken))),
        ("other answers than success and 503", _bad(len(done.report.odd))),
        ("streams that went on with the new primary", done.watched),
        ("streams with a gap or a repetition", _bad(len(done.torn))),
    )


def _counted(title: str, *rows: tuple[str, object]) -> Table:
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("what")
    table.add_column("count", justify="right")
    for name, value in rows:
        table.add_row(name, str(value))
    return table


def _bad(count: int) -> str:
    return f"[bold red]{count}[/]" if count else "[green]0[/]"


@click.command()
@click.option("--seconds", type=float, default=60.0, show_default=True, help="How long to play.")
@click.option("--tables", type=int, default=16, show_default=True, help="Matches at a time.")
@click.option("--seed", type=int, default=1, show_default=True, help="When what is killed.")
@click.option(
    "--json",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the counts into this file.",
)
@click.option(
    "--fail-overs", type=int, default=5, show_default=True, help="Primaries that die with a replica behind."
)
def main(*, seconds: float, tables: int, seed: int, target: Path | None, fail_overs: int) -> None:
    """Kill servers and databases in the middle of play and count what is lost."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(_SILENT))
    report = run(seconds, tables, seed)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    console.print(table_of(report))
    for fault in [*report.broken, *report.odd][:10]:
        console.print(fault, markup=False)
    if target:
        target.write_text(json.dumps(asdict(report), indent=2) + "\n", encoding="utf-8")
    good = report.good
    if fail_overs:
        done = drill(tables, fail_overs)
        console.print(fail_over_table(done))
        planted = drill_without_synchronous_commit(tables)
        console.print(
            "The same with an asynchronous replica, a planted fault: "
            f"{planted.lost} of {planted.acknowledged} acknowledged moves are missing, "
            f"{'and that is found' if planted.lost else 'but NOT found'}."
        )
        good = good and done.good and planted.lost > 0
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
