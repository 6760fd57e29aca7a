"""The service on both stores, with a clock that tests can set."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.kontor import Kontor
from service.settings import Settings

NOON = 1_800_000_000_000


class SettableClock:
    """Time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now

    def pass_by(self, ms: int) -> None:
        self.now += ms


@pytest.fixture
def clock() -> SettableClock:
    """A clock that stands still."""
    return SettableClock()


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database: once an SQLite file, once on a PostgreSQL server."""
    return f"sqlite:///{tmp_path}/kontor.db" if request.param == "sqlite" else request.getfixturevalue("database_url")


@pytest.fixture
def processes(store_url: str, clock: SettableClock) -> Iterator[Callable[[], Kontor]]:
    """Starts as many processes of the service as a test likes, all on one database."""
    started: list[Kontor] = []

    def start() -> Kontor:
        started.append(Kontor(Settings(database_url=store_url), clock))
        if len(started) == 1:
            started[0].migrate()
        return started[-1]

    yield start
    for kontor in started:
        kontor.close()


@pytest.fixture
def kontor(processes: Callable[[], Kontor]) -> Kontor:
    """The service, without its threads."""
    return processes()
