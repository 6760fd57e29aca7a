"""The role that the service connects as on PostgreSQL, and processes that connect as it or as the owner."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import psycopg
import pytest

from kontor_games.domain.game import Game
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.service.conftest import SettableClock


@pytest.fixture
def role(database_url: str) -> Iterator[str]:
    """The name of a role that does not exist yet; it is removed afterwards."""
    name = f"service_{uuid4().hex[:12]}"
    yield name
    with psycopg.connect(database_url, autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone():
            connection.execute(f'DROP OWNED BY "{name}"')
            connection.execute(f'DROP ROLE "{name}"')


def address_of(role: str, owner_url: str) -> str:
    return owner_url.replace("postgres@", f"{role}@", 1)


@pytest.fixture
def start(clock: SettableClock, fair: Game) -> Iterator[Callable[..., Kontor]]:
    """Return a function that starts processes with all protections of evidence."""
    started: list[Kontor] = []

    def make(url: str, **settings: str) -> Kontor:
        started.append(Kontor(Settings(database_url=url, **settings), clock))  # type: ignore[arg-type]
        started[-1].migrate()
        return started[-1]

    yield make
    for kontor in started:
        kontor.close()
