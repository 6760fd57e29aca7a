"""The headers that every answer carries: whose request it was, what time it is, what is left of the limit, what browsers may do with it."""

from flask import Flask, Response, current_app, g, request

from api.render import moment
from service.kontor import Kontor

_SECURITY = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
_NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""Nothing here is a page, but for the pages, which say so themselves."""
_ALLOWED = "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Request-Id"
_EXPOSED = "Content-Language, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Request-Id, Retry-After, Server-Time"
_PREFLIGHT_S = 600
WINDOW_S = 60


def finish(response: Response) -> Response:
    """Adds them."""
    kontor: Kontor = current_app.extensions["kontor"]
    headers = response.headers
    headers.extend(_SECURITY)
    headers.setdefault("Content-Security-Policy", _NO_CONTENT_POLICY)
    headers.add("Request-Id", g.request_id)
    headers.add("Server-Time", moment(kontor.clock()))
    limit = g.get("limit")
    if limit is not None:
        headers.add("RateLimit", f'"{g.limited}";r={limit.remaining};t={-(-limit.reset_ms // 1000)}')
        headers.add("RateLimit-Policy", f'"{g.limited}";q={limit.limit};w={WINDOW_S}')
    if request.method == "OPTIONS":
        _answer_options(response)
    if kontor.settings.cors_origins:
        _allow_origin(response, kontor.settings.cors_origins)
    return response


def _answer_options(response: Response) -> None:
    """Flask answers OPTIONS by itself, as an empty page; ours is no page at all."""
    if response.status_code == 200:
        response.status_code = 204
        response.data = b""
        del response.headers["Content-Type"]


def _allow_origin(response: Response, origins: tuple[str, ...]) -> None:
    """CORS: tokens travel in a header that no page sends by itself, so no credentials are involved."""
    response.vary.add("Origin")
    origin = request.environ.get("HTTP_ORIGIN")
    if origin is None or not ("*" in origins or origin in origins):
        return
    response.headers["Access-Control-Allow-Origin"] = "*" if "*" in origins else origin
    response.headers["Access-Control-Expose-Headers"] = _EXPOSED
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "")
        response.headers["Access-Control-Allow-Headers"] = _ALLOWED
        response.headers["Access-Control-Max-Age"] = str(_PREFLIGHT_S)


def register(app: Flask) -> None:
    """Makes every answer of the app carry them."""
    app.after_request(finish)
