"""gunicorn's settings, read from the environment; `kontor serve` and deploy/gunicorn.conf.py both use them.

Streams hold a thread each, so there are many threads; they cost 50 KiB each while they wait. Standard library only, and nothing of the
application: it must be imported after the fork, in each worker.
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
"""Longer than a proxy keeps its own connections idle, so that it never sends into a closing one."""
graceful_timeout = 10
timeout = 60
limit_request_line = 8190
limit_request_fields = 64
limit_request_field_size = 8190
"""A cursor over three hundred matches fits into one header."""
control_socket_disable = True
accesslog = None
"""The application logs each request itself, without anything that should not be in a log."""
loglevel = os.environ.get("KONTOR_LOG_LEVEL", "info")

if workers > 1:
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="kontor-metrics-"))


def child_exit(server: Any, worker: Any) -> None:
    """A worker that is gone holds no open streams any more."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def post_worker_init(worker: Any) -> None:
    """What was loaded stays: the search for garbage passes it over, and comes less often, since a move leaves little behind."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
