"""Hostile clients in their own process: `python -m tests.attacks.hostile PORT KIND COUNT SECONDS PATH TOKEN`.

All of them come from one address, 127.0.0.2, so that honest clients have another one. A client whose
connection is closed connects again. The process prints `ready` when each client has connected once, and ends
after SECONDS.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

ADDRESS = "127.0.0.2"
_PAUSE_S = 1.0
_AT_ONCE = 100
_POST = (
    "POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20000\r\n\r\n{"
)
_GET = "GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nAccept: {accept}\r\n\r\n"

Sent = AsyncIterator[bytes]


async def _send_once(text: str) -> Sent:
    yield text.encode()


async def _send_slowly(text: str) -> Sent:
    for byte in text.encode():
        yield bytes([byte])
        await asyncio.sleep(1)


async def _send_repeatedly(text: str) -> Sent:
    while True:
        yield text.encode()
        await asyncio.sleep(2)


def http_request(path: str, token: str, accept: str) -> str:
    """A GET request, with or without a token."""
    request = _GET.format(path=path, token=token, accept=accept)
    return request if token else request.replace("Authorization: Bearer \r\n", "")


KINDS: dict[str, Callable[[str, str], Sent]] = {
    "idle": lambda path, token: _send_once(""),
    "half head": lambda path, token: _send_once("GET /v1/games HTTP/1.1\r\nHost: x\r\nA: "),
    "slow head": lambda path, token: _send_slowly("GET /v1/games HTTP/1.1\r\nHost: x\r\nA: " + "a" * 4000),
    "half body": lambda path, token: _send_once(_POST + "a" * 100),
    "slow body": lambda path, token: _send_slowly(_POST),
    "keep-alive": lambda path, token: _send_repeatedly(http_request("/v1/games", token, "*/*")),
    "long head": lambda path, token: _send_once("GET / HTTP/1.1\r\nExpect:" + " " * 32_000 + "a\rb\r\n\r\n"),
    "streams": lambda path, token: _send_once(http_request(path, token, "text/event-stream")),
    "long polls": lambda path, token: _send_once(
        http_request(path + "?after=0&wait=60", token, "application/json")
    ),
    "slow readers": lambda path, token: _send_once(http_request("/openapi.json", token, "*/*") * 20),
    "tls": lambda path, token: _send_once("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
}
"""What each kind of client sends."""


async def _attack(port: int, kind: str, path: str, token: str, connected: asyncio.Semaphore) -> None:
    """Connect, send, and keep the connection until the service closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESS, 0), limit=4096)
    connected.release()
    reading = (
        asyncio.create_task(_read(reader))
        if kind != "slow readers"
        else asyncio.create_task(_wait_until_closed(writer))
    )
    with suppress(OSError):
        async for data in KINDS[kind](path, token):
            writer.write(data)
            await writer.drain()
    await reading
    writer.close()


async def _read(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(4096):
            pass


async def _wait_until_closed(writer: asyncio.StreamWriter) -> None:
    while not writer.transport.is_closing():
        await asyncio.sleep(_PAUSE_S)


async def attack(port: int, kind: str, count: int, seconds: float, path: str, token: str) -> None:
    """Run this many clients for `seconds`."""
    until, connected, gate = time.monotonic() + seconds, asyncio.Semaphore(0), asyncio.Semaphore(_AT_ONCE)

    async def attack_repeatedly() -> None:
        while time.monotonic() < until:
            async with gate:
                await asyncio.sleep(0)
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + until - time.monotonic()):
                    await _attack(port, kind, path, token, connected)
            await asyncio.sleep(_PAUSE_S)

    clients = [asyncio.create_task(attack_repeatedly()) for _ in range(count)]
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            for _ in range(count):
                await connected.acquire()
            sys.stdout.write("ready\n")
            sys.stdout.flush()
    await asyncio.gather(*clients)


if __name__ == "__main__":
    _, given_port, given_kind, given_count, given_seconds, given_path, given_token = sys.argv
    asyncio.run(
        attack(
            int(given_port),
            given_kind,
            int(given_count),
            float(given_seconds),
            given_path,
            given_token.strip("-"),
        )
    )
