"""gunicorn's settings, read from the environment; `kontor serve` and deploy/gunicorn.conf.py both use them.

Each stream needs a thread, so there are many threads; a waiting thread costs 50 KiB. This file must not import
the application, which each worker imports for itself after the fork.
"""

import gc
import os
import tempfile
from typing import Any

_SQLITE = os.environ.get("KONTOR_DATABASE_URL", "sqlite:///").startswith("sqlite:")

wsgi_app = "kontor_games.api:create_app()"
bind = os.environ.get("BIND", "127.0.0.1:8000")
worker_class = "kontor_games.service.cli.gunicorn_worker.StayingWorker"
workers = int(os.environ.get("WEB_CONCURRENCY", "1" if _SQLITE else str(os.cpu_count() or 2)))
"""SQLite has one writer at a time, so one process serves it best."""
threads = int(os.environ.get("WEB_THREADS", "1000"))
worker_connections = threads + 200
keepalive = 75
"""Longer than a proxy keeps idle connections, so that it never uses one that is being closed."""
graceful_timeout = 10
timeout = 60
limit_request_line = 8190
limit_request_fields = 64
limit_request_field_size = 8190
"""A cursor over three hundred matches fits into one header."""
control_socket_disable = True
accesslog = None
"""The application logs each request itself, without secrets."""
loglevel = os.environ.get("KONTOR_LOG_LEVEL", "info")

if workers > 1:
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="kontor-metrics-"))


def child_exit(server: Any, worker: Any) -> None:
    """Remove the open streams of a dead worker from the metrics."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def post_worker_init(worker: Any) -> None:
    """Exclude loaded modules from garbage collection and run it less often: a move creates few cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
