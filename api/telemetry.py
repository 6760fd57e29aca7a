"""What is known of every request from outside: its id, its measures, its line in the log. Never a token, a name or anything hidden."""

import os
import re
import time
from functools import cache
from secrets import token_hex
from typing import Any

import structlog
from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from api.asking import REQUEST_ID
from api.problems import BadHeaderError

_REQUEST_ID = re.compile(REQUEST_ID)
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

requests_seen = Counter("kontor_http_requests_total", "Requests by operation and status.", ["operation", "status"])
seconds_taken = Histogram("kontor_http_request_seconds", "Time until the answer begins.", ["operation"], buckets=_BUCKETS)
streams_open = Gauge("kontor_http_streams_open", "Streams that are open now.", multiprocess_mode="livesum")
_log = structlog.get_logger("api")


def set_up_logging(level: str) -> None:
    """One JSON object a line on standard output, for this process."""
    levels = {"debug": 10, "info": 20, "warning": 30, "error": 40}
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", key="at"),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(levels[level]),
        cache_logger_on_first_use=True,
    )


def begin() -> None:
    """Notes when a request came, and under which id."""
    g.began = time.perf_counter()
    given = request.environ.get("HTTP_REQUEST_ID")
    if given is None:
        g.request_id = token_hex(8)
    elif _REQUEST_ID.fullmatch(given):
        g.request_id = given
    else:
        g.request_id = token_hex(8)
        detail = "must have 1 to 64 letters, digits, dots, dashes or underscores"
        raise BadHeaderError(f"the header Request-Id {detail}", [{"header": "Request-Id", "detail": detail}])


@cache
def _counters(operation: str, status: int) -> tuple[Any, Any]:
    """Looked up once: finding a labelled child costs more than counting."""
    return requests_seen.labels(operation, str(status)), seconds_taken.labels(operation)


def end(response: Response) -> Response:
    """Counts and logs a request."""
    took = time.perf_counter() - g.began
    operation = request.endpoint.rpartition(".")[2] if request.endpoint else "none"
    count, seconds = _counters(operation, response.status_code)
    count.inc()
    seconds.observe(took)
    _log.info("request", operation=operation, status=response.status_code, ms=round(took * 1000, 2), id=g.request_id)
    return response


def count_stream(response: Response) -> Response:
    """Counts a stream for as long as it is open."""
    streams_open.inc()
    response.call_on_close(streams_open.dec)
    return response


def metrics() -> bytes:
    """All measures of this service's processes, in Prometheus' text format."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def register(app: Flask) -> None:
    """Makes every request of the app begin and end here."""
    app.before_request(begin)
    app.after_request(end)
