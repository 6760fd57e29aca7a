"""Memory of the real service under mixed play: `python -m tests.bench.soak --minutes 60`.

One process with SQLite, as `make serve` starts it, and clients of this machine: matches between players and
against house bots, pages of facts, exports, streams and long polls that are abandoned, unknown paths and
tokens. Each minute prints a line. The match cache is small, so that it is soon full; from then on the process
must not grow.
"""

import asyncio
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

import click

from kontor_games.domain.games import installed_games
from tests.bench.measures import seats_of
from tests.bench.scripts import ScriptedMatch, make_script
from tests.support.http_connection import HttpConnection, request
from tests.support.serving import Served, served

CACHE_BYTES = 8_000_000
_CLIENTS = 8
_MOVES = 60
"""Moves in each match; then its players leave it."""
_PAGE_BYTES = 4096
_BOTS = ("random", "greedy")


@dataclass(frozen=True)
class Minute:
    """What the process uses after a minute."""

    resident_mb: float
    cached_mb: float
    evicted: int
    threads: int
    files: int


class Soak:
    """The clients and what they have counted."""

    def __init__(self, server: Served, rate: float) -> None:
        """All clients together send `rate` requests per second."""
        self._server = server
        self._pause_s = _CLIENTS / rate
        self._numbers = count()
        self.statuses: Counter[int] = Counter()

    async def measure(self) -> Minute:
        """Read the memory of the process and its metrics."""
        worker = Path(f"/proc/{self._server.workers[0]}")
        connection = await HttpConnection.open(self._server.port)
        _, text = await connection.send(request("GET", "/metrics"))
        await connection.close()
        lines = [line.split(" ") for line in text.decode().splitlines() if not line.startswith("#")]
        metrics = {name.partition("{")[0]: float(value) for name, value, *_ in lines}
        pages = int((worker / "statm").read_text(encoding="ascii").split()[1])
        return Minute(
            pages * _PAGE_BYTES / 1e6,
            metrics["kontor_match_cache_bytes"] / 1e6,
            int(metrics["kontor_match_cache_evictions_total"]),
            *(len(list((worker / name).iterdir())) for name in ("task", "fd")),
        )

    async def play_on(self) -> None:
        """Play one match after the other."""
        while True:
            connection = await HttpConnection.open(self._server.port)
            number = next(self._numbers)
            with suppress(ConnectionError):
                await (self._play_bots if number % 4 == 3 else self._play_script)(connection, number)
            await connection.close()

    async def _send(self, connection: HttpConnection, sent: bytes) -> bytes:
        began = time.monotonic()
        status, answer = await connection.send(sent)
        self.statuses[status] += 1
        await asyncio.sleep(max(0.0, self._pause_s - (time.monotonic() - began)))
        return answer

    async def _tokens(self, connection: HttpConnection, number: int, seats: int) -> list[str]:
        names = [{"name": f"P {number}.{seat}"} for seat in range(seats)]
        return [(await connection.call("POST", "/v1/players", None, name))["token"] for name in names]

    async def _play_script(self, connection: HttpConnection, number: int) -> None:
        games = list(installed_games().values())
        game = games[number % len(games)]
        script = make_script(game, seats_of(game), f"soak {number}", most_facts=4 * _MOVES)
        tokens = await self._tokens(connection, number, script.seats)
        match = await ScriptedMatch.create(connection, script, tokens)
        for at, sent in enumerate(list(match.requests())[:_MOVES]):
            await self._send(connection, sent)
            await self._look(connection, Random(f"{number}.{at}").random(), match.id, tokens[0], at)

    async def _play_bots(self, connection: HttpConnection, number: int) -> None:
        game = list(installed_games().values())[number // 4 % 2]
        [token] = await self._tokens(connection, number, 1)
        others = [{"type": "bot", "bot": _BOTS[seat % 2]} for seat in range(seats_of(game) - 1)]
        body = {"game": game.id, "seats": [{"type": "me"}, *others]}
        made = await connection.call("POST", "/v1/matches", token, body)
        for at in range(_MOVES):
            await self._look(connection, Random(f"{number}.{at}").random(), made["id"], token, at)
            await self._send(connection, request("GET", f"/v1/matches/{made['id']}", token))
        await self._send(connection, request("DELETE", f"/v1/matches/{made['id']}/seats/me", token))

    async def _look(
        self, connection: HttpConnection, dice: float, match: str, token: str, number: int
    ) -> None:
        """Make one of the other calls of clients."""
        path = f"/v1/matches/{match}"
        if dice < 0.3:
            await self._send(connection, request("GET", path, token))
        elif dice < 0.5:
            await self._send(connection, request("GET", f"{path}/events?after={number}&tell=en", token))
        elif dice < 0.55:
            await self._send(connection, request("GET", "/v1/matches?limit=50", token))
        elif dice < 0.6:
            await self._send(connection, request("GET", f"/v1/nowhere/{match}/{number}"))
        elif dice < 0.65:
            await self._send(connection, request("GET", "/v1/me", f"kontor_{match[:24]}{number:025}"))
        elif dice < 0.68:
            await self._send(connection, request("GET", f"{path}/export", token))
        elif dice < 0.75:
            stream = request("GET", f"{path}/events", token, Accept="text/event-stream")
            await self._abandon(stream if dice < 0.70 else request("GET", "/v1/events?wait=30", token))

    async def _abandon(self, sent: bytes) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        writer.write(sent)
        await asyncio.sleep(self._pause_s)
        writer.close()


async def soak(server: Served, minutes: int, rate: float) -> list[Minute]:
    """Play for this many minutes; print a line after each."""
    running, measured = Soak(server, rate), []
    clients = [asyncio.create_task(running.play_on()) for _ in range(_CLIENTS)]
    for minute in range(minutes + 1):
        now = await running.measure()
        measured.append(now)
        total, failed = running.statuses.total(), sum(n for s, n in running.statuses.items() if s >= 500)
        click.echo(
            f"minute {minute:3}: {now.resident_mb:6.1f} MB resident, {now.cached_mb:5.1f} MB in the cache, "
            f"{now.evicted:5} evicted, {now.threads:3} threads, {now.files:3} files, "
            f"{total:6} answers, {failed} of them 5xx"
        )
        if minute < minutes:
            done, _ = await asyncio.wait(clients, timeout=60, return_when=asyncio.FIRST_EXCEPTION)
            for client in done:
                client.result()
    for client in clients:
        client.cancel()
    await asyncio.gather(*clients, return_exceptions=True)
    return measured


def growth(measured: list[Minute]) -> float:
    """Mean memory of the last quarter, divided by that of the second quarter, when the cache is full."""
    part = max(1, len(measured) // 4)
    early, late = measured[part : 2 * part], measured[-part:]
    return (sum(one.resident_mb for one in late) / len(late)) / (
        sum(one.resident_mb for one in early) / len(early)
    )


@click.command()
@click.option("--minutes", type=int, default=60, show_default=True, help="How long to play.")
@click.option("--rate", type=float, default=60, show_default=True, help="Requests per second.")
@click.option("--cache", type=int, default=CACHE_BYTES, show_default=True, help="KONTOR_CACHE_BYTES.")
def main(*, minutes: int, rate: float, cache: int) -> None:
    """Measure the memory of the real service under mixed play, minute by minute."""
    with tempfile.TemporaryDirectory(prefix="kontor-soak-") as folder:
        url, chosen = (
            f"sqlite:///{folder}/kontor.db",
            {"KONTOR_CACHE_BYTES": str(cache), "KONTOR_LOG_LEVEL": "error"},
        )
        with served(url, workers=1, environment=chosen) as server:
            measured = asyncio.run(soak(server, minutes, rate))
    click.echo(f"growth from the second to the last quarter: × {growth(measured):.3f}")


if __name__ == "__main__":
    main()
