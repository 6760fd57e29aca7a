"""A client for players and spectators at a terminal: JSON, streams of lines, and problems with the rule that they cite."""

import json
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import click

from kontor_games.domain.codec import Plain

TIMEOUT_S = 90
"""Longer than a long poll, and longer than the pause between two heartbeats of a stream."""


class ProblemError(Exception):
    """A request that the service refused, with the sentence and the rule that it gave."""

    def __init__(self, status: int, problem: Mapping[str, Plain]) -> None:
        """Take the problem as the service described it."""
        self.status = status
        self.rule: str | None = problem.get("rule")
        super().__init__(str(problem.get("detail", f"The service answered with status {status}.")))


class MatchClient:
    """Speaks to one service, as one player or as nobody."""

    def __init__(self, url: str, token: str | None = None, language: str = "en") -> None:
        """Nothing is sent yet."""
        if urlsplit(url).scheme not in ("http", "https"):
            raise click.UsageError(f"{url!r} is not an address of the form http://HOST:PORT.")
        self.url = url.rstrip("/")
        self.token = token
        self.language = language

    def get(self, path: str) -> Any:
        """Return the answer to a question."""
        with self._open(Request(self.url + path)) as answer:  # noqa: S310  # http and https only, see above
            return json.load(answer)

    def post(self, path: str, body: Plain, **headers: str) -> Any:
        """Send a command and return the answer."""
        content = json.dumps(body).encode()
        sent = Request(self.url + path, content, {"Content-Type": "application/json", **headers})  # noqa: S310
        with self._open(sent) as answer:
            return json.load(answer)

    def lines(self, path: str) -> Iterator[Plain]:
        """Return the items of a stream as they come; the stream may end at any time."""
        with self._open(Request(self.url + path, headers={"Accept": "application/x-ndjson"})) as answer:  # noqa: S310
            for line in answer:
                if line.strip():
                    yield json.loads(line)

    def _open(self, request: Request) -> Any:
        request.add_header("Accept-Language", self.language)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            return urlopen(request, timeout=TIMEOUT_S)  # noqa: S310
        except HTTPError as error:
            with error:
                problem = _problem(error)
            raise ProblemError(error.code, problem) from error
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise click.ClickException(
                f"{self.url} does not answer: {reason}. Start a service with `kontor serve`, name another one"
                " with --url, or play without one: `kontor play GAME --local`."
            ) from error


def _problem(error: HTTPError) -> Mapping[str, Plain]:
    try:
        found = json.loads(error.read(100_000))
    except (OSError, HTTPException, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
