"""The way to the service and back: JSON over one kept connection, sent again when it must be."""

import http.client
import json
import secrets
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

_BUSY = (429, 503)


class KontorError(Exception):
    """The service said no: `problem` is its problem+json (RFC 9457)."""

    def __init__(self, problem: dict[str, Any]) -> None:
        """Reads the parts that programs decide on."""
        self.problem = problem
        self.status: int = problem.get("status", 0)
        self.code: str = problem.get("code", "")
        self.rule: str | None = problem.get("rule")
        super().__init__(problem.get("detail") or problem.get("title") or "the service said no")


class RefusedError(KontorError):
    """A move, or another command, that is not allowed now."""


class UnreachableError(Exception):
    """The service did not answer, however often it was asked."""


class Connection:
    """One service, as one caller. Not to be shared between threads."""

    def __init__(self, url: str, token: str | None = None, *, patience_s: float = 30.0, timeout_s: float = 60.0) -> None:
        """Tries for `patience_s` before it gives up."""
        parts = urlsplit(url)
        self._open = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._host, self._base = parts.netloc, parts.path.rstrip("/")
        self._timeout_s = timeout_s
        self._patience_s = patience_s
        self._kept: http.client.HTTPConnection | None = None
        self.token = token

    def close(self) -> None:
        """Lets the connection go."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def get(self, path: str, **query: Any) -> Any:
        """What is there."""
        return self._ask("GET", path, query, None, {})

    def post(self, path: str, body: Any = None, *, version: int | None = None, **query: Any) -> Any:
        """A command, carried out once however often it has to be sent."""
        headers = {"Idempotency-Key": secrets.token_urlsafe(18)}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self._ask("POST", path, query, {} if body is None else body, headers)

    def delete(self, path: str) -> Any:
        """Takes something away."""
        return self._ask("DELETE", path, {}, None, {})

    def _ask(self, method: str, path: str, query: dict[str, Any], body: Any, headers: dict[str, str]) -> Any:
        until, pause = time.monotonic() + self._patience_s, 0.1
        while True:
            try:
                status, answered, data = self._send(method, path, query, body, headers)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if time.monotonic() + pause > until:
                    raise UnreachableError(f"{self._host} does not answer: {error}") from error
            else:
                if status not in _BUSY or time.monotonic() + pause > until:
                    return _read(status, data)
                pause = max(pause, float(answered.get("Retry-After", 0)))
            time.sleep(pause)
            pause = min(pause * 2, 5.0)

    def _send(
        self, method: str, path: str, query: dict[str, Any], body: Any, headers: dict[str, str]
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        if self._kept is None:
            self._kept = self._open(self._host, timeout=self._timeout_s)
        content = None if body is None else json.dumps(body).encode()
        self._kept.request(method, self._address(path, query), content, self._headers(headers, has_body=content is not None))
        answer = self._kept.getresponse()
        return answer.status, answer.headers, answer.read()

    def _address(self, path: str, query: dict[str, Any]) -> str:
        given = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items() if value is not None}
        return self._base + quote(path) + ("?" + urlencode(given) if given else "")

    def _headers(self, more: dict[str, str], *, has_body: bool = False, accept: str = "application/json") -> dict[str, str]:
        headers = {"Accept": accept, **more}
        if has_body:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers

    def stream(self, path: str, last_id: str | None = None) -> Iterator[tuple[str, str, Any]]:
        """Server-Sent Events as (kind, id, data), resumed behind the last one as often as needed, until the service says `end`."""
        failures = 0
        while True:
            connection = self._open(self._host, timeout=self._timeout_s)
            try:
                for kind, mark, data in self._events(connection, path, last_id):
                    failures, last_id = 0, mark
                    yield kind, mark, data
                    if kind == "end":
                        return
            except (OSError, http.client.HTTPException) as error:
                failures += 1
                if failures > 10:
                    raise UnreachableError(f"{self._host} does not answer: {error}") from error
                time.sleep(min(0.1 * 2**failures, 5.0))
            finally:
                connection.close()

    def _events(self, connection: http.client.HTTPConnection, path: str, last_id: str | None) -> Iterator[tuple[str, str, Any]]:
        resume = {} if last_id is None else {"Last-Event-ID": last_id}
        connection.request("GET", self._address(path, {}), headers=self._headers(resume, accept="text/event-stream"))
        answer = connection.getresponse()
        if answer.status == 204:
            yield "end", last_id or "", None
            return
        if answer.status in _BUSY:
            raise OSError(f"the service is busy ({answer.status})")
        if answer.status != 200:
            _read(answer.status, answer.read())
        kind, mark, data = "message", last_id or "", ""
        for raw in answer:
            name, _, value = raw.decode().rstrip("\n").partition(": ")
            if name == "event":
                kind = value
            elif name == "id":
                mark = value
            elif name == "data":
                data += value
            elif not name and data:
                yield kind, mark, json.loads(data)
                kind, data = "message", ""


def _read(status: int, data: bytes) -> Any:
    content = json.loads(data) if data else None
    if status < 400:
        return content
    problem = content if isinstance(content, dict) else {"status": status, "title": "the answer can't be read"}
    raise (RefusedError if status in (409, 412) else KontorError)(problem)
