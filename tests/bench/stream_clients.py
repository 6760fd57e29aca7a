"""Clients that wait for events: any number of connections, each with one endless stream."""

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.support.http_connection import request

_ID = re.compile(rb"id: (\d+)")


class StreamClient(asyncio.Protocol):
    """One waiting client; records when each version arrives."""

    def __init__(self, match_id: str, version: int) -> None:
        self.match_id = match_id
        self._sent = request(
            "GET", f"/v1/matches/{match_id}/events?after={version}", Accept="text/event-stream"
        )
        self._transport: asyncio.Transport | None = None
        self.connected: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.arrivals: list[tuple[int, float]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._sent)

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        if not self.connected.done():
            self.connected.set_result(data[9:12] == b"200")
        self.arrivals += [(int(version), now) for version in _ID.findall(data)]

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.connected.done():
            self.connected.set_result(False)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def delays(self, versions: Sequence[int], sent_at: Sequence[float]) -> list[float]:
        """The delay from each move to the arrival of its last fact, without moves whose fact is missing."""
        came = dict(self.arrivals)
        return [
            came[version] - sent for version, sent in zip(versions, sent_at, strict=False) if version in came
        ]


@dataclass
class StreamClients:
    """Any number of waiting clients."""

    port: int
    clients: list[StreamClient] = field(default_factory=list)

    async def join(self, match_id: str, version: int) -> StreamClient:
        """Connect one more client."""
        _, client = await asyncio.get_running_loop().create_connection(
            lambda: StreamClient(match_id, version), "127.0.0.1", self.port
        )
        self.clients.append(client)
        return client

    async def connected(self) -> int:
        """Wait until all clients are answered; return how many have a stream."""
        return sum(await asyncio.gather(*[asyncio.wait_for(client.connected, 60) for client in self.clients]))

    async def leave(self) -> None:
        """Disconnect all clients."""
        for client in self.clients:
            client.close()
        self.clients.clear()
        await asyncio.sleep(0.2)
