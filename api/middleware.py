"""The outermost layer, around Flask: what every request and answer has in common, whatever happens in between.

It stands outside because a header costs nothing here: inside, Werkzeug checks and copies each of them several times.
"""

import re
import time
from collections.abc import Callable, Iterable
from secrets import token_hex
from typing import Any

from kontor_games.api import telemetry
from kontor_games.api.render import moment
from kontor_games.service.kontor import Kontor
from kontor_games.service.people.limits import WINDOW_MS, LimitState

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
REQUEST_ID = r"[A-Za-z0-9._-]{1,64}"
_REQUEST_ID = re.compile(REQUEST_ID)
_SECURITY = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
]
_NO_PAGE = ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
"""For everything but the pages, which say themselves what they need."""
_ALLOWED = "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Request-Id"
_EXPOSED = "Content-Language, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Request-Id, Retry-After, Server-Time"
_PREFLIGHT_S = 600
_WINDOW_S = WINDOW_MS // 1000


class Middleware:
    """WSGI middleware; it tells the application about itself, and hears about the request, through the environment."""

    def __init__(self, application: Callable[..., Iterable[bytes]], kontor: Kontor) -> None:
        """Stands around an application that serves this service."""
        self._application = application
        self._kontor = kontor
        self._origins = kontor.settings.cors_origins

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Lets a request in and its answer out."""
        began = time.perf_counter()
        given = environ.get("HTTP_REQUEST_ID")
        environ["kontor"] = self._kontor
        environ["kontor.request_id"] = request_id = (
            given if given and _REQUEST_ID.fullmatch(given) else token_hex(8)
        )

        def start(status: str, headers: Headers, exc_info: Any = None) -> Any:
            status = self._complete(environ, status, headers)
            telemetry.note(
                environ.get("kontor.operation", "none"),
                int(status[:3]),
                time.perf_counter() - began,
                request_id,
            )
            return start_response(status, headers, exc_info) if exc_info else start_response(status, headers)

        return self._application(environ, start)

    def _complete(self, environ: Environ, status: str, headers: Headers) -> str:
        """Adds to the headers what they lack; answers the status, which OPTIONS changes."""
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
        headers[:] = [
            (name, value) for name, value in headers if name not in ("Content-Type", "Content-Length")
        ]
        return "204 NO CONTENT"

    def _allow_origin(self, environ: Environ, headers: Headers) -> None:
        """CORS: tokens travel in a header that no page sends by itself, so no credentials are involved."""
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
