"""Problems sent without calling the application: for malformed, too large, too slow or too many requests."""

import time
from collections.abc import Mapping
from http import HTTPStatus
from secrets import token_hex
from wsgiref.handlers import format_date_time

import msgspec
from gunicorn.http import errors  # type: ignore[import-untyped]  # gunicorn has no types

from kontor_games.api.middleware import SECURITY_HEADERS, is_request_id, record_request
from kontor_games.api.problems import MEDIA_TYPE, Problem, TooManyConnectionsError, http_problem, problem_of
from kontor_games.api.render import moment
from kontor_games.api.server.framing import TooManyChunksError


class RequestTimeoutError(Exception):
    """The request arrived too slowly, or in too many pieces."""


WIRE_ERRORS = (errors.ParseException, errors.NoMoreData, RequestTimeoutError)
"""The errors that `Connection.receive` and `Connection.read` raise."""

_PROBLEMS: dict[type[Exception], tuple[int, str]] = {
    errors.InvalidRequestLine: (400, "The request line is malformed."),
    errors.InvalidHTTPVersion: (400, "The request line is malformed."),
    errors.InvalidRequestMethod: (400, "The method is malformed."),
    errors.InvalidHeader: (400, "A header is malformed, or must not be sent twice."),
    errors.InvalidHeaderName: (400, "The name of a header is malformed."),
    errors.ObsoleteFolding: (400, "A header must be on one line."),
    errors.UnsupportedTransferCoding: (400, "The only supported transfer coding is `chunked`."),
    errors.InvalidChunkSize: (400, "The size of a chunk of the body is malformed."),
    errors.ChunkMissingTerminator: (400, "A chunk of the body is not as long as its size says."),
    errors.InvalidChunkExtension: (400, "The extension of a chunk of the body is malformed."),
    TooManyChunksError: (400, "The body consists of more than 1,024 chunks."),
    errors.NoMoreData: (400, "The body ends too early."),
    errors.ExpectationFailed: (417, "The header Expect supports only `100-continue`."),
    errors.LimitRequestLine: (414, "The request line has more than 8,190 bytes."),
    errors.LimitRequestHeaders: (
        431,
        "A header has more than 8,190 bytes, all headers together have more than 32,768 bytes, "
        "or there are more than 64 headers.",
    ),
    RequestTimeoutError: (408, "The request did not arrive in time."),
}
"""Status and detail of these problems, by error class."""


def problem_of_wire_error(error: Exception) -> Problem:
    """The problem for an error of gunicorn's parser or of the worker."""
    if isinstance(error, TooManyConnectionsError):
        return problem_of(error)
    if isinstance(error, errors.InvalidHTTPVersion) and isinstance(error.version, tuple):
        return http_problem(505)
    found = next((_PROBLEMS[base] for base in type(error).__mro__ if base in _PROBLEMS), None)
    return http_problem(*found) if found else http_problem(400)


def response_to_wire_error(error: Exception) -> bytes:
    """Return a complete HTTP response with the problem, after which the connection must be closed."""
    problem = problem_of_wire_error(error)
    headers = {"Content-Type": MEDIA_TYPE, "Cache-Control": "no-store", **problem.headers}
    return complete_response(
        problem.status,
        msgspec.json.encode(problem.body("/")),
        {**headers, **dict(SECURITY_HEADERS)},
        closes=True,
    )


def complete_response(
    status: int, body: bytes, headers: Mapping[str, str], *, closes: bool, request_id: str = ""
) -> bytes:
    """Return a complete HTTP response as bytes; it is counted and logged like those of the application."""
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
    record_request("none", status, 0.0, request_id)
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        *(f"{name}: {text}" for name, text in common.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body
