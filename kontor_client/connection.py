"""JSON over HTTP: requests with retries, and Server-Sent Events, resumed after a lost connection."""

import json
import logging
import random
import secrets
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit


class ServerEvent(NamedTuple):
    """One event of a stream; to resume the stream after it, its id is sent as Last-Event-ID."""

    kind: str
    id: str
    data: Any


def read_events(lines: Iterable[bytes], last_id: str) -> Iterator[ServerEvent]:
    """Yield the complete events of a stream; an event counts only once its empty line has arrived."""
    kind, event_id, data = "message", last_id, list[str]()
    for raw in lines:
        if not raw.endswith(b"\n"):
            return
        line = raw.decode().rstrip("\r\n")
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            kind = value
        elif name == "id":
            event_id = value
        elif name == "data":
            data.append(value)
        elif not line:
            if data:
                yield ServerEvent(kind, event_id, json.loads("\n".join(data)))
            kind, data = "message", []


_BUSY = (429, 502, 503, 504)  # the service, or a proxy in front of it, asks the client to retry later
_LOST = (OSError, HTTPException)
_Headers = dict[str, str]
log = logging.getLogger("kontor_client")
_MATCHES, _ID_LENGTH = "/v1/matches/", 36


class KontorError(Exception):
    """The service refused a request; `problem` is its problem document (RFC 9457)."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.problem = problem
        self.status: int = problem["status"]
        self.code: str = problem.get("code", "")
        self.rule: str | None = problem.get("rule")
        faults = [": ".join(fault.values()) for fault in problem.get("errors", [])]
        super().__init__(" ".join([problem["detail"], *faults]))


class RefusedError(KontorError):
    """The command is not allowed in the current state (409), or the match has changed meanwhile (412)."""


class UnreachableError(KontorError):
    """The service did not answer; `status` is 0."""

    def __init__(self, url: str, reason: object) -> None:
        detail = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        super().__init__({"status": 0, "code": "unreachable", "detail": f"{url} does not answer: {detail}."})


class UntrustedServiceError(KontorError):
    """A signature of the service is missing or contradicts its answers; `evidence` is a folder with proof."""

    def __init__(self, detail: str, evidence: Path | None = None) -> None:
        self.evidence = evidence
        kept = f" The evidence is in {evidence}." if evidence else ""
        super().__init__({"status": 0, "code": "untrusted", "detail": detail + kept})


class Connection:
    """An HTTP connection to a service, for one token and one thread; `Kontor` documents the time limits."""

    def __init__(self, url: str, token: str | None, connect_s: float, timeout_s: float, retry_s: float):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"The URL of a service must begin with http:// or https://: {url!r}.")
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._new = partial(kind, parts.netloc, timeout=connect_s)
        self._kept = self._new()
        self._base, self._reached = parts.path.rstrip("/"), False
        self._connect_s, self._timeout_s, self._retry_s = connect_s, timeout_s, retry_s
        self.url, self.token = url, token
        self.match_keys: dict[str, str] = {}  # of private matches, by id

    def close(self) -> None:
        """Close the connection; the next request opens a new one."""
        self._kept.close()

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON at a path."""
        given = {k: str(v).lower() if isinstance(v, bool) else v for k, v in query.items() if v is not None}
        return _json(*self._request("GET", f"{path}?{urlencode(given)}" if given else path, None, {}))

    def download(self, path: str, kind: str = "*/*") -> bytes:
        """Return the file at a path."""
        status, data = self._request("GET", path, None, {"Accept": kind})
        if status >= 400:
            _json(status, data)
        return data

    def command(
        self,
        method: str,
        path: str,
        body: Any = None,
        version: int | None = None,
        signature: str | None = None,
    ) -> Any:
        """Send a command, which is executed once; with a version, only if the match is still at it."""
        headers = {"Idempotency-Key": secrets.token_urlsafe(18), "Content-Type": "application/json"}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        if signature is not None:
            headers["Kontor-Signature"] = signature
        return _json(*self._request(method, path, None if body is None else json.dumps(body), headers))

    def _request(self, method: str, path: str, body: str | None, headers: _Headers) -> tuple[int, bytes]:
        tries, since = 0, time.monotonic()
        while True:
            tries += 1
            try:
                answer = self._send(self._kept, method, path, body, {"Accept": "application/json"} | headers)
                if answer.length is None and not answer.chunked:  # the headers are incomplete
                    raise HTTPException("the response is incomplete")
                data = answer.read()
            except _LOST as error:
                self.close()
                if not self._sleep(tries, since, error):
                    raise UnreachableError(self.url, error) from error
            else:
                busy = answer.status in _BUSY and f"status {answer.status}"
                if not busy or not self._sleep(tries, since, busy, _retry_after(answer)):
                    return answer.status, data

    def _send(
        self, connection: HTTPConnection, method: str, path: str, body: str | None, headers: _Headers
    ) -> HTTPResponse:
        if connection.sock is None:
            self._connect(connection)
        who = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if path.startswith(_MATCHES) and (key := self.match_keys.get(path[len(_MATCHES) :][:_ID_LENGTH])):
            who["Match-Key"] = key
        connection.request(method, self._base + quote(path, safe="/?&=%+"), body, headers | who)
        return connection.getresponse()

    def _connect(self, connection: HTTPConnection) -> None:
        connection.connect()
        connection.sock.settimeout(self._timeout_s)
        self._reached = True

    def _sleep(self, tries: int, since: float, reason: object, at_least: float = 0.0) -> bool:
        """Sleep before the next attempt (exponential backoff with jitter); return False if time is up."""
        pause = max(min(0.05 * 2 ** min(tries, 7), 5.0) * random.uniform(0.5, 1.0), at_least)
        if time.monotonic() + pause > since + (self._retry_s if self._reached else self._connect_s):
            return False
        if tries == 3 and reason and self._reached:
            log.warning("%s does not respond (%s); retrying for up to %g s.", self.url, reason, self._retry_s)
        time.sleep(pause)
        return True

    def stream(self, path: str, last_id: str | None = None) -> Generator[ServerEvent, None, None]:
        """Yield Server-Sent Events until the event `end`; a lost connection is resumed after the last one."""
        tries, since = 0, time.monotonic()
        reason: object
        while True:
            tries, reason, pause, streaming = tries + 1, None, 0.0, False
            try:
                with closing(self._new()) as connection:
                    answer = self._listen(connection, path, last_id)
                    if answer.status == 204:
                        return
                    if streaming := answer.status == 200:
                        for event in read_events(answer, last_id or ""):
                            yield event
                            tries, last_id = 0, event.id
                            if event.kind == "end":
                                return
                    else:
                        reason, pause = f"status {answer.status}", _retry_after(answer)
            except _LOST as error:
                reason = error
            if streaming:  # the time for retries begins when the stream breaks
                since = time.monotonic()
            if not self._sleep(tries, since, reason, pause):
                raise UnreachableError(self.url, reason or "the stream ended")

    def _listen(self, connection: HTTPConnection, path: str, last_id: str | None) -> HTTPResponse:
        """Return a response that is a stream (200), the end of one (204), or a request to retry later."""
        resume = {} if last_id is None else {"Last-Event-ID": last_id}
        answer = self._send(connection, "GET", path, None, {"Accept": "text/event-stream"} | resume)
        if answer.status not in (200, 204, *_BUSY):
            _json(answer.status, answer.read())
        return answer


def _retry_after(answer: HTTPResponse) -> float:
    """Return the seconds in Retry-After; 0 without the header or for a date, which a proxy may send."""
    given = answer.headers.get("Retry-After", "")
    return float(given) if given.isdigit() else 0.0


def _json(status: int, data: bytes) -> Any:
    """Return the content of a response, or raise the problem that it describes."""
    with suppress(ValueError):
        content = json.loads(data or b"{}")
        if status < 400:
            return content
        if "code" in content:
            raise (RefusedError if status in (409, 412) else KontorError)(content)
    raise KontorError(
        {"status": status, "detail": f"The response (status {status}) is not from a Kontor service."}
    )
