"""WSGI middleware around Flask: headers, metrics and the log line of every request.

It wraps Flask because adding headers is cheaper here: inside, Werkzeug checks and copies each of them several
times.
"""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from secrets import token_hex
from typing import Any

import structlog
from prometheus_client import Counter, Histogram

from kontor_games.api.contract import DirectOperation
from kontor_games.api.page_files import PREFIX, find_page_file
from kontor_games.api.render import encode, moment
from kontor_games.api.request import ERROR, ApiRequest, Responder
from kontor_games.service.kontor import Kontor
from kontor_games.service.logging_setup import JsonLines
from kontor_games.service.people.limits import WINDOW_MS, LimitState

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Application = Callable[..., Iterable[bytes]]
REQUEST_ID = r"[A-Za-z0-9._-]{1,64}"
_REQUEST_ID = re.compile(REQUEST_ID)
_SECURITY = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
]
_NO_PAGE = ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
"""The policy of responses that are not HTML pages; HTML pages set their own."""
SECURITY_HEADERS = [*_SECURITY, _NO_PAGE]
"""The security headers of responses that are not HTML pages."""
_ALLOWED = (
    "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
    "Kontor-Signature, Last-Event-ID, Match-Key, Request-Id"
)
_EXPOSED = (
    "Content-Language, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Request-Id, "
    "Retry-After, Server-Time"
)
_PREFLIGHT_S = 600
_WINDOW_S = WINDOW_MS // 1000
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
request_count = Counter(
    "kontor_http_requests_total", "Requests by operation and status.", ["operation", "status"]
)
request_seconds = Histogram(
    "kontor_http_request_seconds", "Time until the answer begins.", ["operation"], buckets=_BUCKETS
)
_log = structlog.get_logger("kontor_games.api")


def is_request_id(text: str) -> bool:
    """Whether a Request-Id from a client is valid."""
    return _REQUEST_ID.fullmatch(text) is not None


class Middleware:
    """Handles every request before Flask.

    It passes the service to the application in the WSGI environment, where the application leaves the name
    of the operation and the state of the rate limit.
    """

    def __init__(self, application: Application, kontor: Kontor, direct: Sequence[DirectOperation]) -> None:
        """Wrap an application; files of the page and the operations in `direct` are served without it."""
        self._application = application
        self._direct = direct
        self._kontor = kontor
        self._origins = kontor.settings.cors_origins

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Handle a request."""
        began = time.perf_counter()
        given = environ.get("HTTP_REQUEST_ID")
        if environ["PATH_INFO"].startswith("//"):  # the router would take //v1/games for /v1/games
            environ["PATH_INFO"] = "/." + environ["PATH_INFO"]
        environ["kontor"] = self._kontor
        request_id = given if given and is_request_id(given) else token_hex(8)
        environ["kontor.request_id"] = request_id

        def start(status: str, headers: Headers, exc_info: Any = None) -> Any:
            status = self._complete(environ, status, headers)
            operation, seconds = environ.get("kontor.operation", "none"), time.perf_counter() - began
            record_request(operation, int(status[:3]), seconds, request_id)
            return start_response(status, headers, exc_info) if exc_info else start_response(status, headers)

        return self._choose(environ)(environ, start)

    def _choose(self, environ: Environ) -> Application:
        """Return the WSGI application that handles a request."""
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        if path.startswith(PREFIX) and method in ("GET", "HEAD"):
            return find_page_file(path) or self._application
        for one in self._direct:
            if method == one.method and (found := one.path.fullmatch(path)):
                return partial(self._call_directly, one.responder, found)
        return self._application

    def _call_directly(
        self, responder: Responder, path: re.Match[str], environ: Environ, start: Callable[..., Any]
    ) -> Iterable[bytes]:
        try:
            response: Application = responder.respond(ApiRequest(environ), path[0], path.groupdict())
        except Exception as error:  # noqa: BLE001  # whatever it is, Flask turns it into a problem
            environ[ERROR] = error
            response = self._application
        return response(environ, start)

    def _complete(self, environ: Environ, status: str, headers: Headers) -> str:
        """Add the common headers; return the status, which becomes 204 for a successful OPTIONS request."""
        headers += _SECURITY
        if not any(name == "Content-Security-Policy" for name, _ in headers):
            headers.append(_NO_PAGE)
        headers.append(("Request-Id", environ["kontor.request_id"]))
        headers.append(("Server-Time", moment(self._kontor.clock())))
        if "kontor.limit" in environ:
            headers += _limit_headers(*environ["kontor.limit"])
        if self._origins:
            self._allow_origin(environ, headers)
        if environ["REQUEST_METHOD"] != "OPTIONS" or not status.startswith("200"):
            return status
        # Flask answers OPTIONS with an empty HTML page; we send no body at all.
        headers[:] = [header for header in headers if header[0] not in ("Content-Type", "Content-Length")]
        return "204 NO CONTENT"

    def _allow_origin(self, environ: Environ, headers: Headers) -> None:
        """Add CORS headers.

        Cookies are not allowed: tokens are sent in a header that browsers never add on their own.
        """
        headers.append(("Vary", "Origin"))
        origin = environ.get("HTTP_ORIGIN")
        if origin is None or not ("*" in self._origins or origin in self._origins):
            return
        headers.append(("Access-Control-Allow-Origin", "*" if "*" in self._origins else origin))
        headers.append(("Access-Control-Expose-Headers", _EXPOSED))
        if environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
            allow = next((value for name, value in headers if name == "Allow"), "")
            headers.append(("Access-Control-Allow-Methods", allow))
            headers.append(("Access-Control-Allow-Headers", _ALLOWED))
            headers.append(("Access-Control-Max-Age", str(_PREFLIGHT_S)))


def _limit_headers(cost: str, state: LimitState) -> Headers:
    reset_s = -(-state.reset_ms // 1000)
    return [
        ("RateLimit", f'"{cost}";r={state.remaining};t={reset_s}'),
        ("RateLimit-Policy", f'"{cost}";q={state.limit};w={_WINDOW_S}'),
    ]


@cache
def _counters(operation: str, status: int) -> tuple[Any, Any]:
    """Return the labelled metrics; they are cached because looking them up costs more than updating them."""
    return request_count.labels(operation, str(status)), request_seconds.labels(operation)


def record_request(operation: str, status: int, seconds: float, request_id: str) -> None:
    """Count and log a request. Tokens, names and hidden information are never logged."""
    count, times = _counters(operation, status)
    count.inc()
    times.observe(seconds)
    line = {"operation": operation, "status": status, "ms": round(seconds * 1000, 2), "id": request_id}
    if JsonLines.target is None or not structlog.is_configured():
        _log.info("request", **line)
    else:
        at = moment(time.time_ns() // 1_000_000)
        JsonLines.target.info(encode({**line, "event": "request", "level": "info", "at": at}))
