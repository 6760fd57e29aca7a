"""The thread that writes many streams: nothing is lost, slow clients delay no other, every stream ends."""

import socket
import time
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from kontor_games.api.server import stream_writer
from kontor_games.api.server.connection import Connection
from kontor_games.api.server.stream_writer import HandedOver, StreamWriter

TIMEOUT_S = 20.0


class ScriptedStream:
    """A stream whose content is supplied by the test."""

    def __init__(self, heartbeat_s: float = 60.0, lasts_s: float = 60.0) -> None:
        self.heartbeat, self.heartbeat_s = b"beat", heartbeat_s
        self.until = time.monotonic() + lasts_s
        self.over = self.closed = False
        self.news: deque[bytes] = deque()
        self.ends = False

    def begin(self, on_change: Callable[[], None]) -> None:
        self.on_change = on_change

    def add_content(self, *news: bytes, ends: bool = False) -> None:
        self.news.extend(news)
        self.ends = ends
        self.on_change()

    def take(self) -> bytes:
        data = self.news.popleft() if self.news else b""
        self.over = self.ends and not self.news
        return data

    def close(self) -> None:
        self.closed = True


class Client:
    """Both ends of a connection whose stream was handed to the writer."""

    def __init__(self, script: ScriptedStream, *, keep_alive: bool = True) -> None:
        self.script, self.close_flags = script, list[bool]()
        self.sock, served = socket.socketpair()
        self.sock.settimeout(TIMEOUT_S)
        served.setblocking(False)
        self.served = served
        made: Any = SimpleNamespace(sock=served, send=self._on_send, close=served.close)
        self.connection: Connection = made
        self.response_closed = False
        self.stream = HandedOver(self.connection, script, self._close_response, must_close=not keep_alive)

    def _close_response(self) -> None:
        self.response_closed = True

    def _on_send(self, data: bytes, *, close: bool) -> None:
        self.close_flags.append(close)

    def read(self, size: int) -> bytes:
        data = b""
        while len(data) < size and (more := self.sock.recv(size - len(data))):
            data += more
        return data


def add_client(writer: StreamWriter, script: ScriptedStream, **more: Any) -> Client:
    client = Client(script, **more)
    script.begin(lambda: writer.changed(client.stream))
    writer.add(client.stream)
    return client


def until(condition: Callable[[], object]) -> None:
    for _ in range(int(TIMEOUT_S / 0.01)):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("the condition did not become true in time")


@pytest.fixture
def returned() -> list[Any]:
    return []


@pytest.fixture
def writer(returned: list[Any]) -> StreamWriter:
    return StreamWriter(returned.append)


def test_new_bytes_arrive_in_order_and_the_connection_is_returned(
    writer: StreamWriter, returned: list[Any]
) -> None:
    client = add_client(writer, ScriptedStream())
    client.script.add_content(b"one", b"two")
    assert client.read(16) == b"3\r\none\r\n3\r\ntwo\r\n"
    client.script.add_content(b"three", ends=True)
    assert client.read(15) == b"5\r\nthree\r\n0\r\n\r\n"
    until(lambda: returned)
    assert (returned, client.close_flags) == ([client.connection], [False])
    assert (client.script.closed, client.response_closed) == (True, True)


def test_changes_before_a_stream_was_added_are_sent(writer: StreamWriter) -> None:
    client = Client(ScriptedStream())
    client.script.begin(lambda: writer.changed(client.stream))
    client.script.add_content(b"early")
    writer.add(client.stream)
    assert client.read(10) == b"5\r\nearly\r\n"


def test_a_client_that_reads_nothing_delays_no_other_client(writer: StreamWriter) -> None:
    slow, quick = add_client(writer, ScriptedStream()), add_client(writer, ScriptedStream())
    piece = b"x" * 300_000
    slow.script.add_content(*[piece] * 20)
    quick.script.add_content(b"news")
    assert quick.read(9) == b"4\r\nnews\r\n"
    framed = b"%X\r\n%b\r\n" % (len(piece), piece)
    assert slow.read(20 * len(framed)) == framed * 20, "the slow client gets everything once it reads"


def test_a_client_that_reads_nothing_for_long_is_dropped(
    writer: StreamWriter, returned: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_writer, "SLOWEST_READER_S", 0.2)
    monkeypatch.setattr(stream_writer, "_TICK_S", 0.05)
    client = add_client(writer, ScriptedStream())
    client.script.add_content(*[b"x" * 1_000_000] * 3)
    until(lambda: returned)
    assert (client.close_flags, client.script.closed, client.response_closed) == ([], True, True)


def test_a_disconnected_client_is_detected_immediately(writer: StreamWriter, returned: list[Any]) -> None:
    client = add_client(writer, ScriptedStream())
    client.script.add_content(b"one")
    client.read(8)
    client.sock.close()
    until(lambda: returned)
    assert client.response_closed
    client.script.add_content(b"two")  # must have no effect


def test_idle_streams_get_heartbeats_and_end_after_their_longest_time(
    writer: StreamWriter, returned: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_writer, "_TICK_S", 0.02)
    client = add_client(writer, ScriptedStream(heartbeat_s=0.05, lasts_s=1.0), keep_alive=False)
    sent = b""
    while more := client.sock.recv(100):
        sent += more
        if sent.endswith(b"0\r\n\r\n"):
            break
    beats = sent.removesuffix(b"0\r\n\r\n")
    assert beats == b"4\r\nbeat\r\n" * (len(beats) // 9)
    assert beats
    until(lambda: returned)
    assert client.close_flags == [True]


def test_a_stream_that_is_over_when_it_is_added_ends(writer: StreamWriter) -> None:
    script = ScriptedStream()
    script.over = True
    assert add_client(writer, script).read(5) == b"0\r\n\r\n"


def test_two_hundred_streams_all_get_the_news(writer: StreamWriter) -> None:
    clients = [add_client(writer, ScriptedStream()) for _ in range(200)]
    for round_number in range(5):
        for client in clients:
            client.script.add_content(b"%d" % round_number)
    assert [client.read(30) for client in clients] == [
        b"".join(b"1\r\n%d\r\n" % number for number in range(5))
    ] * 200
