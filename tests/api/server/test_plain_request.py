"""Plain requests are read as gunicorn reads them; whatever is unusual is left to gunicorn."""

from typing import Any

import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]  # gunicorn has no types
from gunicorn.http import wsgi  # type: ignore[import-untyped]
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]
from gunicorn.http.message import Request  # type: ignore[import-untyped]
from gunicorn.http.unreader import IterUnreader  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor_games.api.server.plain_request import PlainAnswer, PlainRequests, UnsendableHeaderError

CFG = Config()
CLIENT, SERVER = ("127.0.0.1", 4711), ("127.0.0.1", 8000)
PLAIN = PlainRequests(CFG)
OBJECTS = ("wsgi.input", "wsgi.errors", "wsgi.early_hints", "gunicorn.socket")


def read(head: bytes) -> dict[str, Any] | None:
    found = PLAIN.read(head, CLIENT, SERVER)
    return found and {name: value for name, value in found.items() if name not in OBJECTS}


def read_by_gunicorn(head: bytes) -> dict[str, Any] | None:
    try:
        request = Request(CFG, IterUnreader(iter([head])), CLIENT, 1)
    except ParseException:
        return None
    environ = wsgi.create(request, None, CLIENT, SERVER, CFG)[1] | {"wsgi.multithread": True}
    return {name: value for name, value in environ.items() if name not in OBJECTS}


def head(*lines: str, first: str = "POST /v1/moves HTTP/1.1") -> bytes:
    return "\r\n".join([first, *lines, "", ""]).encode("latin-1")


def test_a_typical_move_request_is_plain() -> None:
    sent = head(
        "Host: localhost:8000",
        "Authorization: Bearer kontor_abc",
        "Content-Type: application/json",
        "Content-Length: 17",
        "Idempotency-Key:  4f2a ",
        "Connection: keep-alive",
        "Accept: */*",
        first="POST /v1/matches/1b4e28ba-2fa1-41d2-883f-0016d3cca427/moves?tell=en HTTP/1.1",
    )
    found = read(sent)
    assert found is not None
    assert found == read_by_gunicorn(sent)
    assert found["PATH_INFO"] == "/v1/matches/1b4e28ba-2fa1-41d2-883f-0016d3cca427/moves"
    assert found["QUERY_STRING"] == "tell=en"
    assert found["HTTP_IDEMPOTENCY_KEY"] == "4f2a"


@pytest.mark.parametrize(
    "sent",
    [
        head("Host: a", "Host: b"),
        head("Content-Length: 1", "Content-Length: 1"),
        head("Content-Length: +1"),
        head("Transfer-Encoding: chunked"),
        head("Expect: 100-continue"),
        head("X-Forwarded-Proto: https"),
        head("Folded: a", " b"),
        head("Under_score: a"),
        head("Space : a"),
        head("No-Colon"),
        head("Bell: \x07"),
        head("Umlaut: \xe4"),
        head(*(f"X-{number}: a" for number in range(70))),
        head("Long: " + "x" * 9000),
        head(first="GET //v1/games HTTP/1.1"),
        head(first="GET /v1/%67ames HTTP/1.1"),
        head(first="GET /v1/games#a HTTP/1.1"),
        head(first="GET http://localhost/v1/games HTTP/1.1"),
        head(first="GET /v1/games HTTP/1.0"),
        head(first="get /v1/games HTTP/1.1"),
        head(first="GET /v1/games  HTTP/1.1"),
        head(first="OPTIONS * HTTP/1.1"),
        b"GET / HTTP/1.1\n\n",
    ],
)
def test_unusual_requests_are_parsed_by_gunicorn(sent: bytes) -> None:
    assert read(sent) is None


NAMES = st.sampled_from(
    [
        "Host",
        "host",
        "Accept",
        "Content-Type",
        "Content-Length",
        "Connection",
        "X-A",
        "x-a",
        "X_A",
        "Te",
        "Expect",
        "A b",
        "",
    ]
)
VALUES = st.text(st.characters(min_codepoint=0, max_codepoint=255), max_size=8) | st.sampled_from(
    ["1", "a b ", "\t", "close"]
)
TARGETS = st.text(st.sampled_from(list("/av1.~%?#&=;@:!$'()*+,[]{}|^`\"<>\\ \x7f")), max_size=8).map(
    "/".__add__
)


@pytest.mark.slow
@pytest.mark.untraced
@settings(max_examples=1000, deadline=None)
@given(
    TARGETS,
    st.lists(st.tuples(NAMES, VALUES), max_size=4),
    st.sampled_from(["GET", "POST", "HEAD", "PUT", "X"]),
)
def test_plain_requests_are_parsed_as_gunicorn_parses_them(
    target: str, fields: list[tuple[str, str]], method: str
) -> None:
    sent = head(*(f"{name}: {value}" for name, value in fields), first=f"{method} {target} HTTP/1.1")
    found = read(sent)
    if found is not None:
        assert found == read_by_gunicorn(sent)


def answered(status: str, headers: list[tuple[str, str]], body: bytes, **how: bool) -> tuple[bytes, bytes]:
    answer = PlainAnswer()
    answer.start_response(status, headers)
    first, _, rest = answer.to_bytes(body, **{"is_head": False, "closes": False, **how}).partition(
        b"\r\nServer: "
    )
    return first, rest[rest.index(b"\r\nConnection") :]


def test_an_answer_is_sent_in_one_piece_with_its_length() -> None:
    assert answered("200 OK", [("A", "b")], b"text") == (
        b"HTTP/1.1 200 OK",
        b"\r\nConnection: keep-alive\r\nA: b\r\nContent-Length: 4\r\n\r\ntext",
    )
    assert answered("200 OK", [("Content-Length", "4")], b"text", closes=True)[1] == (
        b"\r\nConnection: close\r\nContent-Length: 4\r\n\r\ntext"
    )


def test_answers_without_a_body_have_none() -> None:
    assert answered("204 NO CONTENT", [], b"")[1] == b"\r\nConnection: keep-alive\r\n\r\n"
    assert answered("304 NOT MODIFIED", [], b"x")[1] == b"\r\nConnection: keep-alive\r\n\r\n"
    assert answered("200 OK", [("Content-Length", "4")], b"", is_head=True)[1].endswith(b"Length: 4\r\n\r\n")


@pytest.mark.parametrize("value", ["a\r\nSet-Cookie: b", "a\nb", "a\x00b", "€"])
def test_a_header_value_cannot_inject_another_header(value: str) -> None:
    with pytest.raises(UnsendableHeaderError):
        answered("200 OK", [("A", value)], b"")
