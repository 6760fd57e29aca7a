"""Every operation of the contract while the database is away: only 503, and no old state shown as new."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from psycopg import sql

from kontor_games.api import create_app
from kontor_games.api.streams import Pace
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store import database
from tests.api.conftest import PATIENT, Clock, Someone
from tests.api.contract import CheckedClient, operations
from tests.api.cosigning import WITNESS
from tests.api.good_requests import World, requested
from tests.api.test_access import ACCESS, ROLES
from tests.support.postgres import Cluster
from tests.support.waiting import SOON_S

NEED_NO_DATABASE = {
    *("list_games", "get_game", "get_data_set"),
    *("get_health", "get_metrics", "get_openapi_json", "get_openapi_yaml", "get_docs", "get_entrance"),
}
"""What they show is part of the release."""
KEPT = {"list_keys"}
"""Public keys are kept for some seconds, whether the database is there or not, and no longer."""


@dataclass
class Wish:
    """A request that is all right while the database is there."""

    operation: str
    method: str
    path: str
    body: Any
    caller: Someone

    def ask(self, caller: Someone | None = None) -> int:
        given = {} if self.body is None else {"json": self.body}
        return (caller or self.caller)._ask(self.method.upper(), self.path, **given).status_code

    def ask_until_it_is_there(self) -> int:
        """Ask as a client does that is told to try again."""
        statuses = (self.ask() for _ in range(100))
        return next((status for status in statuses if status != 503), 503)


@pytest.fixture
def world(postgres_cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[World, str]]:
    monkeypatch.setattr(database, "_CONNECTION_WAIT_S", SOON_S)
    url, clock = postgres_cluster.fresh_database(), Clock()
    kontor = Kontor(
        Settings(database_url=url, workers_in_process=False, witnesses=(WITNESS.public,), **PATIENT), clock
    )
    kontor.migrate()
    app = create_app(kontor, Pace(longest_s=0.1))
    app.testing = True
    app.test_client_class = CheckedClient
    yield World(kontor, clock, Someone(app.test_client())), url
    kontor.close()
    postgres_cluster.drop_database(url)


def connections_allowed(cluster: Cluster, url: str, *, allowed: bool) -> None:
    """Let PostgreSQL refuse a database to everybody, or have it back."""
    name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
    with psycopg.connect(cluster.url(), autocommit=True) as connection:
        connection.execute(
            sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(
                sql.Identifier(name), sql.SQL(str(allowed).lower())
            )
        )
        if not allowed:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s", (name,)
            )


def cut_off(kontor: Kontor, cluster: Cluster, url: str) -> None:
    """Take the database away; from now on nobody waits long for it."""
    connections_allowed(cluster, url, allowed=False)
    wait_for_connections(kontor, 0.2)


def bring_back(kontor: Kontor, cluster: Cluster, url: str) -> None:
    """Let the service have its database again, however slow the machine is."""
    wait_for_connections(kontor, SOON_S)
    connections_allowed(cluster, url, allowed=True)


def wait_for_connections(kontor: Kontor, seconds: float) -> None:
    """Say how long a call waits for a connection."""
    datastore: Any = kontor.store.recorder.datastore
    for one in (datastore, *datastore._others):
        one.pool.timeout = seconds


def wishes(world: World) -> list[Wish]:
    """For each operation a request that its caller may make, on things of their own."""
    made = []
    for method, _, _, operation in operations():
        name = operation["operationId"]
        ada = world.registered("Ada")
        path, body = requested(name, world, ada)
        made.append(Wish(name, method, path, body, world.caller("admin", ada)))
    return made


def test_every_operation_says_503_while_the_database_is_away_and_works_when_it_is_back(
    world: tuple[World, str], postgres_cluster: Cluster
) -> None:
    served, url = world
    asked = wishes(served)
    assert {wish.operation for wish in asked} == ACCESS.keys()
    cut_off(served.kontor, postgres_cluster, url)
    by_players = {wish.operation: wish.ask() for wish in asked}
    by_anyone = {wish.operation: wish.ask(served.anyone) for wish in asked if ACCESS[wish.operation][0] < 300}
    bring_back(served.kontor, postgres_cluster, url)
    assert {name for name, status in by_anyone.items() if status < 300} == NEED_NO_DATABASE | KEPT
    for statuses in (by_players, by_anyone):
        others = {name: status for name, status in statuses.items() if name not in NEED_NO_DATABASE | KEPT}
        assert others == dict.fromkeys(others, 503)
    assert {wish.operation: wish.ask_until_it_is_there() for wish in asked} == {
        name: row[ROLES.index("admin")] for name, row in ACCESS.items()
    }
    cut_off(served.kontor, postgres_cluster, url)
    served.clock.now += 60_000
    kept = {wish.operation: wish.ask(served.anyone) for wish in asked if wish.operation in KEPT}
    assert kept == dict.fromkeys(KEPT, 503)
    bring_back(served.kontor, postgres_cluster, url)
