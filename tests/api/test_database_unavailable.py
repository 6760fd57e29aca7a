"""Every operation of the contract while the database is unavailable: answered with 503, not with old data."""

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
from tests.api.conftest import NO_LIMITS, ApiUser, Clock
from tests.api.contract import CheckedClient, operations
from tests.api.cosigning import WITNESS
from tests.api.test_access import ACCESS, ROLES
from tests.api.valid_requests import World, valid_request
from tests.support.postgres import Cluster
from tests.support.waiting import SOON_S

NEED_NO_DATABASE = {
    *("list_games", "get_game", "get_data_set"),
    *("get_health", "get_metrics", "get_openapi_json", "get_openapi_yaml", "get_docs", "get_entrance"),
    *("get_protected_resource", "get_server_card", "get_llms_txt"),
}
"""Operations whose answers are part of the release."""
KEPT = {"list_keys"}
"""Operations with cached answers: public keys are cached for some seconds."""


@dataclass
class ValidRequest:
    """A request that succeeds while the database is available."""

    operation: str
    method: str
    path: str
    body: Any
    caller: ApiUser

    def send(self, caller: ApiUser | None = None) -> int:
        given = {} if self.body is None else {"json": self.body}
        return (caller or self.caller).send(self.method.upper(), self.path, **given).status_code

    def send_until_available(self) -> int:
        """Send the request again after each 503, up to 100 times; return the last status."""
        statuses = (self.send() for _ in range(100))
        return next((status for status in statuses if status != 503), 503)


@pytest.fixture
def world(postgres_cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[World, str]]:
    monkeypatch.setattr(database, "_CONNECTION_WAIT_S", SOON_S)
    url, clock = postgres_cluster.fresh_database(), Clock()
    kontor = Kontor(
        Settings(database_url=url, workers_in_process=False, witnesses=(WITNESS.public,), **NO_LIMITS), clock
    )
    kontor.migrate()
    app = create_app(kontor, Pace(longest_s=0.1))
    app.testing = True
    app.test_client_class = CheckedClient
    yield World(kontor, clock, ApiUser(app.test_client())), url
    kontor.close()
    postgres_cluster.drop_database(url)


def connections_allowed(cluster: Cluster, url: str, *, allowed: bool) -> None:
    """Allow connections to a database, or refuse them and end the existing ones."""
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


def make_unavailable(kontor: Kontor, cluster: Cluster, url: str) -> None:
    """Make the database unavailable, and let calls wait only briefly for a connection."""
    connections_allowed(cluster, url, allowed=False)
    set_connection_timeout(kontor, 0.2)


def make_available(kontor: Kontor, cluster: Cluster, url: str) -> None:
    """Make the database available again, and let calls wait long for a connection."""
    set_connection_timeout(kontor, SOON_S)
    connections_allowed(cluster, url, allowed=True)


def set_connection_timeout(kontor: Kontor, seconds: float) -> None:
    """Set how long a call waits for a connection."""
    datastore: Any = kontor.store.recorder.datastore
    for one in (datastore, *datastore._others):
        one.pool.timeout = seconds


def requests_of_all_operations(world: World) -> list[ValidRequest]:
    """A valid request for each operation, sent by the owner of the resource."""
    made = []
    for method, _, _, operation in operations():
        name = operation["operationId"]
        ada = world.register("Ada")
        path, body = valid_request(name, world, ada)
        made.append(ValidRequest(name, method, path, body, world.caller("admin", ada)))
    return made


def test_every_operation_answers_503_while_the_database_is_unavailable_and_then_works_again(
    world: tuple[World, str], postgres_cluster: Cluster
) -> None:
    served, url = world
    requests = requests_of_all_operations(served)
    assert {request.operation for request in requests} == ACCESS.keys()
    make_unavailable(served.kontor, postgres_cluster, url)
    by_players = {request.operation: request.send() for request in requests}
    by_anonymous = {
        request.operation: request.send(served.anonymous)
        for request in requests
        if ACCESS[request.operation][0] < 300
    }
    make_available(served.kontor, postgres_cluster, url)
    assert {name for name, status in by_anonymous.items() if status < 300} == NEED_NO_DATABASE | KEPT
    for statuses in (by_players, by_anonymous):
        others = {name: status for name, status in statuses.items() if name not in NEED_NO_DATABASE | KEPT}
        assert others == dict.fromkeys(others, 503)
    assert {request.operation: request.send_until_available() for request in requests} == {
        name: row[ROLES.index("admin")] for name, row in ACCESS.items()
    }
    make_unavailable(served.kontor, postgres_cluster, url)
    served.clock.now += 60_000
    kept = {
        request.operation: request.send(served.anonymous) for request in requests if request.operation in KEPT
    }
    assert kept == dict.fromkeys(KEPT, 503)
    make_available(served.kontor, postgres_cluster, url)
