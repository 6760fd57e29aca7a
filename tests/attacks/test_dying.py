"""What happens when processes of a running service are killed or frozen."""

import os
import signal
import socket
from collections.abc import Iterator

import pytest

from tests.attacks.siege import Siege, besieged
from tests.support.waiting import wait_until


@pytest.fixture
def siege() -> Iterator[Siege]:
    with besieged() as running:
        yield running


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_after_the_death_of_all_workers_moves_are_served_again(siege: Siege) -> None:
    for _ in range(2):
        before = siege.server.workers
        siege.server.kill_worker(0)
        wait_until(lambda before=before: siege.server.workers not in (before, []))  # type: ignore[misc]
        siege.server.wait_until_ready()
        assert len(siege.play(5).seconds) == 5


def test_workers_end_soon_after_the_death_of_their_master_though_streams_are_open(siege: Siege) -> None:
    [worker] = siege.server.workers
    with socket.create_connection(("127.0.0.1", siege.server.port), 20) as stream:
        asked = f"GET {siege.path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
        stream.sendall(asked.encode())
        assert stream.recv(12) == b"HTTP/1.1 200"
        siege.server.kill_master()
        wait_until(lambda: not is_running(worker), 30)


def test_a_frozen_worker_is_replaced(siege: Siege) -> None:
    [worker] = siege.server.workers
    os.kill(worker, signal.SIGSTOP)
    wait_until(lambda: siege.server.workers not in ([worker], []))
    siege.server.wait_until_ready()
    assert len(siege.play(5).seconds) == 5
