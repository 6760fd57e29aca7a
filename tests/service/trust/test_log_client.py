"""A service whose log cannot be read: each fault is one sentence that names the address."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from kontor_games.service.trust.log_client import LogClient, LogRefusedError, LogUnreachableError

ANSWERS = {
    "/v1/log/checkpoint": (200, b"\xff"),
    "/v1/checkpoints": (200, b'{"notes": []}'),
    "/v1/log/tile/entries/000.p/3": (200, b"\x00\x05a"),
    "/v1/log/tile/entries/000.p/1": (200, b""),
    "/.well-known/kontor-keys.json": (200, b"<html>"),
    "/v1/log/cosignatures": (409, b"no problem document"),
    "/v1/log/tile/entries/000": (200, b"\0\1a" * 256),
    "/v1/log/tile/entries/001.p/2": (200, b"\0\2bc" * 2),
}


class Log(BaseHTTPRequestHandler):
    """Gives the same answer to everybody."""

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, content = ANSWERS[self.path.partition("?")[0]]
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = answer  # noqa: N815

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def client() -> Iterator[LogClient]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Log) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield LogClient(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda log: log.checkpoint(), "is not text in UTF-8"),
        (lambda log: list(log.older_checkpoints()), "sent no list of checkpoints"),
        (lambda log: list(log.entries(3)), r"^http://127\.0\.0\.1:"),
        (lambda log: list(log.entries(1)), "bundle with another number of entries"),
        (lambda log: log.keys(), "is not JSON"),
        (lambda log: log.cosign(1, ""), r"status 409\."),
    ],
)
def test_an_answer_that_cannot_be_read_is_one_sentence(
    client: LogClient, ask: Callable[[LogClient], Any], said: str
) -> None:
    with pytest.raises((LogUnreachableError, LogRefusedError), match=said) as refused:
        ask(client)
    assert client.url in str(refused.value)


def test_the_entries_of_several_bundles_follow_each_other(client: LogClient) -> None:
    assert list(client.entries(258)) == [b"a"] * 256 + [b"bc"] * 2


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://kontor.example", "http://", "kontor.example"])
def test_the_address_of_a_service_has_a_scheme_and_a_host(url: str) -> None:
    with pytest.raises(ValueError, match="begins with http"):
        LogClient(url)


def test_a_service_that_does_not_answer_is_named() -> None:
    with pytest.raises(LogUnreachableError, match=r"^http://127\.0\.0\.1:9 does not answer"):
        LogClient("http://127.0.0.1:9").checkpoint()
