"""Memory of one process in a simulated day of play: `python -m tests.bench.memory`.

Each simulated hour has new players, new matches, moves, pages of facts, unknown tokens and unknown paths. The
match cache is small, so that it is full after a few hours; from then on the process must not grow.
"""

import gc
import io
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import msgspec
import structlog
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from kontor_games.api import create_app
from kontor_games.domain.codec import Plain
from kontor_games.domain.games import installed_games
from kontor_games.service.kontor import Kontor
from kontor_games.service.metrics import resident_bytes
from kontor_games.service.settings import Settings
from tests.bench.measures import seats_of
from tests.bench.scripts import make_script

HOURS = 24
MOVES = 3600
"""Moves per hour: one per second."""
CACHE_BYTES = 8_000_000
WARM_UP = 6
"""After this many hours, the process must not grow any more."""
GROWTH_TARGET = 1.1
_HOUR_MS = 3_600_000
_MOVES_OF_A_MATCH = 150
_NOON = 1_795_000_000_000
_UNLIMITED = 1_000_000_000


@dataclass
class Day:
    """The memory of the process after each hour, in bytes."""

    resident: list[int] = field(default_factory=list)
    moves: int = 0

    @property
    def growth(self) -> float:
        """Growth after the warm-up: mean memory of the last hours, divided by that of the first hours."""
        later = self.resident[len(self.resident) * WARM_UP // HOURS :]
        part = max(1, len(later) // 4)
        return (sum(later[-part:]) / part) / (sum(later[:part]) / part)


class Clock:
    """A clock that the benchmark sets."""

    def __init__(self) -> None:
        self.now = _NOON

    def __call__(self) -> int:
        return self.now


class Caller:
    """Calls the application without a network."""

    def __init__(self, app: Any) -> None:
        self._app = app

    def call(self, method: str, path: str, token: str = "", body: Plain = None) -> tuple[int, Any]:
        """Status and JSON of an answer."""
        sent = b"" if body is None else msgspec.json.encode(body)
        path, _, query = path.partition("?")
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SCRIPT_NAME": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(sent)),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(sent),
            "wsgi.errors": sys.stderr,
            **({"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {}),
        }
        statuses: list[str] = []
        items = self._app(environ, lambda status, headers, exc_info=None: statuses.append(status))
        answer = b"".join(items)
        if hasattr(items, "close"):
            items.close()
        return int(statuses[-1][:3]), msgspec.json.decode(answer) if answer else None


def play(caller: Caller, hour: int, moves: int) -> Iterator[None]:
    """Make the moves of an hour, and some requests with unknown paths and tokens; yield after each move."""
    games, made, number = list(installed_games().values()), 0, 0
    while made < moves:
        game = games[number % len(games)]
        script = make_script(game, seats_of(game), f"day {hour} {number}", most_facts=4 * _MOVES_OF_A_MATCH)
        tokens = [
            caller.call("POST", "/v1/players", body={"name": f"P {n}"})[1]["token"]
            for n in range(script.seats)
        ]
        seats = [{"type": "me"}, *[{"type": "open"}] * (script.seats - 1)]
        body: Plain = {"game": game.id, "seats": seats, "options": script.options, "seed": script.seed}
        path = f"/v1/matches/{caller.call('POST', '/v1/matches', tokens[0], body)[1]['id']}"
        for token in tokens[1:]:
            caller.call("POST", f"{path}/seats", token, {})
        for seat, move in script.moves[:_MOVES_OF_A_MATCH]:
            status, answer = caller.call("POST", f"{path}/moves", tokens[seat], move)
            assert status == 201, answer
            made += 1
            if made % 20 == 0:
                caller.call("GET", f"{path}/events?after={made}", tokens[seat])
                caller.call("GET", f"/v1/nowhere/{hour}/{made}")
                caller.call("GET", "/v1/me", f"kontor_{hour:024}{made:025}")
            yield
        number += 1


def run(hours: int = HOURS, moves: int = MOVES) -> Day:
    """Play for this many simulated hours."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    day, clock = Day(), Clock()
    with tempfile.TemporaryDirectory(prefix="kontor-day-") as folder:
        limits: dict[str, Any] = {
            f"rate_limit_{kind}": _UNLIMITED for kind in ("read", "write", "move", "register")
        }
        quotas: dict[str, Any] = dict.fromkeys(
            ("accounts_per_hour", "open_matches", "running_matches"), _UNLIMITED
        )
        url = f"sqlite:///{Path(folder) / 'kontor.db'}"
        kontor = Kontor(Settings(database_url=url, cache_bytes=CACHE_BYTES, **limits, **quotas), clock)
        kontor.migrate()
        caller = Caller(create_app(kontor))
        gc.set_threshold(20_000, 20, 50)  # as in an API process
        for hour in range(hours):
            for _ in play(caller, hour, moves):
                clock.now += _HOUR_MS // moves
                day.moves += 1
            day.resident.append(resident_bytes())
        kontor.close()
    structlog.reset_defaults()
    return day


def table_of(day: Day) -> Table:
    """The results as a table."""
    table = Table(box=SIMPLE_HEAD, title=f"A day of play: {day.moves:,} moves", title_justify="left")
    table.add_column("after hour", style="bold")
    table.add_column("resident MB", justify="right")
    for hour, used in enumerate(day.resident, 1):
        table.add_row(str(hour), f"{used / 1e6:.1f}")
    met = "[green]✓[/]" if day.growth <= GROWTH_TARGET else "[bold red]✗[/]"
    table.add_row(f"growth after hour {WARM_UP}", f"× {day.growth:.3f} ≤ {GROWTH_TARGET} {met}")
    return table


@click.command()
@click.option("--hours", type=int, default=HOURS, show_default=True, help="Simulated hours.")
@click.option("--moves", type=int, default=MOVES, show_default=True, help="Moves per simulated hour.")
def main(*, hours: int, moves: int) -> None:
    """Measure how much the memory of a process grows in a simulated day of play."""
    day = run(hours, moves)
    Console(highlight=False, width=None if sys.stdout.isatty() else 120).print(table_of(day))
    sys.exit(0 if day.growth <= GROWTH_TARGET else 1)


if __name__ == "__main__":
    main()
