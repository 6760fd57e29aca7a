"""A whole installation without containers: nodes, workers and nginx on one PostgreSQL database."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from kontor_client import Kontor
from tests.client.service import Service
from tests.support.proxy import proxy

LEADER_S = 300.0
"""How long a test waits for a worker to lead."""


class LimitedService(Service):
    """A service with the default rate limits, quotas and smallest clock."""

    limits: ClassVar[dict[str, str]] = {}


@dataclass
class Installation:
    """The address and the processes of an installation."""

    url: str
    database_url: str
    nodes: list[Service]
    workers: list[Service]

    @contextmanager
    def player(self, name: str = "Ada") -> Iterator[Kontor]:
        """Register a player, and give a client for them."""
        with closing(Kontor(self.url)) as client:
            client.register(name)
            yield client


@contextmanager
def installed(
    folder: Path, database_url: str, process: type[Service] = Service, **settings: str
) -> Iterator[Installation]:
    """Start two nodes, two workers and the proxy on a database that has its tables; stop them at the end."""
    shared = {"KONTOR_DATABASE_URL": database_url, **settings}
    of_nodes = {"KONTOR_WORKERS": "false", "KONTOR_TRUST_PROXY": "1", "WEB_CONCURRENCY": "1"}
    with ExitStack() as stack:
        nodes = [process(folder, **shared, **of_nodes) for _ in range(2)]
        workers = [process(folder, "work", **shared) for _ in range(2)]
        for each in (*nodes, *workers):
            stack.callback(each.kill)
            each.start()
        for node in nodes:
            node.wait_until_ready()
        yield Installation(
            stack.enter_context(proxy(folder, [node.port for node in nodes])), database_url, nodes, workers
        )


def leader(workers: list[Service]) -> Service:
    """The worker that is the leader."""
    until = time.monotonic() + LEADER_S
    while time.monotonic() < until:
        for worker in workers:
            if worker.runs and latest_leadership(worker) is True:
                return worker
        time.sleep(0.1)
    raise AssertionError("no worker became the leader")


def latest_leadership(worker: Service) -> bool | None:
    """Whether a worker leads, by the last line of its log that says so; None if none does."""
    lines = [
        json.loads(line)
        for line in worker.log.read_text(encoding="utf-8").splitlines()
        if line.startswith("{")
    ]
    values = [line["leads"] for line in lines if line["event"] == "leadership"]
    return values[-1] if values else None
