"""The limit of connections per address, and what happens beyond it."""

import selectors
import socket
import time
from collections.abc import Iterator

import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]  # gunicorn has no types

from kontor_games.api.server import connections
from kontor_games.api.server.connection import Connection, Phase
from kontor_games.api.server.connections import Connections

MOST_OF_ONE = 3


@pytest.fixture
def admitted() -> Iterator[list[Connection]]:
    made: list[Connection] = []
    yield made
    for connection in made:
        connection.close()


def join(known: Connections, admitted: list[Connection], address: str) -> bool:
    """Open a connection from the address; return whether it is accepted. It is idle then."""
    ours, theirs = socket.socketpair()
    theirs.close()
    connection = Connection(ours, (address, 1), ("127.0.0.1", 2), Config(), 1000)
    admitted.append(connection)
    return known.admit(connection) and known.wait(connection)


def test_beyond_the_limit_of_an_address_each_new_connection_closes_an_idle_one(
    admitted: list[Connection],
) -> None:
    with selectors.DefaultSelector() as poller:
        known = Connections(poller, 100, MOST_OF_ONE)
        assert [join(known, admitted, "10.0.0.1") for _ in range(5)] == [True] * 5
        assert [one.phase is Phase.CLOSED for one in admitted] == [True, True, False, False, False]


def test_an_address_far_beyond_its_limit_counts_as_flooding_for_a_second(
    admitted: list[Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(connections, "_MAX_EXCESS_PER_SECOND", 2)
    with selectors.DefaultSelector() as poller:
        known = Connections(poller, 100, MOST_OF_ONE)
        found = []
        for _ in range(6):
            found.append(known.is_flooding("10.0.0.1"))
            join(known, admitted, "10.0.0.1")
        assert found == [False] * 5 + [True]
        assert not known.is_flooding("10.0.0.2")
        now += 1
        assert not known.is_flooding("10.0.0.1")


def test_the_address_with_the_most_connections_makes_room_for_others(admitted: list[Connection]) -> None:
    with selectors.DefaultSelector() as poller:
        known = Connections(poller, 3, MOST_OF_ONE)
        for address in ("10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3"):
            assert join(known, admitted, address)
        assert [one.phase is Phase.CLOSED for one in admitted] == [True, False, False, False]
        assert known.count == 3


def test_no_connection_is_accepted_while_all_are_busy(admitted: list[Connection]) -> None:
    with selectors.DefaultSelector() as poller:
        known = Connections(poller, 1, MOST_OF_ONE)
        assert join(known, admitted, "10.0.0.1")
        known.take(admitted[0])
        assert not join(known, admitted, "10.0.0.2")
        known.forget(admitted[0])
        assert join(known, admitted, "10.0.0.2")


def test_a_connection_is_overdue_when_its_phase_has_lasted_too_long(
    admitted: list[Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with selectors.DefaultSelector() as poller:
        known = Connections(poller, 10, MOST_OF_ONE)
        join(known, admitted, "10.0.0.1")
        assert list(known.overdue()) == []
        assert known.without_request() == admitted
        now += max(connections.PHASE_LIMITS_S.values())
        assert next(known.overdue()) is admitted[0]
