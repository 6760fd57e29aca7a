"""The processes of the service in a simulated world."""

from collections.abc import Callable
from typing import TypeVar

from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.simulation.postgres import Server
from tests.simulation.scheduler import Event, Owner, Scheduler

T = TypeVar("T")
NOON = 1_800_000_000_000
SETTINGS = Settings(
    database_url="postgresql://simulated",
    secret_key="simulated " * 4,
    open_matches=10**6,
    running_matches=10**6,
    cache_matches=12,
)


class Lost(Exception):
    """The connection to a process was lost, and nobody knows what it did."""


class Node:
    """A place where a process of the service runs, dies and is started again."""

    def __init__(self, scheduler: Scheduler, server: Server, name: str) -> None:
        self.scheduler = scheduler
        self.server = server
        self.name = name
        self.lives = 0
        self.offset_ms = 0
        """How much the clock of this machine is wrong."""
        self.owner = Owner(name)
        self.kontor: Kontor | None = None

    def is_up(self) -> bool:
        """Whether the process runs."""
        return self.kontor is not None

    def clock(self) -> int:
        return NOON + int(self.scheduler.now * 1000) + self.offset_ms

    def make(self) -> Kontor:
        """A process whose threads do not run."""
        return Kontor(SETTINGS, self.clock, lambda: self.scheduler.now)

    def start(self) -> None:
        """Start the process."""
        self.lives += 1
        self.owner = Owner(f"{self.name}.{self.lives}")
        self.scheduler.spawn(self._run, "start", self.owner)

    def _run(self) -> None:
        kontor = self.make()
        kontor.start()
        self.kontor = kontor

    def kill(self) -> None:
        """End the process as kill -9 does: nothing it was about to do is done any more."""
        self.kontor = None
        self.scheduler.kill(self.owner)
        self.server.end_all(self.owner)

    def stop(self) -> None:
        """End the process in an orderly way."""
        kontor, self.kontor = self.kontor, None
        if kontor is not None:
            self.scheduler.spawn(lambda: self._close(kontor), "close", self.owner)

    def _close(self, kontor: Kontor) -> None:
        kontor.feed.end_waits()
        kontor.close()
        self.kill()

    def freeze(self, seconds: float) -> None:
        """Let the process do nothing for a while."""
        self.owner.frozen_until = self.scheduler.now + seconds

    def call(self, work: Callable[[Kontor], T], timeout: float = 15.0) -> T:
        """Let the process do something for the current task, like a request; raise Lost without an answer."""
        kontor, scheduler = self.kontor, self.scheduler
        if kontor is None:
            raise Lost
        done, result = Event(scheduler), list[T]()
        errors: list[Exception] = []

        def serve() -> None:
            try:
                result.append(work(kontor))
            except Exception as error:  # noqa: BLE001  # the client looks at it
                errors.append(error)
            done.set()

        scheduler.spawn(serve, "request", self.owner)
        done.wait(timeout)
        if errors:
            raise errors[0]
        if not result:
            raise Lost
        return result[0]
