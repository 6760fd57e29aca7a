"""A minimal HTTP/1.1 client with little overhead: one connection; requests and answers are bytes."""

import asyncio
from typing import Any

import msgspec

Answer = tuple[int, bytes]


def request(method: str, path: str, token: str | None = None, body: Any = None, **headers: str) -> bytes:
    """The bytes of a request; underscores in the names of `headers` stand for hyphens."""
    sent = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(sent)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + sent


class _Protocol(asyncio.Protocol):
    """Assembles each answer from the pieces that arrive."""

    def __init__(self) -> None:
        self.waiting: asyncio.Future[Answer] | None = None
        self._data = b""

    def data_received(self, data: bytes) -> None:
        self._data = self._data + data if self._data else data
        end = self._data.find(b"\r\n\r\n")
        if end < 0 or self.waiting is None or self.waiting.done():
            return
        size = _length(self._data[:end])
        if len(self._data) < end + 4 + size:
            return
        body = self._data[end + 4 : end + 4 + size]
        status = int(self._data[9:12])
        self._data = self._data[end + 4 + size :]
        self.waiting.set_result((status, body))

    def connection_lost(self, exc: Exception | None) -> None:
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_exception(exc or ConnectionResetError("the server closed the connection"))


def _length(head: bytes) -> int:
    """The Content-Length of the body. Only streams are chunked, and these are not read with this class."""
    lower = head.lower()
    at = lower.find(b"content-length:")
    return 0 if at < 0 else int(lower[at + 15 :].split(b"\r\n", 1)[0])


class HttpConnection:
    """A connection that sends one request at a time."""

    def __init__(self, transport: asyncio.Transport, protocol: _Protocol) -> None:
        self._transport = transport
        self._protocol = protocol

    @classmethod
    async def open(cls, port: int) -> "HttpConnection":
        """Connect to a port of this machine."""
        return cls(*await asyncio.get_running_loop().create_connection(_Protocol, "127.0.0.1", port))

    async def send(self, sent: bytes) -> Answer:
        """Send a request and wait for its answer; raise ConnectionError if the connection is closed."""
        if self._transport.is_closing():
            raise ConnectionResetError("the server closed the connection")
        self._protocol.waiting = asyncio.get_running_loop().create_future()
        self._transport.write(sent)
        return await self._protocol.waiting

    async def call(
        self, method: str, path: str, token: str | None = None, body: Any = None, **headers: str
    ) -> Any:
        """Send a request and return the JSON of its answer; raise RuntimeError unless it succeeds."""
        status, answer = await self.send(request(method, path, token, body, **headers))
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {answer.decode(errors='replace')[:500]}")
        return msgspec.json.decode(answer)

    async def close(self) -> None:
        """Close the connection."""
        self._transport.abort()
        await asyncio.sleep(0)
