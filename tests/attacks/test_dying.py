"""What happens when processes of a service are killed or frozen; `python -m tests.attacks` takes the time."""

import os
import signal
from collections.abc import Iterator

import pytest

from tests.attacks.dying import after_death_of_master, after_death_of_workers
from tests.attacks.siege import Siege, besieged
from tests.support.waiting import wait_until


@pytest.fixture(scope="module")
def siege() -> Iterator[Siege]:
    """A service whose workers die; in the last test, its master too."""
    with besieged() as running:
        yield running


def test_after_the_death_of_all_workers_moves_are_served_again(siege: Siege) -> None:
    for _ in range(2):
        assert after_death_of_workers(siege) < 60


def test_a_new_worker_is_ready_at_once_since_all_is_prepared_before_the_fork(siege: Siege) -> None:
    os.kill(siege.server.workers[0], signal.SIGKILL)
    siege.server.wait_until_ready()
    assert siege.server.cpu_seconds() < siege.server.master_cpu_seconds() / 4


def test_a_frozen_worker_is_replaced(siege: Siege) -> None:
    [worker] = siege.server.workers
    os.kill(worker, signal.SIGSTOP)
    wait_until(lambda: siege.server.workers not in ([worker], []))
    siege.server.wait_until_ready()
    assert len(siege.play(5).seconds) == 5


def test_workers_end_soon_after_the_death_of_their_master_though_streams_are_open(siege: Siege) -> None:
    assert after_death_of_master(siege) < 30
