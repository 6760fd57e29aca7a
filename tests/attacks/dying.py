"""How long it takes until the death or the sleep of a process is made good, in seconds."""

import json
import os
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.attacks.siege import Siege, besieged
from tests.client.service import Service
from tests.support.waiting import wait_until

MASTER_S, WORKERS_S, FROZEN_S = 5.0, 3.0, 15.0
"""Limits: after the death of the master its workers end; after that of all workers moves are served again;
a frozen leader is replaced."""


def _seconds_until(happened: Callable[[], object]) -> float:
    began = time.monotonic()
    wait_until(happened)
    return time.monotonic() - began


def is_running(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def after_death_of_master(siege: Siege) -> float:
    """Until the worker has ended, although a stream is open."""
    [worker] = siege.server.workers
    with socket.create_connection(("127.0.0.1", siege.server.port), 20) as stream:
        stream.sendall(f"GET {siege.path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode())
        assert stream.recv(12) == b"HTTP/1.1 200"
        siege.server.kill_master()
        return _seconds_until(lambda: not is_running(worker))


def after_death_of_workers(siege: Siege) -> float:
    """Until another worker answers that it is ready, and makes moves."""
    before, began = siege.server.workers, time.monotonic()
    for worker in before:
        os.kill(worker, signal.SIGKILL)
    wait_until(lambda: siege.server.workers not in (before, []))
    siege.server.wait_until_ready()
    taken = time.monotonic() - began
    assert len(siege.play(5).seconds) == 5
    return taken


def _leads(worker: Service) -> bool:
    lines = [
        json.loads(line)
        for line in worker.log.read_text(encoding="utf-8").splitlines()
        if line.startswith("{")
    ]
    said = [line["leads"] for line in lines if line["event"] == "leadership"]
    return bool(said and said[-1])


def after_freezing_the_leader(folder: Path) -> float:
    """Until another process leads; the frozen one sees that it no longer does when it wakes."""
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
    """What happened, how long it took, and how long it may take."""
    with besieged() as siege:
        workers = max(after_death_of_workers(siege) for _ in range(3))
        master = after_death_of_master(siege)
    with tempfile.TemporaryDirectory(prefix="kontor-frozen-") as folder:
        frozen = after_freezing_the_leader(Path(folder))
    return [
        ("all workers killed: moves are served again", workers, WORKERS_S),
        ("master killed: its workers have ended", master, MASTER_S),
        ("leading process frozen: another one leads", frozen, FROZEN_S),
    ]
