"""WSGI middleware around Flask: headers, metrics and the log line of every request.

It is outside of Flask because headers are cheaper here: inside, Werkzeug checks and copies each of them
several times.
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
from kontor_games.api.page_files import PREFIX, PageFiles
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
"""For everything but HTML pages, which set their own policy."""
SECURITY_HEADERS = [*_SECURITY, _NO_PAGE]
"""The Content-Security-Policy of answers that are not HTML pages."""
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
requests_seen = Counter(
    "kontor_http_requests_total", "Requests by operation and status.", ["operation", "status"]
)
seconds_taken = Histogram(
    "kontor_http_request_seconds", "Time until the answer begins.", ["operation"], buckets=_BUCKETS
)
_log = structlog.get_logger("kontor_games.api")


def is_request_id(text: str) -> bool:
    """Whether a Request-Id from a client is valid."""
    return _REQUEST_ID.fullmatch(text) is not None


class Middleware:
    """Exchanges service, operation and limit with the application through the WSGI environment."""

    def __init__(
        self, application: Application, kontor: Kontor, direct: Sequence[DirectOperation] = ()
    ) -> None:
        """Wraps an application; files of the page are answered before it, and some operations without it."""
        self._application = application
        self._direct = direct
        self._page_files = PageFiles(application)
        self._kontor = kontor
        self._origins = kontor.settings.cors_origins

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Handle a request."""
        began = time.perf_counter()
        given = environ.get("HTTP_REQUEST_ID")
        if environ["PATH_INFO"].startswith("//"):  # the router would take //v1/games for /v1/games
            environ["PATH_INFO"] = "/." + environ["PATH_INFO"]
        environ["kontor"] = self._kontor
        request_id = given if given and _REQUEST_ID.fullmatch(given) else token_hex(8)
        environ["kontor.request_id"] = request_id

        def start(status: str, headers: Headers, exc_info: Any = None) -> Any:
            status = self._complete(environ, status, headers)
            operation, seconds = environ.get("kontor.operation", "none"), time.perf_counter() - began
            note(operation, int(status[:3]), seconds, request_id)
            return start_response(status, headers, exc_info) if exc_info else start_response(status, headers)

        return self._choose(environ)(environ, start)

    def _choose(self, environ: Environ) -> Application:
        """The application that answers a request."""
        path = environ["PATH_INFO"]
        if path.startswith(PREFIX):
            return self._page_files
        for one in self._direct:
            if environ["REQUEST_METHOD"] == one.method and (found := one.path.fullmatch(path)):
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
        """Add the common headers; return the status, which is another one for OPTIONS."""
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
        # Flask answers OPTIONS by itself, as an empty page; ours is no page at all.
        headers[:] = [header for header in headers if header[0] not in ("Content-Type", "Content-Length")]
        return "204 NO CONTENT"

    def _allow_origin(self, environ: Environ, headers: Headers) -> None:
        """Add CORS headers.

        No credentials are allowed, since tokens are sent in a header that browsers never add by themselves.
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
    """The labelled metrics; they are cached because finding them costs more than counting."""
    return requests_seen.labels(operation, str(status)), seconds_taken.labels(operation)


def note(operation: str, status: int, seconds: float, request_id: str) -> None:
    """Count and log a request: never a token, a name or anything hidden."""
    count, times = _counters(operation, status)
    count.inc()
    times.observe(seconds)
    line = {"operation": operation, "status": status, "ms": round(seconds * 1000, 2), "id": request_id}
    if JsonLines.target is None or not structlog.is_configured():
        _log.info("request", **line)
    else:
        at = moment(time.time_ns() // 1_000_000)
        JsonLines.target.info(encode({**line, "event": "request", "level": "info", "at": at}))
