"""Repeats 429 answers for a short time without calling the application, so that refusing a flood is cheap."""

import math
import time
from threading import Lock

from kontor_games.api.server.connection import Connection
from kontor_games.api.server.own_responses import OwnResponses

_MAX_AGE_S = 1.0
"""After this time the application is called again."""
_MAX_KEPT = 10_000
_RECOMPUTED = ("request-id", "server-time", "retry-after", "content-length")

Headers = list[tuple[str, str]]
Key = tuple[str, bytes, str]
"""Address, request line and token."""


class _Throttle:
    __slots__ = ("body", "headers", "noted_at", "retry_at")

    def __init__(self, headers: Headers, body: bytes, now: float) -> None:
        known = {name.lower(): value for name, value in headers}
        self.headers = {name: value for name, value in headers if name.lower() not in _RECOMPUTED}
        self.body = body
        self.noted_at = now
        self.retry_at = now + float(known.get("retry-after", "0"))


class RecentThrottles:
    """The most recent 429 responses by address, request line and token."""

    def __init__(self, responses: OwnResponses) -> None:
        self._responses = responses
        self._lock = Lock()
        self._recent: dict[Key, _Throttle] = {}

    def note(self, connection: Connection, headers: Headers, body: bytes) -> None:
        """Store the 429 response to a request."""
        now = time.monotonic()
        with self._lock:
            if len(self._recent) >= _MAX_KEPT:
                self._recent.clear()
            self._recent[_key(connection)] = _Throttle(headers, body, now)

    def repeat(self, connection: Connection) -> bool:
        """Send the stored 429 response if the same request of the same client was refused just now."""
        if not self._recent:
            return False
        key, now = _key(connection), time.monotonic()
        found = self._recent.get(key)
        if found is None:
            return False
        if now >= min(found.noted_at + _MAX_AGE_S, found.retry_at):
            with self._lock:
                self._recent.pop(key, None)
            return False
        connection.skip_body()
        closes = connection.header("Connection").lower() == "close"
        headers = {**found.headers, "Retry-After": str(math.ceil(found.retry_at - now))}
        answer = self._responses.complete(
            429, found.body, headers, closes=closes, request_id=connection.header("Request-Id")
        )
        connection.send(answer, close=closes)
        return True


def _key(connection: Connection) -> Key:
    line = connection.head[: connection.head.find(b"\r\n")]
    return (
        connection.address or connection.header("X-Forwarded-For"),
        line,
        connection.header("Authorization"),
    )
