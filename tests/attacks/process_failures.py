"""How long the service takes to recover when a process is killed or frozen, in seconds."""

import json
import os
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attacked_service import AttackedService, attacked_service
from tests.client.service import Service
from tests.support.waiting import wait_until

MASTER_S, WORKERS_S, FROZEN_S = 5.0, 3.0, 15.0
"""Time limits: until the workers end after the master was killed, until moves are served again after all
workers were killed, and until a frozen leader is replaced."""


def _seconds_until(happened: Callable[[], object]) -> float:
    began = time.monotonic()
    wait_until(happened)
    return time.monotonic() - began


def is_running(pid: int) -> bool:
    """Whether a process with this id exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def after_death_of_master(service: AttackedService) -> float:
    """Kill the master; return the time until its worker has ended, although a stream is open."""
    [worker] = service.server.workers
    with socket.create_connection(("127.0.0.1", service.server.port), 20) as stream:
        stream.sendall(
            f"GET {service.path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()
        )
        assert stream.recv(12) == b"HTTP/1.1 200"
        service.server.kill_master()
        return _seconds_until(lambda: not is_running(worker))


def after_death_of_workers(service: AttackedService) -> float:
    """Kill all workers; return the time until a new worker is ready."""
    before, began = service.server.workers, time.monotonic()
    for worker in before:
        os.kill(worker, signal.SIGKILL)
    wait_until(lambda: service.server.workers not in (before, []))
    service.server.wait_until_ready()
    taken = time.monotonic() - began
    assert len(service.play(5).seconds) == 5
    return taken


def _leads(worker: Service) -> bool:
    lines = [
        json.loads(line)
        for line in worker.log.read_text(encoding="utf-8").splitlines()
        if line.startswith("{")
    ]
    values = [line["leads"] for line in lines if line["event"] == "leadership"]
    return bool(values and values[-1])


def after_freezing_the_leader(folder: Path) -> float:
    """Freeze the leader; return the time until another process leads.

    When it continues, the frozen process must notice that it no longer leads.
    """
    with Service(folder, KONTOR_WORKERS="false").running():
        workers = [Service(folder, "work") for _ in range(2)]
        try:
            workers[0].start()
            wait_until(lambda: _leads(workers[0]))
            workers[1].start()
            wait_until(lambda: "Background work" in workers[1].log.read_text(encoding="utf-8"))
            workers[0].send(signal.SIGSTOP)
            taken = _seconds_until(lambda: _leads(workers[1]))
            workers[0].send(signal.SIGCONT)
            wait_until(lambda: not _leads(workers[0]))
            assert _leads(workers[1])
        finally:
            for worker in workers:
                worker.send(signal.SIGCONT)
                worker.kill()
    return taken


def measure() -> list[tuple[str, float, float]]:
    """What was done, how long the recovery took, and how long it may take."""
    with attacked_service() as service:
        workers = max(after_death_of_workers(service) for _ in range(3))
        master = after_death_of_master(service)
    with tempfile.TemporaryDirectory(prefix="kontor-frozen-") as folder:
        frozen = after_freezing_the_leader(Path(folder))
    return [
        ("all workers killed: moves are served again", workers, WORKERS_S),
        ("master killed: its workers have ended", master, MASTER_S),
        ("leading process frozen: another one leads", frozen, FROZEN_S),
    ]
