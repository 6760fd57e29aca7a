"""The interface between the gunicorn worker and the application."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

LIVE = "kontor.live"
"""Key of the WSGI environment for a stream that the server may write from a shared thread."""


@dataclass(frozen=True)
class ServerHooks:
    """Limits, and the classification of requests before the application is called."""

    end_waits: Callable[[], None]
    """Ends all streams and long polls, so that the process can stop."""
    join: Callable[[Path], None]
    """Lets the processes of this server find each other in a directory."""
    close: Callable[[], None]
    """Ends the background work and closes the database."""
    body_limit: int
    connections_per_address: int
    streams: int
    """Streams and long polls that one process answers at the same time."""
    proxies: int
    """Trusted proxies in front, each of which adds an address to X-Forwarded-For."""


def client_of(proxies: int, forwarded_for: str) -> str:
    """The address of the client, which the first of the trusted proxies has named."""
    hops = forwarded_for.split(",")
    return hops[-proxies].strip() if len(hops) >= proxies else ""


def may_wait(head: bytes, accept: str) -> bool:
    """Whether an answer may block until something happens: such a request gets its own thread.

    It may say so of a request that is answered at once, but never the other way round.
    """
    path, _, query = head[: head.find(b"\r\n")].partition(b"?")
    if b"/events" not in path:
        return False
    return b"wait" in query or accept not in ("", "*/*", "application/json")
