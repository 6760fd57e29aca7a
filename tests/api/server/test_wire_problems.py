"""Answers to requests that never reach the application."""

import json

import pytest
from gunicorn.http.errors import InvalidRequestLine, LimitRequestHeaders  # type: ignore[import-untyped]

from kontor_games.api.server.framing import client_of, may_wait
from kontor_games.api.server.wire_problems import (
    complete_response,
    problem_of_wire_error,
    response_to_wire_error,
)


@pytest.mark.parametrize(
    ("error", "status"),
    [(InvalidRequestLine("GET"), 400), (LimitRequestHeaders("too large"), 431), (ValueError("new"), 400)],
)
def test_an_error_of_the_parser_is_a_problem_and_closes_the_connection(error: Exception, status: int) -> None:
    head, _, body = response_to_wire_error(error).partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    assert lines[0].startswith(f"HTTP/1.1 {status} ")
    assert {"Connection: close", f"Content-Length: {len(body)}"} <= set(lines)
    assert "Content-Type: application/problem+json" in lines
    assert json.loads(body)["code"] == problem_of_wire_error(error).code


def test_an_answer_without_the_application_keeps_a_valid_request_id_only() -> None:
    kept = complete_response(200, b"ok", {}, closes=False, request_id="a1b2c3d4e5f60718")
    assert b"Request-Id: a1b2c3d4e5f60718\r\n" in kept
    assert b"Connection: keep-alive\r\n" in kept
    assert b"evil" not in complete_response(
        200, b"ok", {}, closes=False, request_id="evil\r\nSet-Cookie: a=b"
    )


def test_the_client_is_the_address_that_the_first_trusted_proxy_has_named() -> None:
    assert client_of(1, "6.6.6.6, 10.0.0.1") == "10.0.0.1"
    assert client_of(2, "6.6.6.6, 10.0.0.1, 10.0.0.2") == "10.0.0.1"
    assert client_of(2, "10.0.0.1") == ""


@pytest.mark.parametrize(
    ("head", "accept", "expected"),
    [
        (b"GET /v1/matches HTTP/1.1\r\n", b"text/event-stream", False),
        (b"GET /v1/matches/1/events HTTP/1.1\r\n", b"application/json", False),
        (b"GET /v1/matches/1/events?wait=5 HTTP/1.1\r\n", b"application/json", True),
        (b"GET /v1/matches/1/events HTTP/1.1\r\n", b"text/event-stream", True),
    ],
)
def test_only_long_polls_and_streams_count_as_waiting(head: bytes, accept: bytes, expected: bool) -> None:
    assert may_wait(head + b"Accept: %s\r\n\r\n" % accept) is expected
