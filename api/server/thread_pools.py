"""Thread pools: one for ordinary requests, a separate one for streams and long polls."""

import select
from collections.abc import Callable
from threading import Semaphore, Thread

from kontor_games.api.server.connection import Connection, Phase
from kontor_games.api.server.exchange import Exchange
from kontor_games.api.server.fair_queue import FairQueue
from kontor_games.api.server.own_responses import WIRE_ERRORS

STAY_MS = 50
"""How long a thread waits on a connection after an answer: programs send their next request at once."""
_MAX_REQUESTS_PER_TURN = 64
"""Maximum number of requests of one connection before the thread serves others."""

GiveBack = Callable[[Connection], None]


class RequestThreads:
    """Answer requests that do not block.

    Passing a request from the main thread to another one and back takes a third of the time of a move. So
    a thread stays with its connection for a moment if no other request is waiting for a thread.
    """

    def __init__(self, exchange: Exchange, give_back: GiveBack, max_threads: int) -> None:
        """Threads are started on demand; `give_back` is called with each connection after its requests."""
        self._exchange = exchange
        self._give_back = give_back
        self._max_threads = max_threads
        self._queue: FairQueue[Connection] = FairQueue(max(1, max_threads - 4), max(1, max_threads // 8))
        self._started = 0
        self._may_stay = Semaphore(max_threads // 2)

    def submit(self, key: str, connection: Connection) -> None:
        """Queue the request of a connection; different keys are served round-robin."""
        self._queue.put(key, connection)
        if self._queue.idle < self._queue.length and self._started < self._max_threads:
            self._started += 1
            Thread(target=self._work, name="request", daemon=True).start()

    def _work(self) -> None:
        try:
            while True:
                self._answer(*self._queue.take())
        finally:
            self._started -= 1  # only after an exception; `submit` starts another thread when needed

    def _answer(self, key: str, connection: Connection) -> None:
        try:
            self._serve(connection)
        except WIRE_ERRORS as error:
            connection.refuse(self._exchange.responses.to_error(error))
        except BaseException:
            connection.close()
            raise
        finally:
            self._queue.done(key)
            self._give_back(connection)

    def _serve(self, connection: Connection) -> None:
        """Answer the requests of a connection until there is none, or one that needs a thread of streams."""
        for _ in range(_MAX_REQUESTS_PER_TURN):
            self._exchange.answer(connection)
            if connection.phase is Phase.IDLE and self._stay(connection):
                connection.receive()
            is_next = connection.phase is Phase.READY and not self._queue.length
            if not is_next or self._exchange.may_wait(connection.head):
                break

    def _stay(self, connection: Connection) -> bool:
        """Wait for the next request for a moment, unless another connection needs this thread."""
        if self._queue.length or self._exchange.closing or not self._may_stay.acquire(blocking=False):
            return False
        waiting = select.poll()
        waiting.register(connection.sock, select.POLLIN)
        try:
            return bool(waiting.poll(STAY_MS))
        finally:
            self._may_stay.release()


class StreamThreads:
    """Answer streams and long polls with one thread each; the application limits them by caller."""

    def __init__(self, exchange: Exchange, give_back: GiveBack, max_threads: int) -> None:
        """Start at most `max_threads` threads at the same time."""
        self._exchange = exchange
        self._give_back = give_back
        self._places = Semaphore(max_threads)

    def submit(self, connection: Connection) -> bool:
        """Answer the request of a connection in a new thread; return False if there are too many threads."""
        if not self._places.acquire(blocking=False):
            return False
        Thread(target=self._work, args=(connection,), name="stream", daemon=True).start()
        return True

    def _work(self, connection: Connection) -> None:
        handed_over = False
        try:
            handed_over = self._exchange.stream(connection)
        except WIRE_ERRORS as error:
            connection.refuse(self._exchange.responses.to_error(error))
        except BaseException:
            connection.close()
            raise
        finally:
            self._places.release()
            if not handed_over:
                self._give_back(connection)
