"""The service recovers when processes are killed or frozen; `python -m tests.attacks` measures the times."""

import os
import signal
from collections.abc import Iterator

import pytest

from tests.attacks.attacked_service import AttackedService, attacked_service
from tests.attacks.process_failures import after_death_of_master, after_death_of_workers
from tests.support.waiting import wait_until


@pytest.fixture(scope="module")
def service() -> Iterator[AttackedService]:
    """The service whose workers these tests kill; the last test also kills its master."""
    with attacked_service() as running:
        yield running


def test_after_all_workers_are_killed_moves_are_served_again(service: AttackedService) -> None:
    for _ in range(2):
        assert after_death_of_workers(service) < 60


def test_a_new_worker_starts_quickly_since_the_application_is_loaded_before_the_fork(
    service: AttackedService,
) -> None:
    os.kill(service.server.workers[0], signal.SIGKILL)
    service.server.wait_until_ready()
    assert service.server.cpu_seconds() < service.server.master_cpu_seconds() / 4


def test_a_frozen_worker_is_replaced(service: AttackedService) -> None:
    [worker] = service.server.workers
    os.kill(worker, signal.SIGSTOP)
    wait_until(lambda: service.server.workers not in ([worker], []))
    service.server.wait_until_ready()
    assert len(service.play(5).seconds) == 5


def test_workers_end_soon_after_their_master_is_killed_although_streams_are_open(
    service: AttackedService,
) -> None:
    assert after_death_of_master(service) < 30
