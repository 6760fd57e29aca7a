"""gunicorn's threaded worker, for clients that ask one thing after the other."""

import select
from threading import Thread
from typing import Any

from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]  # gunicorn has no types

STAY_MS = 50


class StayingWorker(ThreadWorker):  # type: ignore[misc]
    """After an answer a thread stays with its connection for a moment, since a program that plays asks again at once.

    The stock worker hands each request from its main thread to another one and back: measured, a third of all that a move costs. A client that
    thinks longer goes back to the main thread, where it holds no thread while it waits.
    """

    def handle(self, conn: Any) -> Any:
        """Serves requests on a connection until the next one is long in coming."""
        while True:
            kept = super().handle(conn)
            if kept is not True or not self.alive or not _asks_again(conn.sock):
                return kept

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Begins to shut down: open streams end now, and their clients come back to another process, so that nobody waits for them."""
        super().handle_exit(sig, frame)
        # Not in the handler itself, which may have interrupted whatever holds a lock.
        Thread(target=self.wsgi.extensions["kontor.end_waits"], name="end_waits").start()


def _asks_again(sock: Any) -> bool:
    waiting = select.poll()
    waiting.register(sock, select.POLLIN)
    return bool(waiting.poll(STAY_MS))
