"""Honest players beside hostile clients: how long do their moves take?"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from kontor_games.domain.games import installed_games
from tests.attacks.hostile import KINDS
from tests.bench.lanes import percentile
from tests.bench.scripts import Stage, rehearse
from tests.support.coroutines import run_coroutine
from tests.support.serving import ROOT, Served, served
from tests.support.wire import Wire

LIMITED = {
    "KONTOR_RATE_LIMIT_READ": "1200",
    "KONTOR_RATE_LIMIT_STREAM": "240",
    "KONTOR_CONNECTIONS_PER_ADDRESS": "1000",
    "KONTOR_STREAMS_PER_ADDRESS": "500",
    "KONTOR_STREAMS_PER_PLAYER": "50",
    "KONTOR_LOG_LEVEL": "error",
}
"""The limits as they are by default; moves are not limited, since there are few honest players here."""
_PATIENCE_S = 60.0


@dataclass(frozen=True)
class Moves:
    """How long the moves of honest players took, and what the service used of the processor meanwhile."""

    seconds: list[float]
    cpu: float

    @property
    def p50_ms(self) -> float:
        """The median."""
        return percentile(self.seconds, 0.5) * 1000

    @property
    def p99_ms(self) -> float:
        """All but the slowest hundredth."""
        return percentile(self.seconds, 0.99) * 1000


class Siege:
    """A service, its honest players, and a match that hostile clients can watch."""

    def __init__(self, server: Served) -> None:
        self.server = server
        self._game = next(iter(installed_games().values()))
        self._number = 0
        self.path, self.token = run_coroutine(self._open_match())

    async def _open_match(self) -> tuple[str, str]:
        """A match that waits for players: its streams and long polls wait as well."""
        wire = await Wire.open(self.server.port)
        token = (await wire.call("POST", "/v1/players", None, {"name": "Mallory"}))["token"]
        wish = {"game": self._game.id, "seats": [{"type": "me"}, {"type": "open"}, {"type": "open"}]}
        made = await wire.call("POST", "/v1/matches", token, wish)
        await wire.close()
        return f"/v1/matches/{made['id']}/events?after={made['version']}", token

    def play(self, moves: int) -> Moves:
        """Two honest players make so many moves, one after the other; each must be answered in time."""
        self._number += 1
        return run_coroutine(self._play(moves))

    async def _play(self, moves: int) -> Moves:
        wire = await Wire.open(self.server.port)
        names = [{"name": f"Player {self._number}.{seat}"} for seat in range(5)]
        tokens = [(await wire.call("POST", "/v1/players", None, name))["token"] for name in names]
        script = rehearse(
            self._game, min(self._game.rules().seat_counts), f"siege-{self._number}", most_facts=4 * moves
        )
        stage, seconds, cpu = await Stage.set_up(wire, script, tokens), [], self.server.cpu_seconds()
        for sent in list(stage.requests())[:moves]:
            began = time.perf_counter()
            status, body = await asyncio.wait_for(wire.ask(sent), _PATIENCE_S)
            assert status == 201, body
            seconds.append(time.perf_counter() - began)
        await wire.close()
        return Moves(seconds, self.server.cpu_seconds() - cpu)

    @contextmanager
    def attacked(self, kind: str, count: int, seconds: float, *, with_token: bool = False) -> Iterator[None]:
        """So many hostile clients of one kind, until the block ends or the time is over."""
        path, query = self.path.split("?")
        watched = self.path if kind == "streams" else path
        token = self.token if with_token else "-"
        arguments = [str(self.server.port), kind, str(count), str(seconds), watched, token]
        attacker = subprocess.Popen(
            [sys.executable, "-m", "tests.attacks.hostile", *arguments], cwd=ROOT, stdout=subprocess.PIPE
        )
        try:
            assert attacker.stdout is not None
            assert attacker.stdout.readline() == b"ready\n", (kind, query)
            yield
        finally:
            attacker.kill()
            attacker.communicate()


@contextmanager
def besieged(environment: Mapping[str, str] | None = None) -> Iterator[Siege]:
    """A service as `make serve` starts it: one process, SQLite."""
    with tempfile.TemporaryDirectory(prefix="kontor-siege-") as folder:
        url = f"sqlite:///{folder}/kontor.db"
        with served(url, workers=1, environment={**LIMITED, **(environment or {})}) as server:
            yield Siege(server)


__all__ = ["KINDS", "Moves", "Siege", "besieged"]
