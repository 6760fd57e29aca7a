"""`python -m tests.attacks`: how much thousands of hostile connections delay the moves of honest players."""

import sys
from collections.abc import Sequence

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from tests.attacks.attacked_service import KINDS, Moves, attacked_service
from tests.attacks.dear_calls import DEAR_CALLS, DEAR_LIMITS, dear_calls, prepare
from tests.attacks.many_tokens import attacked, attacked_service_behind_proxy
from tests.attacks.process_failures import measure

TARGET = 3.0
"""The p99 of moves during an attack may be at most this many times the p99 without it."""
TOKENS = 50


PATIENT, PROXY, PROCESS_FAILURES = "patient streams", "proxy", "dying"
"""Further values of `--kind`, besides the kinds of hostile clients.

Streams opened so slowly that no rate limit refuses them; streams of one player behind nginx; processes that
are killed or frozen."""


def add_row(table: Table, name: str, alone: Moves, attacked: Moves) -> bool:
    """Add the latencies without and during an attack; return whether the target is missed."""
    times = attacked.p99_ms / alone.p99_ms
    table.add_row(
        name,
        f"{attacked.p50_ms:.1f}",
        f"{attacked.p99_ms:.1f}",
        f"{alone.p99_ms:.1f}",
        f"× {times:.2f}",
        "[red]✗[/]" if times > TARGET else "[green]✓[/]",
        f"{attacked.cpu:.2f}",
    )
    return times > TARGET


def during_patient_streams(count: int, moves: int) -> tuple[Moves, Moves]:
    """Honest moves without and during an attack with streams that stay below the rate limit of streams.

    Opening them at 4.4 a second would take minutes, so the rate limit is switched off, and only the limit of
    streams per address applies.
    """
    with attacked_service({"KONTOR_RATE_LIMIT_STREAM": "1000000"}) as service:
        service.play(moves)
        alone = service.play(moves)
        with service.attacked("streams", count, 300):
            return alone, service.play(moves)


def behind_proxy(streams: int, moves: int) -> tuple[Moves, Moves]:
    """Honest moves through the proxy of deploy/, without and during the many streams of one player."""
    with attacked_service_behind_proxy() as service:
        service.play(moves)
        alone = service.play(moves)
        with attacked(service, streams, TOKENS, 300):
            return alone, service.play(moves)


def during_dear_calls(kinds: Sequence[str], moves: int, table: Table) -> list[bool]:
    """Honest moves without and during each kind of dear calls; one row and one result for each kind."""
    failed = []
    with attacked_service(DEAR_LIMITS) as service:
        target = prepare(service)
        service.play(moves)
        for kind in kinds:
            alone = service.play(moves)
            with dear_calls(service, target, kind, 300) as statuses:
                during = service.play(moves)
            answers = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
            failed.append(add_row(table, f"{kind} ({answers})", alone, during))
    return failed


def process_failure_table() -> tuple[Table, bool]:
    """The times until the service recovers from killed and frozen processes; whether one is too long."""
    table = Table(box=SIMPLE_HEAD, title="Processes that are killed or frozen")
    for heading in ("what", "seconds", "at most"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    measured = measure()
    for what, taken, most in measured:
        table.add_row(what, f"{taken:.1f}", f"{most:g}")
    return table, any(taken > most for _, taken, most in measured)


@click.command()
@click.option("--count", default=2000, show_default=True, help="Hostile connections of each kind.")
@click.option("--moves", default=300, show_default=True, help="Honest moves during each kind of attack.")
@click.option(
    "--kind",
    "only",
    multiple=True,
    help="Only this kind of attack (default: all); can be repeated.",
)
@click.option("--streams", default=7000, show_default=True, help="Streams of one player behind the proxy.")
def main(*, count: int, moves: int, only: tuple[str, ...], streams: int) -> None:
    """Attack a service with thousands of connections and measure the moves of honest players."""
    table = Table(box=SIMPLE_HEAD, title=f"Honest moves during {count:,} hostile connections of one address")
    for heading in ("attack", "p50 ms", "p99 ms", "alone p99 ms", "times", f"≤ {TARGET:g}", "CPU s"):
        table.add_column(heading, justify="left" if heading == "attack" else "right")
    wanted = only or (*KINDS, PATIENT, PROXY, *DEAR_CALLS, PROCESS_FAILURES)
    failed = [False]
    if set(wanted) & set(KINDS):
        with attacked_service() as service:
            service.play(moves)
            for kind in (kind for kind in wanted if kind in KINDS):
                for with_token in (False, True) if kind in ("streams", "long polls") else (False,):
                    alone = service.play(moves)
                    with service.attacked(kind, count, 300, with_token=with_token):
                        during = service.play(moves)
                    name = kind + (" of one player" if with_token else "")
                    failed.append(add_row(table, name, alone, during))
    if PATIENT in wanted:
        failed.append(add_row(table, PATIENT, *during_patient_streams(count, moves)))
    if PROXY in wanted:
        name = f"{streams:,} streams, {TOKENS} tokens of one player behind nginx"
        failed.append(add_row(table, name, *behind_proxy(streams, moves)))
    if dear := [kind for kind in wanted if kind in DEAR_CALLS]:
        failed += during_dear_calls(dear, moves, table)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    if table.row_count:
        console.print(table)
    if PROCESS_FAILURES in wanted:
        failures, late = process_failure_table()
        console.print(failures)
        failed.append(late)
    sys.exit(1 if any(failed) else 0)


if __name__ == "__main__":
    main()
