"""One client with four tokens makes calls that take much CPU time, inside its rate limits.

`python -m tests.attacks.dear_calls PORT SECONDS`, with the calls as JSON on standard input, is the attacker,
which runs in its own process: eight connections from 127.0.0.2, each of which sends the next call as soon as
the last one is answered.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from typing import Any
from uuid import uuid4

from kontor_games.domain.games import installed_games
from tests.attacks.attacked_service import LIMITED, AttackedService
from tests.attacks.hostile import ADDRESS
from tests.bench.measures import seats_of
from tests.bench.scripts import ScriptedMatch, make_script
from tests.support.coroutines import run_coroutine
from tests.support.http_connection import HttpConnection, request
from tests.support.serving import ROOT

DEAR_LIMITS = {**LIMITED, "KONTOR_RATE_LIMIT_WRITE": "300", "KONTOR_RUNNING_MATCHES": "200"}
"""The default limits of everything that the calls below count against."""
_TOKENS, _CONNECTIONS = 4, 8
_LANGUAGES = ("en", "de", "fr", "it", "es")
_PAUSE_S = 0.2
"""How long the attacker waits after a 429: it stays inside its limits."""

Call = tuple[str, str, Any]
"""Method, path and body of a call."""


class Target:
    """What the dear calls are about: a finished match of the attacker, and a tournament."""

    def __init__(self, tokens: list[str], match: ScriptedMatch, version: int, tournament: str) -> None:
        self.tokens = tokens
        self.path = f"/v1/matches/{match.id}"
        self.version = version
        self.tournament = f"/v1/tournaments/{tournament}"


async def _prepare(service: AttackedService) -> Target:
    connection = await HttpConnection.open(service.server.port)
    names = [{"name": f"Mallory {number}"} for number in range(5)]
    players = [(await connection.call("POST", "/v1/players", None, name))["token"] for name in names]
    another = {"label": "another", "scopes": ["play", "organise"]}
    tokens = [
        (await connection.call("POST", "/v1/tokens", players[0], another))["token"] for _ in range(_TOKENS)
    ]
    game = max(installed_games().values(), key=lambda game: game.id)
    match = await ScriptedMatch.create(connection, make_script(game, seats_of(game), "dear calls"), players)
    for sent in match.requests():
        await connection.send(sent)
    now = await connection.call("GET", f"/v1/matches/{match.id}", tokens[0])
    assert now["status"] == "finished"
    terms = {"title": "Cup", "game": game.id, "seats": seats_of(game)}
    made = await connection.call("POST", "/v1/tournaments", tokens[0], terms)
    await connection.close()
    return Target(tokens, match, now["version"], made["id"])


def prepare(service: AttackedService) -> Target:
    """Create the players, the match and the tournament of the attacker."""
    return run_coroutine(_prepare(service))


DEAR_CALLS: dict[str, Callable[[Target], list[Call]]] = {
    "replay ranges": lambda on: [
        ("GET", f"{on.path}/positions?from=1&limit=500&tell={language}", None) for language in _LANGUAGES
    ],
    "events with texts": lambda on: [
        ("GET", f"{on.path}/events?after=0&limit=1000&tell={language}", None) for language in _LANGUAGES
    ],
    "exports": lambda on: [("GET", f"{on.path}/export", None)],
    "old versions": lambda on: [
        ("GET", f"{on.path}?version={on.version - number}&tell={language}", None)
        for number in range(1, 20)
        for language in _LANGUAGES
    ],
    "branches": lambda on: [("POST", f"{on.path}/branches", {"version": on.version // 2})],
    "own tables": lambda on: [
        ("POST", f"{on.tournament}/rounds", {"tables": [[n, n + 1] for n in range(0, 7800, 2)]})
    ],
}
"""The calls of each attack."""


@contextmanager
def dear_calls(service: AttackedService, target: Target, kind: str, seconds: float) -> Iterator[Counter[int]]:
    """Make the calls of a kind until the block ends; afterwards, the yielded counter has their statuses."""
    calls = {"tokens": target.tokens, "calls": DEAR_CALLS[kind](target)}
    command = [sys.executable, "-m", "tests.attacks.dear_calls", str(service.server.port), str(seconds)]
    attacker = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    statuses = Counter[int]()
    assert attacker.stdin is not None
    assert attacker.stdout is not None
    try:
        attacker.stdin.write(json.dumps(calls) + "\n")
        attacker.stdin.flush()
        assert attacker.stdout.readline() == "ready\n", kind
        yield statuses
    finally:
        with suppress(BrokenPipeError):
            attacker.stdin.close()
        ended = attacker.stdout.read()
        attacker.stdout.close()
        attacker.wait()
        statuses.update({int(status): count for status, count in json.loads(ended or "{}").items()})


async def _attack(port: int, tokens: list[str], calls: list[Call], statuses: Counter[int]) -> None:
    ways, answered = cycle(enumerate(calls)), asyncio.Event()

    async def send_on(number: int) -> None:
        token = tokens[number % len(tokens)]
        while True:
            with suppress(OSError, ValueError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESS, 0))
                while True:
                    _, (method, path, body) = next(ways)
                    keys = {"Idempotency_Key": str(uuid4())} if method == "POST" else {}
                    writer.write(request(method, path, token, body, **keys))
                    status = await _read_answer(reader)
                    statuses[status] += 1
                    answered.set()
                    if status in (429, 503):
                        await asyncio.sleep(_PAUSE_S)
            await asyncio.sleep(_PAUSE_S)

    clients = [asyncio.create_task(send_on(number)) for number in range(_CONNECTIONS)]
    await answered.wait()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for client in clients:
        client.cancel()


async def _read_answer(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    lower = head.lower()
    if b"transfer-encoding: chunked" in lower:
        while await reader.readuntil(b"\r\n") != b"0\r\n":
            pass
        await reader.readuntil(b"\r\n")
    else:
        await reader.readexactly(int(lower.partition(b"content-length:")[2].partition(b"\r\n")[0] or 0))
    return int(head[9:12])


if __name__ == "__main__":
    _, given_port, given_seconds = sys.argv
    given = json.loads(sys.stdin.readline())
    counted: Counter[int] = Counter()
    began = time.monotonic()
    with suppress(TimeoutError):
        asyncio.run(
            asyncio.wait_for(
                _attack(int(given_port), given["tokens"], [tuple(call) for call in given["calls"]], counted),
                float(given_seconds),
            )
        )
    sys.stdout.write(json.dumps(counted) + "\n")
