"""Clients that send prepared requests one after the other, and what it cost to answer them."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from tests.support.http_connection import HttpConnection
from tests.support.postgres import Cluster
from tests.support.serving import Served, family_cpu_seconds


def percentile(values: Sequence[float], share: float) -> float:
    """The value that the given share of all values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class WrongAnswerError(Exception):
    """An answer that the benchmark does not expect: then its figures mean nothing."""


@dataclass(frozen=True)
class Slot:
    """What happened in one stretch of time."""

    latencies: list[float]
    seconds: float
    served_cpu: float
    stored_cpu: float
    client_cpu: float

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds


@dataclass
class Lane:
    """One connection and the requests it will send."""

    requests: Iterator[bytes]
    connection: HttpConnection | None = None
    sent_at: list[float] = field(default_factory=list)

    async def run(self, port: int, until: float, latencies: list[float]) -> None:
        """Sends one request, and more until the time is over; a request that was begun is finished."""
        latencies.append(await self.step(port))
        while time.monotonic() < until:
            latencies.append(await self.step(port))

    async def step(self, port: int) -> float:
        """Sends the next request and answers how long it took."""
        if self.connection is None:
            self.connection = await HttpConnection.open(port)
        sent = next(self.requests, None)
        if sent is None:
            raise WrongAnswerError("the lane has run out of prepared requests")
        self.sent_at.append(time.perf_counter())
        status, body = await self.connection.send(sent)
        passed = time.perf_counter() - self.sent_at[-1]
        if status != 201:
            raise WrongAnswerError(f"{status} {body[:500].decode(errors='replace')}")
        return passed

    async def close(self) -> None:
        """Hangs up."""
        if self.connection is not None:
            await self.connection.close()
            self.connection = None


@dataclass
class Machine:
    """What is measured: a server, its database, and this process, which is the client."""

    server: Served
    cluster: Cluster | None
    """None for SQLite, which runs in the processes of the server."""

    async def slot(self, lanes: Sequence[Lane], seconds: float) -> Slot:
        """All lanes at once for so long."""
        latencies: list[float] = []
        before, began = self.cpu(), time.monotonic()
        await asyncio.gather(*[lane.run(self.server.port, began + seconds, latencies) for lane in lanes])
        passed, after = time.monotonic() - began, self.cpu()
        return Slot(latencies, passed, *(b - a for a, b in zip(before, after, strict=True)))

    def cpu(self) -> tuple[float, float, float]:
        """What server, database and client have used so far, in seconds."""
        return self.server.cpu_seconds(), self._stored_cpu(), time.process_time()

    def _stored_cpu(self) -> float:
        return family_cpu_seconds(self.cluster.pid if self.cluster else None)


@dataclass
class Series:
    """Slots of one kind."""

    slots: list[Slot] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers a second, the median over slots."""
        return median(slot.rate for slot in self.slots)

    @property
    def latencies(self) -> list[float]:
        """Of all slots."""
        return [latency for slot in self.slots for latency in slot.latencies]

    def milliseconds(self, share: float) -> float:
        """A percentile of the latency."""
        return percentile(self.latencies, share) * 1000

    def cpu_milliseconds(self, part: Callable[[Slot], float]) -> float:
        """What an answer cost a part of the machine, the median over slots."""
        return median(part(slot) / len(slot.latencies) * 1000 for slot in self.slots)
