"""gunicorn's settings, read from the environment; for `kontor serve` and deploy/gunicorn.conf.py."""

import gc
import os
import resource
import sys
import tempfile
from typing import Any

_MOST_FILES = 16_384
_SQLITE = os.environ.get("KONTOR_DATABASE_URL", "sqlite:///").startswith("sqlite:")


def _raise_file_limit() -> int:
    """Allow this process, and the workers after it, as many open files as the system lets it have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


wsgi_app = "kontor_games.api:create_app()"
bind = os.environ.get("BIND", "127.0.0.1:8000")
worker_class = "kontor_games.api.server.worker.KontorWorker"
"""gunicorn imports it and lets it prepare the application before workers start, so they start at once."""
workers = int(os.environ.get("WEB_CONCURRENCY", "1" if _SQLITE else str(os.cpu_count() or 2)))
"""SQLite has one writer at a time, so one process serves it best."""
threads = int(os.environ.get("WEB_THREADS", "32"))
"""Requests that one process answers at the same time; streams have threads of their own."""
worker_connections = _raise_file_limit() - 200
"""Sockets; the rest is for the database and files."""
graceful_timeout = 10
timeout = 10
"""A process that is frozen for so long is replaced."""
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


def on_starting(server: Any) -> None:
    """End with a sentence if a setting is wrong, or the database lacks something that the service needs."""
    from kontor_games.service.settings import Settings, SettingsError
    from kontor_games.service.store.requirements import UnsuitableDatabaseError, check_database_if_reachable

    try:
        check_database_if_reachable(Settings.from_environ(os.environ))
    except (SettingsError, UnsuitableDatabaseError) as error:
        sys.exit(f"Error: {error}")


def child_exit(server: Any, worker: Any) -> None:
    """Remove the open streams of a dead worker from the metrics."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def post_worker_init(worker: Any) -> None:
    """Collect garbage less often, since a move creates few cycles, and let threads have shorter turns."""
    sys.setswitchinterval(0.001)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
