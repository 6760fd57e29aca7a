"""The way to the service and back: JSON over one kept connection, sent again when it must be; streams that resume."""

import http.client
import json
import random
import secrets
import time
from collections.abc import Generator
from email.message import Message
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from kontor_client.sse import Said, read_events

_PASSING = (429, 502, 503, 504)
"""What a service, or a proxy before it, says when it will be able again."""
_LOST = (OSError, http.client.HTTPException)
_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 5.0


class KontorError(Exception):
    """The service said no: `problem` is its problem+json (RFC 9457)."""

    def __init__(self, problem: dict[str, Any]) -> None:
        """Reads the parts that programs decide on."""
        self.problem = problem
        self.status: int = problem["status"]
        self.code: str = problem.get("code", "")
        self.rule: str | None = problem.get("rule")
        super().__init__(problem.get("detail") or problem["title"])


class RefusedError(KontorError):
    """A move, or another command, that is not allowed now, or comes too late."""


class UnreachableError(Exception):
    """The service did not answer, however often it was asked."""


class _Patience:
    """How long to go on trying: each pause is longer than the one before, and patience ends so many seconds after the last answer."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._pause = seconds, _SHORTEST_PAUSE_S
        self.answered()

    def answered(self) -> None:
        self._until = time.monotonic() + self._seconds

    def wait(self, at_least: float = 0.0) -> bool:
        """Pauses, with some chance in it so that many clients don't come back at once; False where no patience is left."""
        pause = max(self._pause * random.uniform(0.5, 1.0), at_least)
        if time.monotonic() + pause > self._until:
            return False
        time.sleep(pause)
        self._pause = min(self._pause * 2, _LONGEST_PAUSE_S)
        return True


class Connection:
    """One service, as one caller. Not to be shared between threads."""

    def __init__(self, url: str, token: str | None = None, *, patience_s: float = 30.0, timeout_s: float = 60.0) -> None:
        """Tries for `patience_s` before it gives up, and waits `timeout_s` for each word of the service."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"the address of a service begins with http:// or https://, unlike {url!r}")
        self._open = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._host, self._base = parts.netloc, parts.path.rstrip("/")
        self._patience_s, self._timeout_s = patience_s, timeout_s
        self._kept: http.client.HTTPConnection | None = None
        self.token = token

    def close(self) -> None:
        """Lets the connection go; the next request opens another."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def get(self, path: str, **query: Any) -> Any:
        """What is there."""
        return self._ask("GET", path, query, None, {})

    def command(self, method: str, path: str, body: Any = None, version: int | None = None) -> Any:
        """A change, carried out once however often it has to be sent; with a version, only if the match still stands there."""
        headers = {"Idempotency-Key": secrets.token_urlsafe(18)} | ({} if version is None else {"If-Match": f'"{version}"'})
        return self._ask(method, path, {}, body, headers)

    def _ask(self, method: str, path: str, query: dict[str, Any], body: Any, headers: dict[str, str]) -> Any:
        patience = _Patience(self._patience_s)
        content = None if body is None else json.dumps(body).encode()
        while True:
            try:
                status, answered, data = self._send(method, self._address(path, query), content, headers)
            except _LOST as error:
                self.close()
                if not patience.wait():
                    raise UnreachableError(f"{self._host} does not answer: {error!r}") from error
            else:
                if status not in _PASSING or not patience.wait(_retry_after(answered)):
                    return _read(status, data)

    def _send(self, method: str, address: str, content: bytes | None, headers: dict[str, str]) -> tuple[int, Message, bytes]:
        if self._kept is None:
            self._kept = self._open(self._host, timeout=self._timeout_s)
        body_type = {} if content is None else {"Content-Type": "application/json"}
        self._kept.request(method, address, content, self._headers("application/json") | body_type | headers)
        answer = self._kept.getresponse()
        if answer.length is None and not answer.chunked:  # Python takes headers that break off for all there are
            raise http.client.HTTPException("the answer broke off")
        return answer.status, answer.headers, answer.read()

    def _address(self, path: str, query: dict[str, Any]) -> str:
        given = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items() if value is not None}
        return self._base + quote(path) + ("?" + urlencode(given) if given else "")

    def _headers(self, accept: str) -> dict[str, str]:
        return {"Accept": accept} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})

    def stream(self, path: str, last_id: str | None = None) -> Generator[Said, None, None]:
        """Server-Sent Events, resumed behind the last one that arrived as often as needed, until the service says `end`."""
        patience = _Patience(self._patience_s)
        while True:
            reason, pause = "it is busy", 0.0
            connection = self._open(self._host, timeout=self._timeout_s)
            try:
                answer = self._listen(connection, path, last_id)
                if answer.status == 204:
                    return
                pause = _retry_after(answer.headers)
                if answer.status == 200:
                    patience.answered()
                    for said in read_events(answer, last_id or ""):
                        last_id = said.id
                        yield said
                        if said.kind == "end":
                            return
                        patience = _Patience(self._patience_s)
            except _LOST as error:
                reason = repr(error)
            finally:
                connection.close()
            if not patience.wait(pause):
                raise UnreachableError(f"{self._host} does not answer: {reason}")

    def _listen(self, connection: http.client.HTTPConnection, path: str, last_id: str | None) -> http.client.HTTPResponse:
        """The answer, if it is a stream, the end of one (204), or says to come back later."""
        resume = {} if last_id is None else {"Last-Event-ID": last_id}
        connection.request("GET", self._address(path, {}), headers=self._headers("text/event-stream") | resume)
        answer = connection.getresponse()
        if answer.status not in (200, 204, *_PASSING):
            _read(answer.status, answer.read())
        return answer


def _retry_after(headers: Message) -> float:
    """How long the service wants to be left alone; as a date, which a proxy may send, it is as good as nothing."""
    given = headers.get("Retry-After", "")
    return float(given) if given.isdigit() else 0.0


def _read(status: int, data: bytes) -> Any:
    if status < 400:
        return json.loads(data) if data else None
    problem = {"status": status, "title": f"the service said {status}"}
    if data.startswith(b"{"):
        problem |= json.loads(data)
    raise (RefusedError if status in (409, 412) else KontorError)(problem)
