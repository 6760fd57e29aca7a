"""A small HTTP client for commands: JSON, streams of NDJSON lines, and errors of the service as messages."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen
from uuid import uuid4

import click

from kontor_games.domain.codec import Plain

TIMEOUT_S = 90
"""Longer than a long poll, and longer than the pause between two heartbeats of a stream."""
NDJSON = {"Accept": "application/x-ndjson"}

url_option = click.option(
    "--url",
    default="http://127.0.0.1:8000",
    show_default=True,
    envvar="KONTOR_URL",
    show_envvar=True,
    metavar="URL",
    help="Address of the service.",
)


class ProblemError(click.ClickException):
    """The service refused a request; the message is the detail of its answer, `rule` the rule it cites."""

    def __init__(self, status: int, problem: Mapping[str, Plain]) -> None:
        self.rule: str | None = problem.get("rule")
        detail = str(problem.get("detail", f"The service answered with status {status}."))
        faults = [f"\n  {one.get('pointer', '')}: {one.get('detail')}" for one in problem.get("errors", ())]
        super().__init__("Some values are invalid:" + "".join(faults) if faults else detail)


class UnreachableError(click.ClickException):
    """The service cannot be reached."""

    def __init__(self, url: str, reason: object) -> None:
        advice = "Start a service with `kontor serve`, or name another one with --url or KONTOR_URL."
        super().__init__(f"{url} does not answer: {reason}. {advice}")


class ServiceClient:
    """Calls one service, as one player or without an account."""

    def __init__(self, url: str, token: str | None = None, language: str = "en") -> None:
        """Raise UsageError if `url` is not an HTTP address; nothing is sent yet."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise click.UsageError("The address of a service begins with http:// or https://.")
        self.url = url.rstrip("/")
        self.token = token
        self.language = language

    @classmethod
    def with_own_token(cls, url: str) -> "ServiceClient":
        """Return a client with the token in KONTOR_TOKEN, if there is one."""
        return cls(url, os.environ.get("KONTOR_TOKEN") or None)

    def get(self, path: str) -> Plain:
        """Return the JSON at a path."""
        with self._open(path) as answer:
            return json.load(answer)

    def download(self, path: str) -> bytes:
        """Return an NDJSON document as bytes."""
        with self._open(path, headers=NDJSON) as answer:
            return answer.read()

    def lines(self, path: str) -> Iterator[Plain]:
        """Yield the items of a stream as they arrive; the service may end the stream at any time."""
        with self._open(path, headers=NDJSON) as answer:
            for line in answer:
                if line.strip():
                    yield json.loads(line)

    def post(self, path: str, body: Plain, **headers: str) -> Plain:
        """Send a command with a new Idempotency-Key, without retries, and return the answer."""
        sent = {"Content-Type": "application/json", "Idempotency-Key": str(uuid4()), **headers}
        content = b"" if body is None else json.dumps(body).encode()
        with self._open(path, content, sent) as answer:
            return json.load(answer)

    def post_signed_in(self, path: str, body: Plain) -> Plain:
        """Send a command that needs the token of its caller."""
        if self.token is None:
            raise click.UsageError("This command needs your token: set KONTOR_TOKEN.")
        return self.post(path, body)

    @contextmanager
    def _open(
        self, path: str, content: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Iterator[IO[bytes]]:
        request = Request(self.url + path, content, dict(headers or {}))  # noqa: S310  # checked above
        request.add_header("Accept-Language", self.language)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
                yield answer
        except HTTPError as error:
            with error:
                raise ProblemError(error.code, _problem(error)) from error
        except (OSError, HTTPException) as error:
            raise UnreachableError(self.url, getattr(error, "reason", None) or error) from error


def _problem(error: HTTPError) -> Mapping[str, Plain]:
    try:
        found = json.loads(error.read(100_000))
    except (OSError, HTTPException, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
