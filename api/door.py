"""The door: the WSGI application that every request enters and every response leaves.

It finds the operation of a request and lets its `Responder` answer. It is the one place that turns an error
into a problem, adds the common headers, and counts and logs the request. Flask's own dispatch is not used: it
costs more than a move.
"""

import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Protocol
from urllib.parse import quote

import structlog
from flask import Flask
from prometheus_client import Counter, Histogram
from werkzeug.exceptions import HTTPException, NotFound

from kontor_games.api.page_files import HTML, POLICY, PREFIX, find_page_file, page
from kontor_games.api.problems import MEDIA_TYPE, Problem, http_problem, is_known, problem_of, problem_of_http
from kontor_games.api.render import NO_STORE, Answer, Headers, encode, moment
from kontor_games.api.request import ApiRequest, Responder, Services, charge
from kontor_games.service.errors import RateLimitedError
from kontor_games.service.logging_setup import JsonLines
from kontor_games.service.people.limits import WINDOW_MS, LimitState

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
WsgiApplication = Callable[[Environ, StartResponse], Iterable[bytes]]
_SERVER_ERROR = 500
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
    "Kontor-Signature, Last-Event-ID, Match-Key, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Request-Id"
)
_EXPOSED = (
    "Content-Language, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Request-Id, "
    "Retry-After, Server-Time, WWW-Authenticate"
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


class Spans(Protocol):
    """Wraps the handling of each request in a span of the trace, if tracing is on."""

    def run(self, request: ApiRequest, work: Callable[[], Iterable[bytes]]) -> Iterable[bytes]:
        """Handle a request by calling `work`, which sets the operation and the status of the request."""


class Door:
    """The WSGI application around all operations."""

    def __init__(
        self, app: Flask, responders: Mapping[str, Responder], services: Services, spans: Spans | None = None
    ) -> None:
        """Each endpoint in the URL map of the Flask application has a responder."""
        self._app = app
        self._paths = app.url_map.bind("")
        self._responders = responders
        self._services = replace(services, dispatch=self._answer)
        self._kontor = services.kontor
        self._origins = services.kontor.settings.cors_origins
        self._spans = spans

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        began = time.perf_counter()
        request = ApiRequest(environ, self._services)

        def start(status: str, headers: Headers, exc_info: Any = None) -> Any:
            self._complete(request, headers)
            request.status = int(status[:3])
            record_request(request.operation, request.status, time.perf_counter() - began, request.id)
            return start_response(status, headers, exc_info) if exc_info else start_response(status, headers)

        if self._spans is None:
            return self._answer(request)(environ, start)
        return self._spans.run(request, lambda: self._answer(request)(environ, start))

    def _answer(self, request: ApiRequest) -> WsgiApplication:
        """Return the response, which is a WSGI application itself."""
        try:
            return self._find(request)
        except Exception as error:  # noqa: BLE001  # whatever it is, it becomes a problem
            return self._refuse(request, error)

    def _find(self, request: ApiRequest) -> WsgiApplication:
        method, path = request.environ["REQUEST_METHOD"], request.path
        if path.startswith(PREFIX) and method in ("GET", "HEAD") and (file := find_page_file(path)):
            request.operation = "page_file"
            return file
        endpoint, values = self._paths.match(path, method)
        if method == "OPTIONS":
            return Answer(status=204, headers={"Allow": ", ".join(self._paths.allowed_methods(path))})
        response: WsgiApplication = self._responders[endpoint].respond(request, values)
        return response

    def _refuse(self, request: ApiRequest, error: Exception) -> Answer:
        """Turn an error into a problem.

        If no rate limit was checked before, the request counts against the limit of its address. This limits
        requests with wrong tokens, unknown paths and invalid parameters, too.
        """
        problem = self._problem_of(request, error)
        if request.limit is None and problem.status < _SERVER_ERROR:
            try:
                charge(request, "read", payer=request.address)
            except RateLimitedError as limited:
                problem = problem_of(limited)
        if type(error) is NotFound and problem.status == error.code and _is_browser(request):
            # No operation has this path. The page says so in the language of its user, and offers links.
            return Answer(page().index.content, problem.status, {**_WRONG_ADDRESS, **problem.headers}, HTML)
        # Percent-encoded, so that `instance` is a valid URI reference whatever path the client sent.
        body = problem.body(quote(request.path, errors="replace"))
        headers = {"Cache-Control": NO_STORE, **problem.headers}
        return Answer(encode(body), problem.status, headers, MEDIA_TYPE)

    def _problem_of(self, request: ApiRequest, error: Exception) -> Problem:
        if isinstance(error, HTTPException):
            return problem_of_http(error, self._app.url_map, request.path, self._kontor.settings.body_limit)
        if is_known(error):
            return problem_of(error, reads=request.environ["REQUEST_METHOD"] == "GET")
        _log_crash(error)
        if self._app.testing:
            raise error
        return http_problem(_SERVER_ERROR)

    def _complete(self, request: ApiRequest, headers: Headers) -> None:
        headers += _SECURITY
        if not any(name == "Content-Security-Policy" for name, _ in headers):
            headers.append(_NO_PAGE)
        headers.append(("Request-Id", request.id))
        headers.append(("Server-Time", moment(self._kontor.clock())))
        if request.limit is not None:
            headers += _limit_headers(*request.limit)
        if self._origins:
            self._allow_origin(request.environ, headers)

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


_WRONG_ADDRESS = {"Cache-Control": NO_STORE, "Content-Security-Policy": POLICY, "Vary": "Accept"}


def _is_browser(request: ApiRequest) -> bool:
    """Return whether somebody opens an address in a browser, which asks for a page by name."""
    return request.environ["REQUEST_METHOD"] == "GET" and "text/html" in request.environ.get(
        "HTTP_ACCEPT", ""
    )


def _log_crash(error: Exception) -> None:
    """Log the type of an exception and where it was raised; its text may name a hidden card."""
    places = [f"{one.filename}:{one.lineno} {one.name}" for one in traceback.extract_tb(error.__traceback__)]
    structlog.get_logger("kontor_games.api").error("crash", error=type(error).__name__, trace=places)


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
