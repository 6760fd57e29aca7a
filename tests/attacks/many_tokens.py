"""An attack through the proxy of deploy/: one player opens thousands of streams with many tokens.

The streams come from several addresses. `python -m tests.attacks.many_tokens PORT COUNT SECONDS PATH TOKEN…`
is the attacker, which runs in its own process.
"""

import asyncio
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path

from tests.attacks.attacked_service import LIMITED, AttackedService
from tests.attacks.hostile import http_request
from tests.support.coroutines import run_coroutine
from tests.support.http_connection import HttpConnection
from tests.support.proxy import proxy
from tests.support.serving import ROOT, served

PER_ADDRESS = 350
"""Connections of each hostile address; fewer than the proxy allows."""
_AT_ONCE = 200
_PAUSE_S = 1.0


@contextmanager
def attacked_service_behind_proxy(environment: Mapping[str, str] | None = None) -> Iterator[AttackedService]:
    """A service with one process on SQLite behind nginx; all clients use nginx."""
    with tempfile.TemporaryDirectory(prefix="kontor-proxied-") as folder:
        given = {**LIMITED, "KONTOR_TRUST_PROXY": "1", **(environment or {})}
        with (
            served(f"sqlite:///{folder}/kontor.db", workers=1, environment=given) as server,
            proxy(Path(folder), [server.port]) as url,
        ):
            server.port = int(url.rpartition(":")[2])
            server.wait_until_ready()
            yield AttackedService(server)


async def tokens_of(service: AttackedService, count: int) -> list[str]:
    """This many tokens of the hostile player."""
    connection = await HttpConnection.open(service.server.port)
    body = {"label": "another", "scopes": ["play"]}
    made = [
        (await connection.call("POST", "/v1/tokens", service.token, body))["token"] for _ in range(count - 1)
    ]
    await connection.close()
    return [service.token, *made]


@contextmanager
def attacked(service: AttackedService, streams: int, tokens: int, seconds: float) -> Iterator[None]:
    """Keep this many streams of one player open until the block ends or `seconds` have passed."""
    given = run_coroutine(tokens_of(service, tokens))
    arguments = [str(service.server.port), str(streams), str(seconds), service.path, *given]
    attacker = subprocess.Popen(
        [sys.executable, "-m", "tests.attacks.many_tokens", *arguments], cwd=ROOT, stdout=subprocess.PIPE
    )
    try:
        assert attacker.stdout is not None
        assert attacker.stdout.readline() == b"ready\n"
        yield
    finally:
        attacker.kill()
        attacker.communicate()


async def attack(port: int, count: int, seconds: float, path: str, tokens: list[str]) -> None:
    """Open all streams, print `ready`, and open each stream again when it ends."""
    until, gate, opened = time.monotonic() + seconds, asyncio.Semaphore(_AT_ONCE), asyncio.Semaphore(0)

    async def hold(number: int, token: str) -> None:
        address = f"127.0.1.{1 + number // PER_ADDRESS}"
        while time.monotonic() < until:
            with suppress(OSError):
                async with gate:
                    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
                    writer.write(http_request(path, token, "text/event-stream").encode())
                    await reader.read(4096)
                opened.release()
                while await reader.read(4096):
                    pass
                writer.close()
            await asyncio.sleep(_PAUSE_S)

    clients = [asyncio.create_task(hold(number, token)) for number, token in zip(range(count), cycle(tokens))]
    for _ in range(count):
        await opened.acquire()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.sleep(max(0.0, until - time.monotonic()))
    for client in clients:
        client.cancel()


if __name__ == "__main__":
    most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))
    _, given_port, given_count, given_seconds, given_path, *given_tokens = sys.argv
    asyncio.run(attack(int(given_port), int(given_count), float(given_seconds), given_path, given_tokens))
