"""Answers to requests that never reach the application."""

import json

import pytest
from gunicorn.http.errors import (  # type: ignore[import-untyped]
    InvalidHTTPVersion,
    InvalidRequestLine,
    LimitRequestHeaders,
)

from kontor_games.api.server.own_responses import OwnResponses, TooManyConnectionsError
from kontor_games.api.server.plain_request import client_of
from kontor_games.api.worker import may_wait, server_hooks
from kontor_games.service.kontor import Kontor


@pytest.fixture
def responses(kontor: Kontor) -> OwnResponses:
    return OwnResponses(server_hooks(kontor))


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (InvalidRequestLine("GET"), 400, "bad_request"),
        (LimitRequestHeaders("too large"), 431, "request_header_fields_too_large"),
        (InvalidHTTPVersion((2, 0)), 505, "http_version_not_supported"),
        (TooManyConnectionsError(), 503, "too_many_connections"),
        (ValueError("new"), 400, "bad_request"),
    ],
)
def test_an_error_of_the_parser_is_a_problem_and_closes_the_connection(
    responses: OwnResponses, error: Exception, status: int, code: str
) -> None:
    head, _, body = responses.to_error(error).partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    assert lines[0].startswith(f"HTTP/1.1 {status} ")
    assert {"Connection: close", f"Content-Length: {len(body)}"} <= set(lines)
    assert "Content-Type: application/problem+json" in lines
    assert (json.loads(body)["code"], json.loads(body)["status"]) == (code, status)
    assert ("Retry-After: 2" in lines) == (status == 503)


def test_an_answer_without_the_application_keeps_a_valid_request_id_only(responses: OwnResponses) -> None:
    kept = responses.complete(200, b"ok", {}, closes=False, request_id="a1b2c3d4e5f60718")
    assert b"Request-Id: a1b2c3d4e5f60718\r\n" in kept
    assert b"Connection: keep-alive\r\n" in kept
    assert b"evil" not in responses.complete(
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
