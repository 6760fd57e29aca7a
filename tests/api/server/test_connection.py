"""A single connection of the worker; the test has the client's end of the socket."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.http import errors  # type: ignore[import-untyped]

from kontor_games.api.server.connection import Connection, Phase
from kontor_games.api.server.own_responses import RequestTimeoutError

GET = b"GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = b"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


@dataclass
class Pair:
    """A connection and its client."""

    client: socket.socket
    connection: Connection

    def send(self, data: bytes) -> Phase:
        self.client.sendall(data)
        self.connection.receive()
        return self.connection.phase

    def body(self) -> tuple[bytes, str | None]:
        environ: dict[str, Any] = {}
        if self.connection.header("Transfer-Encoding"):
            environ["HTTP_TRANSFER_ENCODING"] = "chunked"
        self.connection.read()
        self.connection.put_body(environ)
        return environ["wsgi.input"].read(), environ.get("CONTENT_LENGTH")


@pytest.fixture
def pair() -> Iterator[Pair]:
    client, server = socket.socketpair()
    client.settimeout(5)
    with client, server:
        yield Pair(client, Connection(server, ("192.0.2.1", 5), ("127.0.0.1", 80), Config(), 100))


def test_a_request_is_ready_once_all_of_it_has_arrived(pair: Pair) -> None:
    assert pair.connection.phase is Phase.NEW
    assert pair.send(POST[:10]) is Phase.HEAD
    assert pair.send(POST[10:-2]) is Phase.BODY
    assert pair.send(POST[-2:]) is Phase.READY
    assert pair.body() == (b"hello", None)
    assert (pair.connection.request.method, pair.connection.request.path) == ("POST", "/a")


def test_requests_that_arrive_together_are_answered_one_after_the_other(pair: Pair) -> None:
    assert pair.send(POST + GET + GET[:5]) is Phase.READY
    assert pair.body() == (b"hello", None)
    pair.connection.send(b"one", close=False)
    pair.body()
    assert (pair.connection.phase, pair.connection.request.query) == (Phase.READY, "b=c")
    pair.connection.send(b"two", close=False)
    assert pair.connection.phase is Phase.HEAD
    assert pair.client.recv(100) == b"onetwo"


def test_chunks_are_read_as_one_body_with_its_length(pair: Pair) -> None:
    assert pair.send(CHUNKED + b"3\r\nhel\r\n") is Phase.BODY
    assert pair.send(b"2\r\nlo\r\n0\r\n\r\n" + GET) is Phase.READY
    assert pair.body() == (b"hello", "5")
    pair.connection.send(b"one", close=False)
    assert pair.connection.read().method == "GET"


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (CHUNKED + b"x\r\n", errors.InvalidChunkSize),
        (CHUNKED + b"3\r\nhello\r\n0\r\n\r\n", errors.ChunkMissingTerminator),
        (CHUNKED + b"1;\x01\r\na\r\n0\r\n\r\n", errors.InvalidChunkExtension),
        (b"GET / HTTP/3.0\r\n\r\n", errors.InvalidHTTPVersion),
        (b"GET / HTTP/1.1\r\nA b\r\n\r\n", errors.InvalidHeader),
    ],
)
def test_malformed_requests_are_refused_by_the_parser(
    pair: Pair, sent: bytes, error: type[Exception]
) -> None:
    assert pair.send(sent) is Phase.READY
    with pytest.raises(error):
        pair.connection.read()


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\n",
        CHUNKED + b"65\r\n",
        CHUNKED + b"1\r\nx\r\n" * 101,
    ],
)
def test_a_body_that_is_too_large_is_answered_before_it_has_arrived(pair: Pair, sent: bytes) -> None:
    assert pair.send(sent) is Phase.READY
    assert pair.connection.too_large
    assert pair.body()[0] == b""
    assert pair.connection.request.should_close()
    pair.connection.send(b"413", close=True)
    assert pair.client.recv(100) == b"413"
    assert pair.send(b"x" * 1000) is Phase.DRAINING
    pair.client.close()
    pair.connection.receive()
    assert pair.connection.phase is Phase.CLOSED


def test_a_client_that_expects_100_continue_gets_it(pair: Pair) -> None:
    head = POST[:-5].replace(b"Host", b"Expect: 100-continue\r\nHost")
    assert pair.send(head) is Phase.BODY
    assert pair.client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert pair.send(b"hello") is Phase.READY


def test_a_tls_connection_is_closed_immediately(pair: Pair) -> None:
    assert pair.send(b"\x16\x03\x01\x02\x00\x01") is Phase.CLOSED
    assert pair.client.recv(10) == b""


def test_a_connection_that_the_client_closes_is_dropped(pair: Pair) -> None:
    pair.send(POST[:10])
    pair.client.shutdown(socket.SHUT_WR)
    pair.connection.receive()
    assert pair.connection.phase is Phase.CLOSED


def test_a_request_in_too_many_pieces_is_refused(pair: Pair) -> None:
    assert {pair.send(b"x") for _ in range(512)} == {Phase.HEAD}
    with pytest.raises(RequestTimeoutError):
        pair.send(b"x")


def test_a_large_answer_is_sent_as_fast_as_the_client_reads(pair: Pair) -> None:
    pair.send(GET)
    answer = bytes(range(256)) * 8192
    pair.connection.send(answer, close=False)
    assert pair.connection.phase == Phase.SENDING
    taken = b""
    while len(taken) < len(answer):
        taken += pair.client.recv(2**20)
        pair.connection.flush()
    assert (taken, pair.connection.phase) == (answer, Phase.IDLE)


def test_a_client_that_has_disconnected_gets_no_answer(pair: Pair) -> None:
    pair.send(GET)
    pair.client.close()
    pair.connection.send(b"x" * 10_000_000, close=False)
    assert pair.connection.phase is Phase.CLOSED
