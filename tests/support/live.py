"""A service that answers real HTTP requests, in the process of the test."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import structlog
from werkzeug.serving import make_server

from kontor_games.api import create_app
from kontor_games.service.kontor import Kontor


@contextmanager
def serve_http(kontor: Kontor) -> Iterator[str]:
    """Serve HTTP requests inside the `with` block; yield the address."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    server = make_server("127.0.0.1", 0, create_app(kontor), threaded=True)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        structlog.reset_defaults()
