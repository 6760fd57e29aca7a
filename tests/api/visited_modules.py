"""The application for gunicorn, which also tells of which of our modules functions run to answer requests."""

import sys
import threading
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

import msgspec

from kontor_games.api import create_app as create_real_app

PATH = "/visited-modules"
"""Answers with the modules since the last request for them."""
_seen = set[str]()


def _note(frame: FrameType, event: str, _: Any) -> None:
    if event == "call":
        _seen.add(frame.f_globals.get("__name__", ""))


def _begin(frame: FrameType, event: str, argument: Any) -> None:
    """Note the calls of a new thread only if it answers requests: others have work of their own."""
    sys.setprofile(_note if threading.current_thread().name == "request" else None)


class _Application:
    """The real application, with one more path."""

    def __init__(self) -> None:
        self._real = create_real_app()
        self.kontor = self._real.kontor

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] != PATH:
            return self._real(environ, start_response)
        body = msgspec.json.encode(sorted(name for name in _seen if name.startswith("kontor_games.")))
        _seen.clear()
        start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]


def create_app() -> _Application:
    """Create the application in a worker: its thread reads and writes the sockets, others answer requests."""
    threading.setprofile(_begin)
    sys.setprofile(_note)
    return _Application()
