"""What matches full of searching bots cost others: `python -m tests.bench.searching_bots`.

The service runs as by `kontor serve`, on SQLite. Phases with and without 50 matches of searching bots
alternate, so that whatever else the machine does falls on both. In each phase one player makes paced moves in
matches with `greedy`, each of which is awaited by a long poll, and the clocks of other matches run out.
"""

import http.client
import json
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from tests.bench.load import percentile
from tests.support.serving import served

_GAME, _LEVEL = "speicherstadt", "search:3"
_CLOCK_MS = 1000
_LIMIT = 1.2
_START_S = 8.0
"""Until the processes of the bots run, and the matches are dealt."""


@dataclass
class Delays:
    """What was measured in the phases of one kind, in milliseconds."""

    moves: list[float] = field(default_factory=list)
    wake_ups: list[float] = field(default_factory=list)
    clocks: list[float] = field(default_factory=list)


class Client:
    """A player with one connection."""

    def __init__(self, port: int, name: str = "") -> None:
        self._port = port
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._token = ""
        if name:
            self._token = self.send("POST", "/v1/players", {"name": name})["token"]

    def again(self) -> "Client":
        """The same player on another connection."""
        other = Client(self._port)
        other._token = self._token
        return other

    def send(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._connection.getresponse()
        content = json.loads(answer.read())
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {content}")
        return content

    def received_at(self, path: str) -> float:
        """When the answer to a long poll arrived."""
        self.send("GET", path)
        return time.monotonic()


def paced_moves(ada: Client, until: float, delays: Delays) -> None:
    """Make about ten moves a second, and measure each, and the long poll that waits for it."""
    waiter = ada.again()
    seats = [{"type": "me"}, {"type": "bot", "bot": "greedy"}]
    with ThreadPoolExecutor(1) as pool:
        match = ada.send("POST", "/v1/matches", {"game": _GAME, "seats": seats})
        while time.monotonic() < until:
            if match["status"] != "running":
                match = ada.send("POST", "/v1/matches", {"game": _GAME, "seats": seats})
            path = f"/v1/matches/{match['id']}"
            if not match["legal_moves"]:
                match = ada.send("GET", path)
                time.sleep(0.02)
                continue
            events = f"{path}/events?after={match['version']}&wait=20"
            waiting = pool.submit(waiter.received_at, events)
            time.sleep(0.1)
            began = time.monotonic()
            try:
                match = ada.send("POST", f"{path}/moves", match["legal_moves"][0])
            except RuntimeError:
                match = ada.send("GET", path)  # the bot moved first
                continue
            delays.moves.append((time.monotonic() - began) * 1000)
            delays.wake_ups.append((waiting.result() - began) * 1000)


def expiring_clocks(ada: Client, until: float, delays: Delays) -> None:
    """Let the clock of one match after the other run out, and measure how late that is recorded."""
    seats = [{"type": "me"}, {"type": "bot", "bot": "greedy"}]
    clock = {"kind": "per_move", "ms": _CLOCK_MS}
    while time.monotonic() < until:
        body = {"game": _GAME, "seats": seats, "clock": clock, "on_timeout": "forfeit"}
        match = ada.send("POST", "/v1/matches", body)
        path, moved = f"/v1/matches/{match['id']}", match
        while not moved["to_act"] or moved["to_act"][0] != 0:
            moved = ada.send("GET", path)
        due = moved["clock"]["seats"][0]["deadline"]
        time.sleep(_CLOCK_MS / 1000)
        while (found := ada.send("GET", path))["status"] == "running":
            time.sleep(0.01)
        recorded = datetime.fromisoformat(found["at"]).timestamp()
        delays.clocks.append((recorded - datetime.fromisoformat(due).timestamp()) * 1000)


def phase(seconds: float, count: int, delays: Delays) -> None:
    """Measure a new service, on which as many matches of searching bots are played."""
    with (
        tempfile.TemporaryDirectory(prefix="kontor-bots-") as folder,
        served(f"sqlite:///{folder}/kontor.db", workers=1) as server,
    ):
        ada = Client(server.port, "Ada")
        seats = [{"type": "bot", "bot": _LEVEL}] * 4
        for _ in range(count):
            ada.send("POST", "/v1/matches", {"game": _GAME, "seats": seats})
        time.sleep(_START_S)
        until = time.monotonic() + seconds
        work = (paced_moves, expiring_clocks)
        with ThreadPoolExecutor(len(work)) as pool:
            for running in [pool.submit(one, ada.again(), until, delays) for one in work]:
                running.result()
        busy = ada.send("GET", "/v1/matches?status=running&limit=200")["matches"]
        if count and len(busy) < count / 2:
            raise RuntimeError("most matches of searching bots had ended: measure for a shorter time")


@click.command()
@click.option("--phases", default=3, show_default=True, help="Phases of each kind.")
@click.option("--seconds", default=20.0, show_default=True, help="Seconds of each phase.")
@click.option("--matches", default=50, show_default=True, help="Matches of searching bots.")
def main(*, phases: int, seconds: float, matches: int) -> None:
    """Compare the delays of others with and without matches full of searching bots."""
    without, with_bots = Delays(), Delays()
    for _ in range(phases):
        phase(seconds, 0, without)
        phase(seconds, matches, with_bots)
    table, holds = Table("delay of others, ms", "number", "p50", "p50 with", "p99", "p99 with", "ratio"), True
    for name in ("moves", "wake_ups", "clocks"):
        one, other = getattr(without, name), getattr(with_bots, name)
        p99, p99_with = percentile(one, 0.99), percentile(other, 0.99)
        holds = holds and p99_with <= _LIMIT * p99
        values = (percentile(one, 0.5), percentile(other, 0.5), p99, p99_with)
        table.add_row(name, str(len(one)), *(f"{value:.1f}" for value in values), f"{p99_with / p99:.2f}")
    Console(highlight=False).print(table)
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
