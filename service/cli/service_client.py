"""A small client of a service over HTTP for commands: JSON in and out, problems as error messages."""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import click

from kontor_games.domain.codec import Plain

_TIMEOUT_S = 70


class ServiceClient:
    """One service, used with the token in KONTOR_TOKEN."""

    def __init__(self, url: str) -> None:
        """Raises UsageError for anything but an address."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise click.UsageError("The address of a service begins with http:// or https://.")
        self.url = url.rstrip("/")
        self._token = os.environ.get("KONTOR_TOKEN")

    def get(self, path: str) -> Plain:
        """Return the JSON at a path."""
        return json.loads(self._send(Request(self.url + path)))  # noqa: S310  # checked above

    def download(self, path: str) -> bytes:
        """Return the bytes at a path."""
        return self._send(Request(self.url + path, headers={"Accept": "application/x-ndjson"}))  # noqa: S310

    def lines(self, path: str) -> Iterator[Plain]:
        """Yield what a stream of NDJSON brings, until it ends."""
        request = Request(self.url + path, headers={"Accept": "application/x-ndjson"})  # noqa: S310
        with self._opened(request) as answer:
            while line := answer.readline():
                if line.strip():
                    yield json.loads(line)

    def post(self, path: str, body: Plain) -> Plain:
        """Send a command, once."""
        if self._token is None:
            raise click.UsageError("This command needs your token: set KONTOR_TOKEN.")
        headers = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(16)}
        data = None if body is None else json.dumps(body).encode()
        return json.loads(self._send(Request(self.url + path, data or b"", headers, method="POST")))  # noqa: S310

    def _send(self, request: Request) -> bytes:
        with self._opened(request) as answer:
            return answer.read()

    @contextmanager
    def _opened(self, request: Request) -> Iterator[IO[bytes]]:
        if self._token is not None:
            request.add_header("Authorization", f"Bearer {self._token}")
        try:
            with urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
                yield answer
        except HTTPError as error:
            raise click.ClickException(_words(error)) from error
        except (OSError, HTTPException) as error:
            raise click.ClickException(f"{self.url} does not answer: {error}") from error


def _words(error: HTTPError) -> str:
    """What the service says is wrong."""
    try:
        problem = json.loads(error.read())
        faults = "".join(
            f"\n  {one.get('pointer', '')}: {one['detail']}" for one in problem.get("errors", ())
        )
        return f"{problem['detail']}{faults}"
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"The service answered with status {error.code}."
