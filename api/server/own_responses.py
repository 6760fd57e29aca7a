"""Responses without the application: to malformed, too large, too slow or too many requests."""

import time
from collections.abc import Mapping
from http import HTTPStatus
from wsgiref.handlers import format_date_time

from gunicorn.http import errors  # type: ignore[import-untyped]  # gunicorn has no types

from kontor_games.api.server.hooks import ServerHooks
from kontor_games.api.server.plain_request import TooManyChunksError


class RequestTimeoutError(Exception):
    """The request arrived too slowly, or in too many pieces."""


class TooManyConnectionsError(Exception):
    """Too many connections, or too many streams, are open."""


WIRE_ERRORS = (errors.ParseException, errors.NoMoreData, RequestTimeoutError)
"""The errors that `Connection.receive` and `Connection.read` raise."""

_FAULTS: dict[type[Exception], tuple[int, str]] = {
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
    TooManyConnectionsError: (503, "Close some of your connections, or try again later."),
}
"""Status and detail of the responses to these errors."""


def status_and_detail(error: Exception) -> tuple[int, str]:
    """The status of the response to an error of gunicorn's parser or of the worker, and what is wrong."""
    if isinstance(error, errors.InvalidHTTPVersion) and isinstance(error.version, tuple):
        return 505, "This service supports HTTP/1.0 and HTTP/1.1."
    return next(
        (_FAULTS[kind] for kind in type(error).__mro__ if kind in _FAULTS), (400, "The request is malformed.")
    )


class OwnResponses:
    """Writes whole responses in the form that the application gives its errors."""

    def __init__(self, hooks: ServerHooks) -> None:
        self._hooks = hooks

    def to_error(self, error: Exception) -> bytes:
        """Return the response to a request that is refused unread; then the connection must be closed."""
        status, detail = status_and_detail(error)
        body, headers = self._hooks.render_error(status, detail)
        return self.complete(status, body, headers, closes=True)

    def complete(
        self, status: int, body: bytes, headers: Mapping[str, str], *, closes: bool, request_id: str = ""
    ) -> bytes:
        """Return a whole response, which the application counts and logs like its own."""
        common = {
            "Date": format_date_time(time.time()),
            "Connection": "close" if closes else "keep-alive",
            "Content-Length": str(len(body)),
            **self._hooks.record(status, request_id),
            **headers,
        }
        lines = [
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            *(f"{name}: {text}" for name, text in common.items()),
        ]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body
