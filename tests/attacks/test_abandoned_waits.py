"""Clients that disconnect while they wait for events occupy no thread, and leave no traceback in the log."""

import select
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.attacked_service import AttackedService, attacked_service
from tests.support.waiting import SOON_S, wait_until


@pytest.fixture(scope="module")
def service() -> Iterator[AttackedService]:
    with attacked_service() as running:
        yield running


COUNT = 40
"""Much more than the number of threads that the service starts and ends for other reasons meanwhile."""


def ask(service: AttackedService, path: str, accept: str) -> socket.socket:
    sent = (
        f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {service.token}\r\nAccept: {accept}\r\n\r\n"
    )
    connection = socket.create_connection(("127.0.0.1", service.server.port), SOON_S)
    connection.sendall(sent.encode())
    return connection


def threads(service: AttackedService) -> int:
    return len(list(Path(f"/proc/{service.server.workers[0]}/task").iterdir()))


@pytest.mark.parametrize(
    ("query", "accept"),
    [("{match}&wait=60", "application/json"), ("/v1/events?wait=60", "application/json"),
     ("/v1/events", "text/event-stream")],
)  # fmt: skip
def test_the_thread_of_a_client_that_disconnects_ends_before_that_of_one_who_waits(
    service: AttackedService, query: str, accept: str
) -> None:
    path = query.format(match=service.path)
    before = threads(service)
    patient = ask(service, path, accept)
    if accept == "text/event-stream":
        received = b""
        while not received.endswith(b"\n\n\r\n"):  # the list of matches
            received += patient.recv(65536)
    others = [ask(service, path, accept) for _ in range(COUNT)]
    wait_until(lambda: threads(service) > before + COUNT // 2)
    for number, other in enumerate(others):
        if number % 2:  # closing resets the connection, so that the next write fails
            other.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        other.close()
    wait_until(lambda: threads(service) < before + COUNT // 4)
    assert not select.select([patient], [], [], 0)[0], "the patient client still waits"
    patient.close()


def test_no_client_that_disconnected_left_a_traceback(service: AttackedService) -> None:
    log = service.server.log.read_text(encoding="utf-8")
    assert [line for line in log.splitlines() if "Traceback" in line or "Exception in" in line] == []
