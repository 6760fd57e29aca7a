"""Honest players are served despite hostile connections; `python -m tests.attacks` opens thousands."""

import socket
from collections.abc import Iterator

import pytest

from tests.attacks.attacked_service import AttackedService, attacked_service
from tests.attacks.hostile import ADDRESS, KINDS
from tests.attacks.malformed import (
    BEHIND_NGINX,
    CHUNKED,
    MALFORMED,
    answer_of,
    first_answer,
    is_listening,
    read_problem,
)
from tests.support.proxy import proxy
from tests.support.waiting import wait_until

COUNT, MOVES = 150, 20
LASTS_S = 600
"""Longer than the moves take on any machine; the attack ends when they are done."""
SMALL = {
    "KONTOR_CONNECTIONS_PER_ADDRESS": "100",
    "KONTOR_STREAMS_PER_ADDRESS": "50",
    "KONTOR_STREAMS_PER_PLAYER": "10",
    "KONTOR_STREAMS": "60",
    "WEB_THREADS": "8",
}
"""Limits below the number of hostile clients, so that each limit is reached."""


@pytest.fixture(scope="module")
def service() -> Iterator[AttackedService]:
    with attacked_service(SMALL) as running:
        yield running


@pytest.mark.parametrize("kind", KINDS)
def test_honest_moves_are_answered_despite_hostile_connections(service: AttackedService, kind: str) -> None:
    with service.attacked(kind, COUNT, LASTS_S):
        assert len(service.play(MOVES).seconds) == MOVES


def answers(service: AttackedService, sent: bytes) -> bytes:
    return answer_of(service.server.port, sent)


def streams(service: AttackedService, count: int, token: str, address: str) -> list[int]:
    """Open this many streams one after the other, then close them all; return the statuses."""
    request = f"GET {service.path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
    request += f"Authorization: Bearer {token}\r\n\r\n" if token else "\r\n"
    open_ones, found = [], []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", service.server.port), 60, (address, 0))
        connection.sendall(request.encode())
        found.append(int(connection.recv(12)[9:]))
        open_ones.append(connection)
    for connection in open_ones:
        connection.close()
    return found


def test_the_streams_of_a_player_and_of_an_address_are_limited() -> None:
    with attacked_service(SMALL | {"KONTOR_STREAMS_PER_ADDRESS": "15"}) as service:
        assert streams(service, 12, service.token, ADDRESS) == [200] * 10 + [429] * 2
        assert streams(service, 12, "", "127.0.0.3") == [200] * 12
        assert streams(service, 4, "", ADDRESS) == [200] * 4


def test_streams_without_a_token_leave_room_for_players() -> None:
    with attacked_service(SMALL | {"KONTOR_STREAMS": "20"}) as service:
        assert streams(service, 16, "", "127.0.0.4") == [200] * 15 + [429]
        assert len(service.play(MOVES).seconds) == MOVES


@pytest.mark.parametrize(("sent", "status", "code"), MALFORMED)
def test_an_invalid_request_is_answered_with_a_problem(
    service: AttackedService, sent: bytes, status: int, code: str
) -> None:
    assert read_problem(answers(service, sent)) == (status, code, "application/problem+json")


@pytest.fixture(scope="module")
def proxy_port(service: AttackedService, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with proxy(tmp_path_factory.mktemp("proxy"), [service.server.port]) as url:
        port = int(url.rpartition(":")[2])
        wait_until(lambda: is_listening(port))
        yield port


@pytest.mark.parametrize(("sent", "status", "code"), MALFORMED)
def test_behind_nginx_an_invalid_request_is_answered_with_a_problem_too(
    proxy_port: int, sent: bytes, status: int, code: str
) -> None:
    answer, expected = first_answer(proxy_port, sent), BEHIND_NGINX.get(sent, status)
    assert int(answer[9:12]) == expected
    if expected >= 400:
        found = read_problem(answer)
        assert (found[0], found[2]) == (expected, "application/problem+json")
        assert expected != status or found[1] in (code, "unreadable"), "nginx joins the chunks of a body"


def test_a_chunked_body_is_read_like_any_other(service: AttackedService) -> None:
    sent = (
        CHUNKED.replace(b"Host", b"Connection: close\r\nHost")
        + b'8\r\n{"name":\r\n7;a=b\r\n "Ada"}\r\n0\r\n\r\n'
    )
    assert answers(service, sent).startswith(b"HTTP/1.1 201 ")


def test_a_tls_connection_is_closed_immediately(service: AttackedService) -> None:
    assert answers(service, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03") == b""


def test_pipelined_requests_are_answered_in_order(service: AttackedService) -> None:
    requests = [f"GET /v1/nothing-{number} HTTP/1.1\r\nHost: x\r\n\r\n" for number in range(100)]
    requests[-1] = requests[-1].replace("Host", "Connection: close\r\nHost")
    answer = answers(service, "".join(requests).encode())
    assert [
        f'"/v1/nothing-{number}"'.encode() in part
        for number, part in enumerate(answer.split(b"HTTP/1.1 404 ")[1:])
    ] == [True] * 100
