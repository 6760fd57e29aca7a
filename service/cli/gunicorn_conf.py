"""Settings of gunicorn, read from the environment; used by `kontor serve` and deploy/gunicorn.conf.py."""

import ctypes
import gc
import os
import resource
import sys
import tempfile
from contextlib import suppress
from typing import Any

_MAX_OPEN_FILES = 16_384
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
"""The numbers of these options of glibc's `mallopt`."""
_MAPPED_BYTES = 128 * 1024
_SQLITE = os.environ.get("KONTOR_DATABASE_URL", "sqlite:///").startswith("sqlite:")


def _raise_file_limit() -> int:
    """Raise the limit of open files for this process and its workers; return the new limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit


def _limit_heaps() -> None:
    """Let all threads of the workers share two heaps of glibc, and keep large blocks out of them.

    It has 8 heaps per core, each of which keeps what it once needed; and once a large block has been freed,
    it takes later ones of that size from the heaps, where they leave holes. It reads the number of heaps
    when the first thread starts, so it is set here, before gunicorn forks workers.
    """
    with suppress(AttributeError, OSError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_ARENA_MAX, 2)
        libc.mallopt(_M_MMAP_THRESHOLD, _MAPPED_BYTES)


_limit_heaps()
wsgi_app = "kontor_games.api:create_app()"
bind = os.environ.get("BIND", "127.0.0.1:8000")
worker_class = "kontor_games.api.worker.KontorWorker"
"""Its `check_config` prepares the application before gunicorn forks workers, so that they start quickly."""
workers = int(os.environ.get("WEB_CONCURRENCY", "1" if _SQLITE else str(os.cpu_count() or 2)))
"""SQLite allows one writer at a time, so more processes would only wait for each other."""
threads = int(os.environ.get("WEB_THREADS", "32"))
"""The number of requests that one process handles concurrently; streams have separate threads."""
worker_connections = _raise_file_limit() - 200
"""The maximum number of open sockets; the remaining 200 file descriptors are for the database and files."""
graceful_timeout = 10
timeout = 10
"""Seconds after which gunicorn kills and replaces a worker that does not respond."""
limit_request_line = 8190
limit_request_fields = 64
limit_request_field_size = 8190
"""Large enough for a header with a cursor over three hundred matches."""
control_socket_disable = True
accesslog = None
"""The application logs each request itself, without secrets."""
logger_class = "kontor_games.service.cli.server_log.ServerLog"
loglevel = os.environ.get("KONTOR_LOG_LEVEL", "info")

if workers > 1:
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="kontor-metrics-"))


def on_starting(server: Any) -> None:
    """Exit with an error message if a setting is invalid, or the database lacks a required feature."""
    from kontor_games.service.errors import OperatorError
    from kontor_games.service.settings import Settings
    from kontor_games.service.store.requirements import check_database_if_reachable

    try:
        check_database_if_reachable(Settings.from_environ(os.environ))
    except OperatorError as error:
        sys.exit(f"Error: {error}")


def child_exit(server: Any, worker: Any) -> None:
    """Remove the open streams of a dead worker from the metrics."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def post_worker_init(worker: Any) -> None:
    """Collect garbage less often, since a move creates few cycles, and switch threads more often."""
    sys.setswitchinterval(0.0003)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
