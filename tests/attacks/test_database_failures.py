"""PostgreSQL that is connected, but read-only or hung: every call ends with 503, then all is well."""

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
import pytest
from psycopg import sql

from kontor_games.domain.games import installed_games
from tests.attacks.malformed import first_answer, read_problem
from tests.support.http_connection import request
from tests.support.postgres import Cluster
from tests.support.serving import Served, children_of, served
from tests.support.waiting import wait_until


@dataclass
class Installation:
    """A service on its own PostgreSQL, with one player."""

    cluster: Cluster
    url: str
    server: Served
    token: str = ""

    def answer(self, method: str, path: str, body: object = None) -> bytes:
        return first_answer(self.server.port, request(method, path, self.token or None, body))

    def status(self, method: str, path: str, body: object = None) -> int:
        return int(self.answer(method, path, body)[9:12])

    def create_match(self) -> bytes:
        game = next(iter(installed_games()))
        seats = [{"type": "me"}, {"type": "open"}, {"type": "open"}]
        return self.answer("POST", "/v1/matches", {"game": game, "seats": seats})

    def first_move(self) -> tuple[str, object]:
        """Create a match that the player begins; return where to send a move, and the move."""
        seats = [{"type": "me"}, {"type": "bot", "bot": "random"}]
        wish = {"game": "speicherstadt", "seats": seats, "options": {"first_seat": 0}}
        made = json.loads(self.answer("POST", "/v1/matches", wish).partition(b"\r\n\r\n")[2])
        return f"/v1/matches/{made['id']}/moves", made["legal_moves"][0]

    def is_well(self) -> bool:
        return self.status("GET", "/readyz") == 200 and self.create_match()[9:12] == b"201"

    def set_read_only(self, value: str) -> None:
        """As after a demotion: every session that begins from now on is read-only, or none is."""
        name = str(psycopg.conninfo.conninfo_to_dict(self.url)["dbname"])
        with psycopg.connect(self.cluster.url(), autocommit=True) as connection:
            change = "ALTER DATABASE {} SET default_transaction_read_only = " + value
            connection.execute(sql.SQL(change).format(sql.Identifier(name)))

    def end_sessions(self) -> None:
        name = psycopg.conninfo.conninfo_to_dict(self.url)["dbname"]
        with psycopg.connect(self.cluster.url(), autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s", (name,)
            )

    @contextmanager
    def hung(self) -> Iterator[None]:
        """Stop all processes of the database; its sockets stay open, and nobody answers."""
        pid = self.cluster.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        family = [pid, *children_of(pid)]
        for member in family:
            os.kill(member, signal.SIGSTOP)
        try:
            yield
        finally:
            for member in family:
                os.kill(member, signal.SIGCONT)


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with Cluster.temporary(durable=False) as cluster:
        url = cluster.fresh_database()
        with served(url, workers=1) as server:
            found = Installation(cluster, url, server)
            answer = found.answer("POST", "/v1/players", {"name": "Ada"})
            found.token = answer.partition(b'"token":"')[2].partition(b'"')[0].decode()
            yield found


def assert_unavailable(answer: bytes) -> None:
    assert read_problem(answer)[:2] == (503, "unavailable")
    assert b"\r\nretry-after: " in answer.lower()


def test_a_read_only_database_is_unavailable_and_writable_sessions_are_used_at_once(
    installation: Installation,
) -> None:
    assert installation.is_well()
    installation.set_read_only("on")
    installation.end_sessions()
    assert_unavailable(installation.create_match())
    assert b"accepts no writes" in installation.create_match()
    wait_until(lambda: installation.status("GET", "/readyz") == 503)
    assert b"accepts no writes" in installation.answer("GET", "/readyz")
    installation.set_read_only("off")  # and the read-only sessions are left alone
    assert installation.create_match()[9:12] == b"201"
    wait_until(installation.is_well)
    log = installation.server.log.read_text(encoding="utf-8")
    assert [word for word in ("internal_error", "crash", "thread_died", "Traceback") if word in log] == []


def test_no_call_waits_for_a_database_that_does_not_answer(installation: Installation) -> None:
    wait_until(installation.is_well)
    moves = [installation.first_move() for _ in range(12)]
    with installation.hung(), ThreadPoolExecutor(len(moves)) as threads:
        # Moves that are made at the same time, and wait for connections and for each other.
        for answer in threads.map(lambda move: installation.answer("POST", *move), moves):
            assert_unavailable(answer)
        wait_until(lambda: installation.status("GET", "/readyz") == 503)
        for _ in range(2):
            assert_unavailable(installation.create_match())
        assert_unavailable(installation.answer("GET", "/v1/matches"))
        assert installation.status("GET", "/healthz") == 200
    wait_until(installation.is_well)
