"""The interface between the gunicorn worker and the application."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

LIVE = "patient_worker.live"
"""Key of the WSGI environment for a stream that the server may write from a shared thread."""


@dataclass(frozen=True)
class ServerHooks:
    """What the worker needs from the application besides WSGI: callbacks and limits."""

    may_wait: Callable[[bytes], bool]
    """Whether the request with this head may be a stream or a long poll, which gets its own thread.

    False positives are possible, false negatives are not."""
    render_error: Callable[[int, str], tuple[bytes, Mapping[str, str]]]
    """Returns body and headers of the response to a refused request, given the status and what is wrong."""
    record: Callable[[int, str], Mapping[str, str]]
    """Counts and logs a response of the worker with this status, to a request with this Request-Id or none;
    returns the headers that all responses have."""
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
