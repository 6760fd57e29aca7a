"""Problems answered before the application sees a request: malformed, too large, too slow, too many."""

import time
from collections.abc import Mapping
from http import HTTPStatus
from secrets import token_hex
from wsgiref.handlers import format_date_time

import msgspec
from gunicorn.http import errors  # type: ignore[import-untyped]  # gunicorn has no types

from kontor_games.api.middleware import SECURITY_HEADERS, is_request_id, note
from kontor_games.api.problems import MEDIA_TYPE, Problem
from kontor_games.api.render import moment

_RETRY_S = 2


class RequestTimeoutError(Exception):
    """The request arrived too slowly, or in too many pieces."""


class TooManyConnectionsError(Exception):
    """The address, or the service as a whole, has too many connections."""


WIRE_ERRORS = (errors.ParseException, errors.NoMoreData, RequestTimeoutError)
"""The errors that `Connection.receive` raises."""

_PROBLEMS: dict[type[Exception], tuple[int, str, str]] = {
    errors.InvalidRequestLine: (400, "bad_request", "The request line is malformed."),
    errors.InvalidRequestMethod: (400, "bad_request", "The method is malformed."),
    errors.InvalidHTTPVersion: (400, "bad_request", "This service speaks HTTP/1.0 and HTTP/1.1."),
    errors.InvalidHeader: (400, "bad_request", "A header is malformed, or must not be sent twice."),
    errors.InvalidHeaderName: (400, "bad_request", "The name of a header is malformed."),
    errors.ObsoleteFolding: (400, "bad_request", "A header must be on one line."),
    errors.UnsupportedTransferCoding: (400, "bad_request", "The only transfer coding is `chunked`."),
    errors.InvalidChunkSize: (400, "bad_request", "The size of a chunk of the body is malformed."),
    errors.ChunkMissingTerminator: (
        400,
        "bad_request",
        "A chunk of the body does not end where its size says.",
    ),
    errors.InvalidChunkExtension: (400, "bad_request", "The extension of a chunk of the body is malformed."),
    errors.NoMoreData: (400, "bad_request", "The body ends too early."),
    errors.ExpectationFailed: (417, "expectation_failed", "The only expectation is `100-continue`."),
    errors.LimitRequestLine: (414, "uri_too_long", "The request line has more than 8,190 bytes."),
    errors.LimitRequestHeaders: (
        431,
        "request_header_fields_too_large",
        "A header has more than 8,190 bytes, all of them more than 32,768, or there are more than 64.",
    ),
    RequestTimeoutError: (408, "request_timeout", "The request did not arrive in time."),
    TooManyConnectionsError: (
        503,
        "too_many_connections",
        "There are too many connections. Close some of them.",
    ),
}
"""Status, code and detail of problems that the application does not see."""


def problem_of_wire(error: Exception) -> Problem:
    """The problem for an error of gunicorn's parser or of the worker."""
    found = next((_PROBLEMS[base] for base in type(error).__mro__ if base in _PROBLEMS), None)
    status, code, detail = found or (400, "bad_request", "The request is malformed.")
    headers = {"Retry-After": str(_RETRY_S)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return Problem(status, code, HTTPStatus(status).phrase, detail, headers=headers)


def answer_of_wire(error: Exception) -> bytes:
    """A complete HTTP response, after which the connection is closed; counted and logged like any other."""
    problem = problem_of_wire(error)
    headers = {"Content-Type": MEDIA_TYPE, "Cache-Control": "no-store", **problem.headers}
    return whole_answer(
        problem.status,
        msgspec.json.encode(problem.body("/")),
        {**headers, **dict(SECURITY_HEADERS)},
        closes=True,
    )


def whole_answer(
    status: int, body: bytes, headers: Mapping[str, str], *, closes: bool, request_id: str = ""
) -> bytes:
    """A response without the application; it is counted and logged like any other."""
    now_ms = time.time_ns() // 1_000_000
    request_id = request_id if is_request_id(request_id) else token_hex(8)
    common = {
        "Date": format_date_time(now_ms / 1000),
        "Connection": "close" if closes else "keep-alive",
        "Content-Length": str(len(body)),
        "Request-Id": request_id,
        "Server-Time": moment(now_ms),
        **headers,
    }
    note("none", status, 0.0, request_id)
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        *(f"{name}: {text}" for name, text in common.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body
