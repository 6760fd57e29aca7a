"""Benchmark of durable moves over HTTP: `python -m tests.bench.http`.

gunicorn with two processes, PostgreSQL with fsync, and this client run on one machine. Matches are scripted
beforehand, so that the client computes nothing and one round trip is one decision. Slots of moves alternate
with slots of the ceiling: the same application answering a constant after one raw INSERT. So changes in the
speed of the machine affect both alike.
"""

import json
import os
import platform
import sys
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path

import click
import psycopg
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from tests.bench.load import Machine
from tests.bench.measures import BatchThroughput, Bench, Growth, Storage, Throughput, Waiting, WatchedMatch
from tests.bench.peer import served_peer
from tests.bench.wsgi import TABLE
from tests.support.coroutines import run_coroutine
from tests.support.postgres import Cluster
from tests.support.serving import served

APPLICATION = "tests.bench.wsgi:create_app()"
AT_ONCE = (1, 16, 64)
TOGETHER = 64
"""How many matches have their moves sent in batches."""
WAITING = 1000
MANY_STREAMS = {"KONTOR_STREAMS": "20000"}
RATE_TARGET, CEILING_TARGET, SERVED_TARGET = 500.0, 0.8, 1.3
TOGETHER_TARGET, PEER_TARGET = 2500.0, 1.0
GROWTH_TARGET, BYTES_TARGET = 1.1, 1000.0
TIMES_TARGET, WAKE_UP_TARGET = 2.0, 250.0


@dataclass
class Figures:
    """All results of the benchmark."""

    throughput: list[Throughput] = field(default_factory=list)
    storage: list[Storage] = field(default_factory=list)
    together: list[BatchThroughput] = field(default_factory=list)
    growth: Growth | None = None
    waiting: Waiting | None = None
    watched_matches: list[WatchedMatch] = field(default_factory=list)


async def measure(
    bench: Bench, games: list[Game], at_once: tuple[int, ...], clients: int, together: int, peer: int
) -> Figures:
    """Take all measurements, one after the other."""
    figures = Figures()
    try:
        for game in games:
            if together:
                figures.together += [
                    await bench.batch_throughput(game, together, peer, brief=brief) for brief in (False, True)
                ]
            figures.throughput += [await bench.throughput(game, count) for count in at_once]
            figures.storage.append(await bench.storage(game))
        if clients:
            figures.growth = await bench.growth()
            figures.waiting = await bench.waiting(games[0], clients)
            figures.watched_matches = [
                await bench.watched_match(games[0], watchers) for watchers in (clients, 5 * clients)
            ]
    finally:
        await bench.close()
    return figures


def run(
    games: list[Game],
    seconds: float,
    repeats: int,
    *,
    at_once: tuple[int, ...] = AT_ONCE,
    clients: int = WAITING,
    together: int = TOGETHER,
    peer: bool = True,
    worker: str = "",
) -> Figures:
    """Start a database, a server and, if requested, boardgame.io, and measure them."""
    options = ("-k", worker, "--worker-connections", "2000") if worker else ()
    with Cluster.temporary(durable=True) as cluster:
        url = cluster.fresh_database()
        with psycopg.connect(url) as connection:
            connection.execute(TABLE)
        with (
            served(url, application=APPLICATION, options=options, environment=MANY_STREAMS) as server,
            served_peer() if peer and together else nullcontext(0) as port,
        ):
            bench = Bench(Machine(server, cluster), url, seconds, repeats)
            return run_coroutine(measure(bench, games, at_once, clients, together, port))


def verdict(value: float, target: float, sign: str) -> str:
    """The target, and a mark whether the value meets it."""
    met = value >= target if sign == "≥" else value <= target
    return f"{sign} {target:g} " + ("[green]✓[/]" if met else "[bold red]✗[/]")


def tables_of(figures: Figures) -> list[Table]:
    """The results as tables."""
    rates = _table(
        "Durable moves over HTTP, 2 processes, PostgreSQL with fsync",
        "game",
        "matches at once",
        "moves/s",
        "target",
        "p50 ms",
        "p99 ms",
    )
    for heading in (
        "ceiling/s",
        "of ceiling",
        "of its CPU",
        "target",
        "CPU ms a move: served",
        "target",
        "stored",
        "client",
    ):
        rates.add_column(heading, justify="right")
    for one in figures.throughput:
        judged = one.matches == 16
        rates.add_row(
            one.game,
            str(one.matches),
            f"{one.moves_per_second:,.0f}",
            verdict(one.moves_per_second, RATE_TARGET, "≥") if judged else "",
            f"{one.p50_ms:.1f}",
            f"{one.p99_ms:.1f}",
            f"{one.ceiling_per_second:,.0f}",
            f"{one.of_ceiling:.0%}",
            f"{one.of_ceiling_cpu:.0%}",
            verdict(one.of_ceiling, CEILING_TARGET, "≥") if judged else "",
            f"{one.served_cpu_ms:.2f}",
            verdict(one.served_cpu_ms, SERVED_TARGET, "≤") if judged else "",
            f"{one.stored_cpu_ms:.2f}",
            f"{one.client_cpu_ms:.2f}",
        )
    return [rates, _together(figures), _others(figures)]


