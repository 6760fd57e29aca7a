"""Benchmark of the page in a browser: `make bench-page`.

It measures the size of the files, the time from the acknowledgement of a move to the painted board, positions
per second while the slider is dragged, and the delay until the last of a thousand spectators gets an event.
On a busy machine all times are longer, except the CPU time of the page's thread for each position.
"""

import gzip
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import click
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from rich.console import Console
from rich.table import Table

from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from tests.bench.http import MANY_STREAMS
from tests.bench.load import Machine
from tests.bench.measures import Bench
from tests.support.coroutines import run_coroutine
from tests.support.postgres import Cluster
from tests.support.serving import served
from tests.web.browser import Visitor, launched, visiting
from tests.web.matches import ApiPlayer

HEAVIEST_KB, SLOWEST_PAINT_MS, FEWEST_POSITIONS, LATEST_MS = 150.0, 100.0, 30.0, 250.0
SPECTATORS = 1000
LONG = 3000
"""How many facts the match has through which the slider is dragged."""
MOVES = ".move-buttons button:not([disabled])"
SCRIPT = (Path(__file__).parent / "page.js").read_text(encoding="utf-8")
MOST_CPU_MS = 1000 / FEWEST_POSITIONS
"""The CPU time per position with which the page's thread can show `FEWEST_POSITIONS` a second."""
TIMEOUT_S = 300.0


@dataclass(frozen=True)
class Figure:
    """A measured value with its target."""

    name: str
    value: float
    unit: str
    sign: str
    target: float

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        return self.value >= self.target if self.sign == "≥" else self.value <= self.target

    @property
    def row(self) -> tuple[str, str, str]:
        """The cells of the figure in a table."""
        mark = "[green]✓[/]" if self.met else "[bold red]✗[/]"
        return (
            self.name,
            f"{self.value:,.1f} {self.unit}",
            f"{self.sign} {self.target:.3g} {self.unit} {mark}",
        )


def files_kb(player: ApiPlayer, visitor: Visitor, address: str) -> float:
    """The size of all files that the page loads at an address, gzipped, in kB, without files of games."""
    bodies: dict[str, bytes] = {}
    visitor.page.on(
        "response",
        lambda answer: bodies.update({answer.url: answer.body()}) if "/web/" in answer.url else None,
    )
    player.open_page(visitor, address)
    visitor.page.locator(".board").wait_for()
    visitor.page.wait_for_timeout(1000)
    own = [body for url, body in bodies.items() if "/games/" not in url]
    return sum(len(gzip.compress(body, 9)) for body in own) / 1000


def paint_ms(page: Page, moves: int) -> float:
    """The median time from the acknowledgement of a move to the painted board, in ms."""
    page.locator("details.more summary", has_text="More").click()
    page.get_by_label("Confirm moves").select_option("none")
    until = time.monotonic() + TIMEOUT_S
    while page.evaluate("window.painted.length") < moves and time.monotonic() < until:
        if page.locator(".result").count():
            break
        page.evaluate("(moves) => document.querySelector(moves)?.click()", MOVES)
        page.wait_for_timeout(50)
    times: list[float] = page.evaluate("window.painted")
    return median(times)


@dataclass(frozen=True)
class Drag:
    """The results of dragging the slider."""

    rate: float
    """Positions per second."""
    cpu_ms: float
    """The CPU time of the page's thread for each position."""
    positions: int
    """How many positions the match has."""


def drag(page: Page, positions: int) -> Drag:
    """Drag the slider from one end to the other."""
    page.wait_for_function("() => document.querySelector('.graph') !== null")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = busy_s(session)
    done = page.evaluate("(most) => window.drag(most)", positions)
    cpu_ms = 1000 * (busy_s(session) - before) / done["positions"]
    return Drag(done["positions"] / done["seconds"], cpu_ms, done["of"])


def busy_s(session: CDPSession) -> float:
    """The CPU time that the page's thread has used, in seconds."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def long_match(ada: ApiPlayer, game: Game, facts: int) -> tuple[str, int]:
    """Play up to six matches between house bots until one has this many facts; return the longest."""
    best = ("", 0)
    for _ in range(6):
        match = ada.play_bot_match(game.id, bot="random", seats=max(game.rules().seat_counts))
        best = max(best, (match, int(ada.get(f"/v1/matches/{match}")["version"])), key=lambda one: one[1])
        if best[1] >= facts:
            break
    return best


def measure_in_browser(browser: Browser, url: str, games: Sequence[Game], moves: int) -> list[Figure]:
    """All measurements that need a browser."""
    ada, figures = ApiPlayer(url).register("Ada"), list[Figure]()
    for game in games:
        with visiting(browser, url) as visitor:
            visitor.context.add_init_script(SCRIPT)
            weight = files_kb(ada, visitor, f"#/match/{ada.create_and_join(game.id)}")
            figures.append(Figure(f"{game.id}: weight without boards", weight, "kB", "≤", HEAVIEST_KB))
            painted = paint_ms(visitor.page, moves)
            figures.append(
                Figure(f"{game.id}: acknowledged to painted, median", painted, "ms", "≤", SLOWEST_PAINT_MS)
            )
            match, facts = long_match(ada, game, LONG)
            page = visitor.open(f"#/match/{match}/replay")
            dragged = drag(page, 10 * moves)
            name = f"{game.id}: slider through {dragged.positions:,} positions, {facts:,} facts"
            figures.append(Figure(name, dragged.rate, "positions/s", "≥", FEWEST_POSITIONS))
            figures.append(
                Figure(f"{game.id}: CPU for each position", dragged.cpu_ms, "ms", "≤", MOST_CPU_MS)
            )
    return figures


def last_event(game: Game, spectators: int) -> Figure:
    """The delay from a move until the last spectator of a match gets its event."""
    with Cluster.temporary(durable=True) as cluster:
        url = cluster.fresh_database()
        with served(url, environment=MANY_STREAMS) as server:
            bench = Bench(Machine(server, cluster), url, 1.0, 1)
            watched = run_coroutine(bench.watched_match(game, spectators))
    delay = watched.last_ms if watched.received == 5 * spectators else float("inf")
    return Figure(f"{spectators:,} spectators: last event received", delay, "ms", "≤", LATEST_MS)


def shown(figures: Sequence[Figure]) -> Table:
    """The results as a table."""
    table = Table("figure", "measured", "target", title="The page", title_justify="left")
    for figure in figures:
        table.add_row(*figure.row)
    return table


@click.command()
@click.option("--moves", default=40, show_default=True, help="Moves of each game that are timed.")
@click.option(
    "--spectators", default=SPECTATORS, show_default=True, help="Spectators of one match; 0 for none."
)
def main(moves: int, spectators: int) -> None:
    """Measure the page in a browser and print a table with targets."""
    games = list(installed_games().values())
    with (
        TemporaryDirectory() as folder,
        served(f"sqlite:///{folder}/kontor.db", workers=1) as server,
        sync_playwright() as playwright,
    ):
        figures = measure_in_browser(launched(playwright), f"http://127.0.0.1:{server.port}", games, moves)
    if spectators:
        figures.append(last_event(games[0], spectators))
    Console().print(shown(figures))
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > cores:
        click.echo(
            f"The machine is busy ({load:.0f} processes on {cores} cores), so times are longer than usual."
        )


if __name__ == "__main__":
    main()
