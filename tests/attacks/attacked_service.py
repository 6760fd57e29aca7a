"""A service under attack, and how long the moves of honest players take meanwhile."""

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
from tests.bench.load import percentile
from tests.bench.scripts import ScriptedMatch, make_script
from tests.support.coroutines import run_coroutine
from tests.support.http_connection import HttpConnection
from tests.support.serving import ROOT, Served, served

LIMITED = {
    "KONTOR_RATE_LIMIT_READ": "1200",
    "KONTOR_RATE_LIMIT_STREAM": "240",
    "KONTOR_CONNECTIONS_PER_ADDRESS": "1000",
    "KONTOR_STREAMS_PER_ADDRESS": "500",
    "KONTOR_STREAMS_PER_PLAYER": "50",
    "KONTOR_LOG_LEVEL": "error",
}
"""The default limits, which `served` switches off; moves stay unlimited, since there are few players here."""
_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Moves:
    """How long each move of honest players took, and the CPU time that the service used, in seconds."""

    seconds: list[float]
    cpu: float

    @property
    def p50_ms(self) -> float:
        """The median."""
        return percentile(self.seconds, 0.5) * 1000

    @property
    def p99_ms(self) -> float:
        """The 99th percentile."""
        return percentile(self.seconds, 0.99) * 1000


class AttackedService:
    """A service, its honest players, and a match that hostile clients can watch."""

    def __init__(self, server: Served) -> None:
        self.server = server
        self._game = next(iter(installed_games().values()))
        self._number = 0
        self.path, self.token = run_coroutine(self._open_match())

    async def _open_match(self) -> tuple[str, str]:
        """Create a match with open seats, in which nothing happens, for streams and long polls to wait for.

        Return the path of its events and the token of the hostile player.
        """
        connection = await HttpConnection.open(self.server.port)
        token = (await connection.call("POST", "/v1/players", None, {"name": "Mallory"}))["token"]
        body = {"game": self._game.id, "seats": [{"type": "me"}, {"type": "open"}, {"type": "open"}]}
        made = await connection.call("POST", "/v1/matches", token, body)
        await connection.close()
        return f"/v1/matches/{made['id']}/events?after={made['version']}", token

    def play(self, moves: int) -> Moves:
        """Let honest players make this many moves, one after the other; each must be answered in time."""
        self._number += 1
        return run_coroutine(self._play(moves))

    async def _play(self, moves: int) -> Moves:
        connection = await HttpConnection.open(self.server.port)
        names = [{"name": f"Player {self._number}.{seat}"} for seat in range(5)]
        tokens = [(await connection.call("POST", "/v1/players", None, name))["token"] for name in names]
        script = make_script(
            self._game, min(self._game.rules().seat_counts), f"siege-{self._number}", most_facts=4 * moves
        )
        match, seconds, cpu = (
            await ScriptedMatch.create(connection, script, tokens),
            [],
            self.server.cpu_seconds(),
        )
        for sent in list(match.requests())[:moves]:
            began = time.perf_counter()
            status, body = await asyncio.wait_for(connection.send(sent), _TIMEOUT_S)
            assert status == 201, body
            seconds.append(time.perf_counter() - began)
        await connection.close()
        return Moves(seconds, self.server.cpu_seconds() - cpu)

    @contextmanager
    def attacked(self, kind: str, count: int, seconds: float, *, with_token: bool = False) -> Iterator[None]:
        """Run this many hostile clients of one kind until the block ends or `seconds` have passed."""
        path, query = self.path.split("?")
        target = self.path if kind == "streams" else path
        token = self.token if with_token else "-"
        arguments = [str(self.server.port), kind, str(count), str(seconds), target, token]
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
def attacked_service(environment: Mapping[str, str] | None = None) -> Iterator[AttackedService]:
    """A service as `make serve` starts it: one process, SQLite."""
    with tempfile.TemporaryDirectory(prefix="kontor-attacked-") as folder:
        url = f"sqlite:///{folder}/kontor.db"
        with served(url, workers=1, environment={**LIMITED, **(environment or {})}) as server:
            yield AttackedService(server)


__all__ = ["KINDS", "AttackedService", "Moves", "attacked_service"]
