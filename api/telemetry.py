"""The metrics of this process for Prometheus; `middleware` updates those of requests."""

import os

from flask import Response
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from kontor_games.service.logging_setup import set_up_logging as set_up_logging

streams_open = Gauge("kontor_http_streams_open", "Streams that are open now.", multiprocess_mode="livesum")


def count_stream(response: Response) -> Response:
    """Count a stream in the gauge until its response is closed."""
    streams_open.inc()
    response.call_on_close(streams_open.dec)
    return response


def metrics() -> bytes:
    """All metrics of this node's processes, in the Prometheus text format."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
