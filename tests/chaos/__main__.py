"""`python -m tests.chaos`: play while API processes and databases are killed, then count lost moves."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click
import structlog
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from tests.chaos.failover import FailOverResults, run_drill, run_drill_without_synchronous_commit
from tests.chaos.faults import Report, run

_SILENT = 50
"""A log level above `error`: the tables count damaged matches already, and planted faults damage many."""


def table_of(report: Report) -> Table:
    """The results as a table."""
    return _counted(
        "Chaos: moves over HTTP, while API processes and PostgreSQL are killed with SIGKILL",
        ("seconds, including the check afterwards", f"{report.seconds:.0f}"),
        ("serving processes killed", report.workers_killed),
        ("databases crashed", report.databases_crashed),
        ("matches · facts", f"{report.matches} · {report.facts:,}"),
        ("connections lost by clients", report.lost_connections),
        ("503 answers", report.unavailable),
        ("longest wait for one move, including retries", f"{report.longest_wait_s:.1f} s"),
        ("moves acknowledged · of these in batches", f"{report.acknowledged:,} · {report.batched:,}"),
        ("acknowledged moves missing", _bad(report.lost)),
        ("moves stored twice", _bad(report.duplicated)),
        ("records with a gap, a fork or a wrong hash", _bad(len(report.broken))),
        ("answers other than success and 503", _bad(len(report.unexpected))),
    )


def fail_over_table(done: FailOverResults) -> Table:
    """The results of the fail-over drill as a table."""
    return _counted(
        "Fail-over: the primary of PostgreSQL is killed under load, its synchronous replica takes over",
        ("seconds, including set-up and check", f"{done.report.seconds:.0f}"),
        ("fail-overs", done.fail_overs),
        ("longest pause after a promotion", f"{done.longest_pause_s:.1f} s"),
        ("moves acknowledged", f"{done.report.acknowledged:,}"),
        ("acknowledged moves missing", _bad(done.report.lost)),
        ("moves stored twice", _bad(done.report.duplicated)),
        ("records with a gap, a fork or a wrong hash", _bad(len(done.report.broken))),
        ("answers other than success and 503", _bad(len(done.report.unexpected))),
        ("streams that continued with the new primary", done.continued_streams),
        ("streams with a gap or a repetition", _bad(len(done.streams_with_gaps))),
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
@click.option("--tables", type=int, default=16, show_default=True, help="Concurrent tables.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides what is killed when.")
@click.option(
    "--json",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the counts into this file.",
)
@click.option(
    "--fail-overs",
    type=int,
    default=5,
    show_default=True,
    help="How many fail-overs to a replica; 0 skips them.",
)
def main(*, seconds: float, tables: int, seed: int, target: Path | None, fail_overs: int) -> None:
    """Kill API processes and databases during play, and count lost moves."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(_SILENT))
    report = run(seconds, tables, seed)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    console.print(table_of(report))
    for fault in [*report.broken, *report.unexpected][:10]:
        console.print(fault, markup=False)
    if target:
        target.write_text(json.dumps(asdict(report), indent=2) + "\n", encoding="utf-8")
    good = report.good
    if fail_overs:
        done = run_drill(tables, fail_overs)
        console.print(fail_over_table(done))
        planted = run_drill_without_synchronous_commit(tables)
        console.print(
            "The same with an asynchronous replica, a planted fault: "
            f"{planted.lost} of {planted.acknowledged} acknowledged moves are missing, "
            f"{'as expected' if planted.lost else 'but some should be: the check does not work'}."
        )
        good = good and done.good and planted.lost > 0
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
