"""The simulated processes of the service."""

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


class ConnectionLost(Exception):
    """The connection to a process was lost; the client does not know whether the request was carried out."""


class Node:
    """A machine on which a process of the service runs, is killed or stopped, and is started again."""

    def __init__(self, scheduler: Scheduler, server: Server, name: str) -> None:
        self.scheduler = scheduler
        self.server = server
        self.name = name
        self.lives = 0
        self.offset_ms = 0
        """The error of the clock of this machine."""
        self.owner = Owner(name)
        self.kontor: Kontor | None = None

    def is_up(self) -> bool:
        """Whether the process runs."""
        return self.kontor is not None

    def clock(self) -> int:
        return NOON + int(self.scheduler.now * 1000) + self.offset_ms

    def make(self) -> Kontor:
        """The service without running threads."""
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
        """End the process immediately, as SIGKILL does."""
        self.kontor = None
        self.scheduler.kill(self.owner)
        self.server.end_all(self.owner)

    def stop(self) -> None:
        """Shut the process down gracefully."""
        kontor, self.kontor = self.kontor, None
        if kontor is not None:
            self.scheduler.spawn(lambda: self._close(kontor), "close", self.owner)

    def _close(self, kontor: Kontor) -> None:
        kontor.feed.end_waits()
        kontor.close()
        self.kill()

    def freeze(self, seconds: float) -> None:
        """Pause all threads of the process for some seconds."""
        self.owner.frozen_until = self.scheduler.now + seconds

    def call(self, work: Callable[[Kontor], T], timeout: float = 15.0) -> T:
        """Carry out a request in the process and return its result; raise ConnectionLost if there is none."""
        kontor, scheduler = self.kontor, self.scheduler
        if kontor is None:
            raise ConnectionLost
        done, result = Event(scheduler), list[T]()
        errors: list[Exception] = []

        def serve() -> None:
            try:
                result.append(work(kontor))
            except Exception as error:  # noqa: BLE001  # raised again in the client
                errors.append(error)
            done.set()

        scheduler.spawn(serve, "request", self.owner)
        done.wait(timeout)
        if errors:
            raise errors[0]
        if not result:
            raise ConnectionLost
        return result[0]
