"""The page in a browser, held against its targets: `make bench-page`.

Weight, time from a move's acknowledgement to the painted board, positions a second while the slider is
dragged, and how soon the last of a thousand spectators hears of a move. The CPU time of the page's own thread
for each position is the same on a busy machine, where the other times are longer.
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
from tests.bench.lanes import Machine
from tests.bench.measures import Bench
from tests.support.coroutines import run_coroutine
from tests.support.postgres import Cluster
from tests.support.serving import served
from tests.web.browser import Visitor, launched, visiting
from tests.web.matches import ApiPlayer

HEAVIEST_KB, SLOWEST_PAINT_MS, FEWEST_POSITIONS, LATEST_MS = 150.0, 100.0, 30.0, 250.0
SPECTATORS = 1000
LONG = 3000
"""Facts of the match that is dragged through."""
MOVES = ".move-buttons button:not([disabled])"
SCRIPT = (Path(__file__).parent / "page.js").read_text(encoding="utf-8")
MOST_CPU_MS = 1000 / FEWEST_POSITIONS
"""The thread of the page must be able to show so many positions a second."""
PATIENCE_S = 300.0


@dataclass(frozen=True)
class Figure:
    """What was measured, and what it must be."""

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
        """The figure in a table."""
        mark = "[green]✓[/]" if self.met else "[bold red]✗[/]"
        return (
            self.name,
            f"{self.value:,.1f} {self.unit}",
            f"{self.sign} {self.target:.3g} {self.unit} {mark}",
        )


def weigh(player: ApiPlayer, visitor: Visitor, address: str) -> float:
    """The files that the page needs at an address, in kB of gzip, without the drawings of games."""
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


def paint(page: Page, moves: int) -> float:
    """The median time from the acknowledgement of a move to the painted board, in ms."""
    page.locator("details.more summary").click()
    page.get_by_label("Confirm each move").uncheck()
    until = time.monotonic() + PATIENCE_S
    while page.evaluate("window.painted.length") < moves and time.monotonic() < until:
        if page.locator(".result").count():
            break
        page.evaluate("(moves) => document.querySelector(moves)?.click()", MOVES)
        page.wait_for_timeout(50)
    times: list[float] = page.evaluate("window.painted")
    return median(times)


@dataclass(frozen=True)
class Drag:
    """What was measured while the slider was dragged."""

    rate: float
    """Positions a second."""
    cpu_ms: float
    """CPU time of the page's thread for each position."""
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
    """The CPU time that the page's thread has used."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def long_match(ada: ApiPlayer, game: Game, facts: int) -> tuple[str, int]:
    """The longest of some matches between house bots, until one has so many facts."""
    best = ("", 0)
    for _ in range(6):
        match = ada.play_bot_match(game.id, bot="random", seats=max(game.rules().seat_counts))
        best = max(best, (match, int(ada.get(f"/v1/matches/{match}")["version"])), key=lambda one: one[1])
        if best[1] >= facts:
            break
    return best


def in_the_browser(browser: Browser, url: str, games: Sequence[Game], moves: int) -> list[Figure]:
    """What a browser measures."""
    ada, figures = ApiPlayer(url).register("Ada"), list[Figure]()
    for game in games:
        with visiting(browser, url) as visitor:
            visitor.context.add_init_script(SCRIPT)
            weight = weigh(ada, visitor, f"#/match/{ada.create_and_join(game.id)}")
            figures.append(Figure(f"{game.id}: weight without boards", weight, "kB", "≤", HEAVIEST_KB))
            painted = paint(visitor.page, moves)
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


def heard_by_all(game: Game, spectators: int) -> Figure:
    """How soon the last spectator of one match hears of a move."""
    with Cluster.temporary(durable=True) as cluster:
        url = cluster.fresh_database()
        with served(url, environment=MANY_STREAMS) as server:
            bench = Bench(Machine(server, cluster), url, 1.0, 1)
            final = run_coroutine(bench.final(game, spectators))
    heard = final.last_ms if final.heard == 5 * spectators else float("inf")
    return Figure(f"{spectators:,} spectators: the last has heard", heard, "ms", "≤", LATEST_MS)


def shown(figures: Sequence[Figure]) -> Table:
    """The figures with their targets."""
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
        figures = in_the_browser(launched(playwright), f"http://127.0.0.1:{server.port}", games, moves)
    if spectators:
        figures.append(heard_by_all(games[0], spectators))
    Console().print(shown(figures))
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > cores:
        click.echo(
            f"Others use this machine, too: {load:.0f} programs wait for {cores} cores, so times are longer."
        )


if __name__ == "__main__":
    main()
