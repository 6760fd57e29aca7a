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
from tests.service.tables import LocalPlayer
from tests.support.migrated import migrate_with_retries

NOON = 1_800_000_000_000
UNLIMITED: dict[str, Any] = {"smallest_clock_ms": 1, "open_matches": 10**6, "running_matches": 10**6}
"""Settings that allow any number of matches, with any clock."""


class SettableClock:
    """A clock that stands still until a test advances it; callable, in ms."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now

    def advance(self, ms: int) -> None:
        self.now += ms


def remove_guards(kontor: Kontor) -> None:
    """Remove the triggers that protect evidence on SQLite, as anybody with write access to the file can."""
    if not kontor.database.is_postgres:
        triggers = kontor.database.read("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        kontor.database.write(*((f"DROP TRIGGER IF EXISTS {trigger['name']}", ()) for trigger in triggers))


@pytest.fixture
def clock() -> SettableClock:
    """A clock that stands still."""
    return SettableClock()


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with empty tables: once an SQLite file, once on PostgreSQL."""
    return _url(request, tmp_path, "migrated_database_url")


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same without tables, for tests of migrations."""
    return _url(request, tmp_path, "database_url")


def _url(request: pytest.FixtureRequest, folder: Path, postgres: str) -> str:
    return f"sqlite:///{folder}/kontor.db" if request.param == "sqlite" else request.getfixturevalue(postgres)


@pytest.fixture
def processes(store_url: str, clock: SettableClock) -> Iterator[Callable[[], Kontor]]:
    """Return a function that makes further processes of the service on one database."""
    started: list[Kontor] = []

    def start() -> Kontor:
        started.append(Kontor(Settings(database_url=store_url, **UNLIMITED), clock))
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
def shared_database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a database that the tests of a module share: an SQLite file, then one on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path_factory.mktemp('shared')}/kontor.db"
    url: str = request.getfixturevalue("postgres_cluster").fresh_database()
    return url


@pytest.fixture
def serve(clock: SettableClock, fair: Game) -> Iterator[Callable[..., Kontor]]:
    """Return a function that makes processes of the service on a database, with the toy game.

    Their clock stands still, and none of their threads run yet.
    """
    made: list[Kontor] = []

    def make(url: str, **settings: Any) -> Kontor:
        made.append(Kontor(Settings(**{"database_url": url, **UNLIMITED, **settings}), clock))
        migrate_with_retries(made[-1])
        remove_guards(made[-1])
        return made[-1]

    yield make
    for kontor in made:
        kontor.close()


@pytest.fixture
def new_process(shared_database_url: str, serve: Callable[..., Kontor]) -> Callable[..., Kontor]:
    """Return a function that makes processes on the database that the tests of a module share."""
    return lambda **settings: serve(shared_database_url, **settings)


@pytest.fixture
def service(serve: Callable[..., Kontor], store_url: str) -> Kontor:
    """A process on a database of its own, with the toy game."""
    return serve(store_url)


@pytest.fixture
def ann(service: Kontor) -> LocalPlayer:
    """A player."""
    return LocalPlayer(service)


@pytest.fixture
def ben(service: Kontor) -> LocalPlayer:
    """Another player."""
    return LocalPlayer(service)
