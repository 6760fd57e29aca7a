"""New connections go to the process with the fewest."""

import selectors
import socket
import time
from collections.abc import Iterator

import pytest

from kontor_games.api.server.listeners import ConnectionCounts, Listeners

FIRST, SECOND = 1, 2


class FakeClock:
    """A clock that the test moves on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    clock = FakeClock()
    monkeypatch.setattr(time, "monotonic", clock)
    return clock


@pytest.fixture
def poller() -> Iterator[selectors.BaseSelector]:
    with selectors.DefaultSelector() as poller:
        yield poller


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def is_polled(poller: selectors.BaseSelector, listener: socket.socket) -> bool:
    return listener in {key.fileobj for key in poller.get_map().values()}


def test_a_connection_is_left_to_a_process_with_fewer_for_a_moment(
    clock: FakeClock, poller: selectors.BaseSelector, listener: socket.socket
) -> None:
    counts = ConnectionCounts()
    listeners = Listeners(poller, [listener], counts, FIRST)
    counts.write(SECOND, 4)
    usual_wait_s = listeners.wait_s
    assert listeners.leave(listener, 5)
    assert not is_polled(poller, listener)
    assert listeners.wait_s < usual_wait_s
    assert list(listeners.take_back()) == []
    clock.now += listeners.wait_s
    assert list(listeners.take_back()) == [listener]
    assert is_polled(poller, listener)
    assert listeners.wait_s == usual_wait_s


def test_no_connection_is_left_to_a_process_with_as_many(
    clock: FakeClock, poller: selectors.BaseSelector, listener: socket.socket
) -> None:
    counts = ConnectionCounts()
    listeners = Listeners(poller, [listener], counts, FIRST)
    listeners.write_count(3)
    counts.write(SECOND, 5)
    assert not listeners.leave(listener, 5)
    assert is_polled(poller, listener)


def test_no_connection_is_left_to_a_process_that_is_silent(
    clock: FakeClock, poller: selectors.BaseSelector, listener: socket.socket
) -> None:
    counts = ConnectionCounts()
    listeners = Listeners(poller, [listener], counts, FIRST)
    counts.write(SECOND, 0)
    clock.now += 1.5
    assert not listeners.leave(listener, 5)


def test_a_single_process_leaves_no_connection_to_others(
    poller: selectors.BaseSelector, listener: socket.socket
) -> None:
    listeners = Listeners(poller, [listener], None, FIRST)
    listeners.write_count(9)
    assert not listeners.leave(listener, 9)


def test_listeners_that_are_left_to_others_are_closed_too(
    clock: FakeClock, poller: selectors.BaseSelector, listener: socket.socket
) -> None:
    counts = ConnectionCounts()
    with socket.create_server(("127.0.0.1", 0)) as another:
        listeners = Listeners(poller, [listener, another], counts, FIRST)
        counts.write(SECOND, 0)
        assert listeners.leave(listener, 1)
        listeners.close()
        assert listener.fileno() == another.fileno() == -1
        assert not poller.get_map()
