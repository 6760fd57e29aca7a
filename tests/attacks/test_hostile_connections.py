"""Honest players are served despite hostile connections; `python -m tests.attacks` opens thousands."""

import json
import socket
from collections.abc import Iterator

import pytest

from tests.attacks.attacked_service import AttackedService, attacked_service
from tests.attacks.hostile import ADDRESS, KINDS

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


def answers(service: AttackedService, sent: bytes, address: str = "127.0.0.1") -> bytes:
    """Everything that the service sends until it closes the connection."""
    with socket.create_connection(("127.0.0.1", service.server.port), 60, (address, 0)) as connection:
        connection.sendall(sent)
        return b"".join(iter(lambda: connection.recv(65536), b""))


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


def problem(answer: bytes) -> tuple[int, str, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    kind = next(line for line in head.decode().split("\r\n") if line.startswith("Content-Type: "))
    read = json.loads(body)
    assert read["status"] == int(answer[9:12])
    return read["status"], read["code"], kind.removeprefix("Content-Type: ")


HEAD = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"hello\r\n\r\n", 400, "bad_request"),
        (b"GET / HTTP/1.1\nHost: x\n\n", 400, "bad_request"),
        (b"G{T / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
        (b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", 400, "bad_request"),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400, "bad_request"),
        (b"GET / HTTP/1.1\r\nA B: c\r\n\r\n", 400, "bad_request"),
        (b"GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400, "bad_request"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "bad_request"),
        (b"GET / HTTP/1.1\r\nExpect: tea\r\n\r\n", 417, "expectation_failed"),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n", 414, "uri_too_long"),
        (b"GET / HTTP/1.1\r\nA: " + b"a" * 9000 + b"\r\n\r\n", 431, "request_header_fields_too_large"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 65 + b"\r\n", 431, "request_header_fields_too_large"),
        (HEAD + b"Content-Length: -1\r\n\r\n", 400, "bad_request"),
        (HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", 400, "bad_request"),
        (HEAD + b"Transfer-Encoding: gzip\r\n\r\n", 400, "bad_request"),
        (HEAD + b"Transfer-Encoding: tea\r\n\r\n", 400, "bad_request"),
        (HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", 400, "bad_request"),
        (CHUNKED + b"x\r\n", 400, "bad_request"),
        (CHUNKED + b"2\r\n{}x\r\n0\r\n\r\n", 400, "bad_request"),
        (CHUNKED + b"2;\r\n{}\r\n0\r\n\r\n", 400, "bad_request"),
        (CHUNKED + b"10001\r\n" + b" " * 0x10001 + b"\r\n0\r\n\r\n", 413, "body_too_large"),
        (CHUNKED + b"ffff\r\n" + b" " * 0xFFFF + b"\r\n2\r\n{}\r\n0\r\n\r\n", 413, "body_too_large"),
        (HEAD + b"Content-Length: 70000\r\n\r\n" + b" " * 70000, 413, "body_too_large"),
    ],
)
def test_an_invalid_request_is_answered_with_a_problem(
    service: AttackedService, sent: bytes, status: int, code: str
) -> None:
    assert problem(answers(service, sent)) == (status, code, "application/problem+json")


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
