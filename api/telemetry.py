"""What is known of every request from outside: its measures and its line in the log. Never a token, a name or anything hidden."""

import os
from functools import cache
from typing import Any

import structlog
from flask import Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from kontor_games.service.logging_setup import set_up_logging as set_up_logging

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

requests_seen = Counter(
    "kontor_http_requests_total", "Requests by operation and status.", ["operation", "status"]
)
seconds_taken = Histogram(
    "kontor_http_request_seconds", "Time until the answer begins.", ["operation"], buckets=_BUCKETS
)
streams_open = Gauge("kontor_http_streams_open", "Streams that are open now.", multiprocess_mode="livesum")
_log = structlog.get_logger("kontor_games.api")


@cache
def _counters(operation: str, status: int) -> tuple[Any, Any]:
    """Looked up once: finding a labelled child costs more than counting."""
    return requests_seen.labels(operation, str(status)), seconds_taken.labels(operation)


def note(operation: str, status: int, seconds: float, request_id: str) -> None:
    """Counts and logs a request."""
    count, times = _counters(operation, status)
    count.inc()
    times.observe(seconds)
    _log.info("request", operation=operation, status=status, ms=round(seconds * 1000, 2), id=request_id)


def count_stream(response: Response) -> Response:
    """Counts a stream for as long as it is open."""
    streams_open.inc()
    response.call_on_close(streams_open.dec)
    return response


def metrics() -> bytes:
    """All measures of this node's processes, in Prometheus' text format."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