def _together(figures: Figures) -> Table:
    table = _table(
        "Durable moves of many matches in one request, compared with boardgame.io in memory",
        "game",
        *("answers", "matches", "moves/s", "target", "moves a request", "boardgame.io/s", "times", "target"),
        *("CPU ms a move: served", "stored", "client"),
    )
    for one in figures.together:
        table.add_row(
            one.game,
            "brief" if one.brief else "whole",
            str(one.matches),
            f"{one.moves_per_second:,.0f}",
            verdict(one.moves_per_second, TOGETHER_TARGET, "≥"),
            f"{one.moves_per_request:.1f}",
            f"{one.peer_per_second:,.0f}",
            f"{one.of_peer:.2f}",
            verdict(one.of_peer, PEER_TARGET, "≥") if one.of_peer else "",
            f"{one.served_cpu_ms:.2f}",
            f"{one.stored_cpu_ms:.2f}",
            f"{one.client_cpu_ms:.2f}",
        )
    return table


def _others(figures: Figures) -> Table:
    table = _table("", "what", "value", "target")
    for stored in figures.storage:
        table.add_row(
            f"{stored.game}: bytes stored a move",
            f"{stored.bytes_per_move:,.0f}",
            verdict(stored.bytes_per_move, BYTES_TARGET, "≤"),
        )
        table.add_row(
            f"{stored.game}: bytes of write-ahead log a move", f"{stored.wal_bytes_per_move:,.0f}", ""
        )
    if grown := figures.growth:
        name = f"{grown.game}: first → last 20 moves of {grown.facts:,} facts"
        table.add_row(
            name,
            f"{grown.first_ms:.2f} → {grown.last_ms:.2f} ms = × {grown.growth:.2f}",
            verdict(grown.growth, GROWTH_TARGET, "≤"),
        )
    if waiting := figures.waiting:
        name = f"p99 of moves without → with {waiting.connected:,} waiting clients"
        table.add_row(
            name,
            f"{waiting.p99_alone_ms:.1f} → {waiting.p99_ms:.1f} ms = × {waiting.times:.2f}",
            verdict(waiting.times, TIMES_TARGET, "≤"),
        )
        table.add_row("wake-up p50", f"{waiting.wake_up_p50_ms:.1f} ms", "")
        table.add_row(
            "wake-up p99",
            f"{waiting.wake_up_p99_ms:.1f} ms",
            verdict(waiting.wake_up_p99_ms, WAKE_UP_TARGET, "≤"),
        )
    for watched in figures.watched_matches:
        name = f"{watched.watchers:,} watchers of one match: connected, events received"
        complete = watched.connected == watched.watchers and watched.received == 5 * watched.watchers
        table.add_row(
            name,
            f"{watched.connected:,}, {watched.received:,}",
            "[green]✓[/]" if complete else "[bold red]✗[/]",
        )
        has_target = watched.watchers <= WAITING
        table.add_row(
            f"{watched.watchers:,} watchers of one match: p50, p99, the last",
            f"{watched.p50_ms:.0f}, {watched.p99_ms:.0f}, {watched.last_ms:.0f} ms",
            verdict(watched.last_ms, WAKE_UP_TARGET, "≤") if has_target else "",
        )
    return table


def _table(title: str, first: str, *others: str) -> Table:
    table = Table(box=SIMPLE_HEAD, title=title or None, title_justify="left")
    table.add_column(first, style="bold")
    for heading in others:
        table.add_column(heading, justify="right")
    return table


def written(figures: Figures, seconds: float, repeats: int) -> str:
    """The results as JSON, with a description of the machine."""
    machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
    return (
        json.dumps(
            {"machine": machine, "slot_seconds": seconds, "slots": repeats, **asdict(figures)}, indent=2
        )
        + "\n"
    )


@click.command()
@click.option("--seconds", type=float, default=1.0, show_default=True, help="How long one slot lasts.")
@click.option(
    "--repeats", type=int, default=9, show_default=True, help="How many slots of each kind to measure."
)
@click.option("--game", "only", multiple=True, help="Measure only this game; can be repeated.")
@click.option(
    "--matches",
    "at_once",
    type=int,
    multiple=True,
    default=AT_ONCE,
    show_default=True,
    help="Concurrent matches; can be repeated.",
)
@click.option(
    "--waiting",
    type=int,
    default=WAITING,
    show_default=True,
    help="Clients that wait for events; 0 skips this and the long match.",
)
@click.option(
    "--together",
    type=int,
    default=TOGETHER,
    show_default=True,
    help="Matches whose moves are sent in batches; 0 skips this.",
)
@click.option("--peer/--no-peer", default=True, show_default=True, help="Compare with boardgame.io.")
@click.option("--worker-class", default="", help="Worker class of gunicorn, in place of ours.")
@click.option(
    "--json",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the results into this file.",
)
def main(
    *,
    seconds: float,
    repeats: int,
    only: tuple[str, ...],
    at_once: tuple[int, ...],
    waiting: int,
    together: int,
    peer: bool,
    worker_class: str,
    target: Path | None,
) -> None:
    """Measure durable moves per second over HTTP, compared with the ceiling of the same stack."""
    games = [game for name, game in installed_games().items() if not only or name in only]
    figures = run(
        games,
        seconds,
        repeats,
        at_once=at_once,
        clients=waiting,
        together=together,
        peer=peer,
        worker=worker_class,
    )
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
    for table in tables_of(figures):
        console.print(table)
    if target:
        target.write_text(written(figures, seconds, repeats), encoding="utf-8")
        console.print(f"Written to {target}.")


if __name__ == "__main__":
    main()
