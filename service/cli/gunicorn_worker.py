"""gunicorn's threaded worker, faster for clients that send one request after the other."""

import select
from threading import Thread
from typing import Any

from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]  # gunicorn has no types

STAY_MS = 50


class StayingWorker(ThreadWorker):  # type: ignore[misc]
    """Keeps a thread on its connection for a moment after an answer: a program sends the next request at once.

    gunicorn's own worker hands each request from the main thread to another one and back, which is a third of the
    measured cost of a move. The connection of a slower client goes back to the main thread, where it needs no
    thread while it waits.
    """

    def handle(self, conn: Any) -> Any:
        """Serve requests on a connection until the next one takes too long to arrive."""
        while True:
            kept = super().handle(conn)
            if kept is not True or not self.alive or not _asks_again(conn.sock):
                return kept

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Start to shut down and end all open streams; their clients reconnect to another process."""
        super().handle_exit(sig, frame)
        # Not in the handler itself, which may have interrupted whatever holds a lock.
        Thread(target=self.wsgi.extensions["kontor.end_waits"], name="end_waits").start()


def _asks_again(sock: Any) -> bool:
    waiting = select.poll()
    waiting.register(sock, select.POLLIN)
    return bool(waiting.poll(STAY_MS))
