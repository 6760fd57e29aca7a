"""The service on both stores, with a clock that tests can set."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.game import Game
from kontor_games.domain.games import installed_games
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.domain.toy.games.fair import GAME as FAIR
from tests.service.tables import Guest
from tests.support.migrated import migrate_with_retries

NOON = 1_800_000_000_000
ROOMY: dict[str, Any] = {"smallest_clock_ms": 1, "open_matches": 10**6, "running_matches": 10**6}
"""Settings under which tests can create as many matches as they like, with any clock."""


class SettableClock:
    """Time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now

    def pass_by(self, ms: int) -> None:
        self.now += ms


def remove_guards(kontor: Kontor) -> None:
    """Let tests change rows of evidence on SQLite, as somebody who may write to the file can."""
    if not kontor.database.is_postgres:
        triggers = kontor.database.read("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        kontor.database.write(*((f"DROP TRIGGER IF EXISTS {trigger['name']}", ()) for trigger in triggers))


@pytest.fixture
def clock() -> SettableClock:
    """A clock that stands still."""
    return SettableClock()


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without rows: once an SQLite file, once on PostgreSQL, with tables."""
    return _url(request, tmp_path, "migrated_database_url")


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same without tables, for tests of migrations."""
    return _url(request, tmp_path, "database_url")


def _url(request: pytest.FixtureRequest, folder: Path, postgres: str) -> str:
    return f"sqlite:///{folder}/kontor.db" if request.param == "sqlite" else request.getfixturevalue(postgres)


@pytest.fixture
def processes(store_url: str, clock: SettableClock) -> Iterator[Callable[[], Kontor]]:
    """Starts as many processes of the service as a test likes, all on one database."""
    started: list[Kontor] = []

    def start() -> Kontor:
        started.append(Kontor(Settings(database_url=store_url, **ROOMY), clock))
        if len(started) == 1:
            migrate_with_retries(started[0])
            remove_guards(started[0])
        return started[-1]

    yield start
    for kontor in started:
        kontor.close()


@pytest.fixture
def kontor(processes: Callable[[], Kontor]) -> Kontor:
    """The service, without its threads."""
    return processes()


@pytest.fixture
def fair(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The toy game, installed beside the others."""
    monkeypatch.setitem(installed_games(), "fair", FAIR)
    return FAIR


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def hall_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a database that the tests of a module share: an SQLite file, then one on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path_factory.mktemp('hall')}/kontor.db"
    url: str = request.getfixturevalue("postgres_cluster").fresh_database()
    return url


@pytest.fixture
def serve(clock: SettableClock, fair: Game) -> Iterator[Callable[..., Kontor]]:
    """Makes processes of the service at an address, with the toy game and a clock that stands still.

    None of their threads run yet.
    """
    made: list[Kontor] = []

    def make(url: str, **settings: Any) -> Kontor:
        made.append(Kontor(Settings(**{"database_url": url, **ROOMY, **settings}), clock))
        migrate_with_retries(made[-1])
        remove_guards(made[-1])
        return made[-1]

    yield make
    for kontor in made:
        kontor.close()


@pytest.fixture
def hall(hall_url: str, serve: Callable[..., Kontor]) -> Callable[..., Kontor]:
    """Makes processes on the database that the module's tests share."""
    return lambda **settings: serve(hall_url, **settings)


@pytest.fixture
def service(serve: Callable[..., Kontor], store_url: str) -> Kontor:
    """A process on a database of its own, with the toy game."""
    return serve(store_url)


@pytest.fixture
def ann(service: Kontor) -> Guest:
    """A player."""
    return Guest(service)


@pytest.fixture
def ben(service: Kontor) -> Guest:
    """Another player."""
    return Guest(service)
