"""The interface between the gunicorn worker and the application."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

LIVE = "kontor.live"
"""Key of the WSGI environment for a stream that the server may write from a shared thread."""


@dataclass(frozen=True)
class ServerHooks:
    """What the worker needs from the application besides WSGI: callbacks and limits."""

    end_waits: Callable[[], None]
    """Ends all streams and long polls, so that the process can stop."""
    join: Callable[[Path], None]
    """Connects this process with the other processes of the server through a shared directory."""
    close: Callable[[], None]
    """Ends the background work and closes the database."""
    body_limit: int
    connections_per_address: int
    streams: int
    """Maximum number of streams and long polls that one process answers at the same time."""
    proxies: int
    """Number of trusted proxies, each of which appends an address to X-Forwarded-For."""
