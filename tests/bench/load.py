"""Load clients, which send prepared requests one after the other, and the CPU time of the answers."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from tests.support.http_connection import HttpConnection
from tests.support.postgres import Cluster
from tests.support.serving import Served, family_cpu_seconds


def percentile(values: Sequence[float], share: float) -> float:
    """The value that the given share of all values do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class UnexpectedAnswerError(Exception):
    """An answer that the benchmark does not expect, which makes its results invalid."""


@dataclass(frozen=True)
class Slot:
    """The measurements of one period of time; CPU times in seconds."""

    latencies: list[float]
    seconds: float
    served_cpu: float
    stored_cpu: float
    client_cpu: float

    @property
    def rate(self) -> float:
        """Answers per second."""
        return len(self.latencies) / self.seconds


@dataclass
class LoadClient:
    """One connection, and the requests that it will send."""

    requests: Iterator[bytes]
    connection: HttpConnection | None = None
    sent_at: list[float] = field(default_factory=list)

    async def run(self, port: int, until: float, latencies: list[float]) -> None:
        """Send at least one request, and further ones until the monotonic time `until`."""
        latencies.append(await self.step(port))
        while time.monotonic() < until:
            latencies.append(await self.step(port))

    async def step(self, port: int) -> float:
        """Send the next request and return how long its answer took, in seconds."""
        if self.connection is None:
            self.connection = await HttpConnection.open(port)
        sent = next(self.requests, None)
        if sent is None:
            raise UnexpectedAnswerError("the load client has run out of prepared requests")
        self.sent_at.append(time.perf_counter())
        status, body = await self.connection.send(sent)
        passed = time.perf_counter() - self.sent_at[-1]
        if status != 201:
            raise UnexpectedAnswerError(f"{status} {body[:500].decode(errors='replace')}")
        return passed

    async def close(self) -> None:
        """Close the connection."""
        if self.connection is not None:
            await self.connection.close()
            self.connection = None


@dataclass
class Machine:
    """The measured processes: a server, its database, and this process as the client."""

    server: Served
    cluster: Cluster | None
    """None for SQLite, which runs in the processes of the server."""

    async def slot(self, load_clients: Sequence[LoadClient], seconds: float) -> Slot:
        """Run all load clients concurrently for `seconds`."""
        latencies: list[float] = []
        before, began = self.cpu(), time.monotonic()
        await asyncio.gather(
            *[load_client.run(self.server.port, began + seconds, latencies) for load_client in load_clients]
        )
        passed, after = time.monotonic() - began, self.cpu()
        return Slot(latencies, passed, *(b - a for a, b in zip(before, after, strict=True)))

    def cpu(self) -> tuple[float, float, float]:
        """The CPU time of server, database and client so far, in seconds."""
        return self.server.cpu_seconds(), self._stored_cpu(), time.process_time()

    def _stored_cpu(self) -> float:
        return family_cpu_seconds(self.cluster.pid if self.cluster else None)


@dataclass
class Series:
    """Slots of one kind."""

    slots: list[Slot] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers per second, the median over slots."""
        return median(slot.rate for slot in self.slots)

    @property
    def latencies(self) -> list[float]:
        """The latencies of all slots, in seconds."""
        return [latency for slot in self.slots for latency in slot.latencies]

    def milliseconds(self, share: float) -> float:
        """A percentile of the latency, in milliseconds."""
        return percentile(self.latencies, share) * 1000

    def cpu_milliseconds(self, part: Callable[[Slot], float]) -> float:
        """The CPU time per answer of one kind of process, in milliseconds; the median over slots."""
        return median(part(slot) / len(slot.latencies) * 1000 for slot in self.slots)
