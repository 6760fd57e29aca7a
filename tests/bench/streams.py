"""Clients that wait for events: any number of connections, each with a request for a stream without end."""

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.support.http_connection import request

_ID = re.compile(rb"id: (\d+)")


class Waiter(asyncio.Protocol):
    """One waiting client. It notes when which version comes."""

    def __init__(self, match_id: str, version: int) -> None:
        self.match_id = match_id
        self._sent = request(
            "GET", f"/v1/matches/{match_id}/events?after={version}", Accept="text/event-stream"
        )
        self._transport: asyncio.Transport | None = None
        self.let_in: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.arrivals: list[tuple[int, float]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._sent)

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        if not self.let_in.done():
            self.let_in.set_result(data[9:12] == b"200")
        self.arrivals += [(int(version), now) for version in _ID.findall(data)]

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.let_in.done():
            self.let_in.set_result(False)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def delays(self, versions: Sequence[int], sent_at: Sequence[float]) -> list[float]:
        """How long after each move its last fact came; a move whose fact did not come is left out."""
        came = dict(self.arrivals)
        return [
            came[version] - sent for version, sent in zip(versions, sent_at, strict=False) if version in came
        ]


@dataclass
class Crowd:
    """All waiting clients."""

    port: int
    waiters: list[Waiter] = field(default_factory=list)

    async def join(self, match_id: str, version: int) -> Waiter:
        """One client more."""
        _, waiter = await asyncio.get_running_loop().create_connection(
            lambda: Waiter(match_id, version), "127.0.0.1", self.port
        )
        self.waiters.append(waiter)
        return waiter

    async def let_in(self) -> int:
        """How many clients have their stream, once all have been answered."""
        return sum(await asyncio.gather(*[asyncio.wait_for(waiter.let_in, 60) for waiter in self.waiters]))

    async def leave(self) -> None:
        """All hang up."""
        for waiter in self.waiters:
            waiter.close()
        self.waiters.clear()
        await asyncio.sleep(0.2)
