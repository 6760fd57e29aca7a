"""Thread pools: one serves ordinary requests, the addresses in turn, the other streams and long polls.

Turns alone are not fair enough: Python runs one thread at a time, so a request also waits for all requests
that are already running. So the requests of one address that run at a time are limited, too.
"""

import select
import time
from collections import defaultdict, deque
from collections.abc import Callable
from threading import Condition, Semaphore, Thread
from typing import Generic, TypeVar

from kontor_games.api.server.connection import Connection, Phase
from kontor_games.api.server.exchange import Exchange
from kontor_games.api.server.own_responses import WIRE_ERRORS

T = TypeVar("T")
_MIXED_S = 2.0
"""How long the smaller limit applies after items of different keys have arrived."""


class FairQueue(Generic[T]):
    """Items with a key (the address); `take` serves the keys round-robin, `done` frees a slot of a key."""

    def __init__(self, max_per_key: int, max_when_shared: int) -> None:
        """Set the maximum of concurrent items per key, and a smaller one while there are other keys."""
        self._max_per_key = max_per_key
        self._max_when_shared = max_when_shared
        self._last = ""
        self._mixed_until = 0.0
        self._changed = Condition()
        self._waiting: defaultdict[str, deque[T]] = defaultdict(deque)
        self._taken: defaultdict[str, int] = defaultdict(int)
        self._turn: deque[str] = deque()
        self._in_turn: set[str] = set()
        self.idle = 0
        """Number of threads that wait for an item."""
        self.length = 0
        """Number of items that wait for a thread."""

    def put(self, key: str, item: T) -> None:
        with self._changed:
            if key != self._last:  # several keys are present
                self._last, self._mixed_until = key, time.monotonic() + _MIXED_S
            self._waiting[key].append(item)
            self.length += 1
            self._admit(key)

    def take(self) -> tuple[str, T]:
        """Wait for an item and return it with its key, which goes to the end of the round-robin order."""
        with self._changed:
            self.idle += 1
            while not self._turn:
                self._changed.wait()
            self.idle -= 1
            key = self._turn.popleft()
            self._in_turn.remove(key)
            item = self._waiting[key].popleft()
            self.length -= 1
            self._taken[key] += 1
            self._admit(key)
            return key, item

    def done(self, key: str) -> None:
        """Record that an item of the key is done."""
        with self._changed:
            self._taken[key] -= 1
            self._admit(key)
            if not self._taken[key] and not self._waiting[key]:
                del self._taken[key], self._waiting[key]

    @property
    def _limit(self) -> int:
        several = len(self._taken) > 1 or time.monotonic() < self._mixed_until
        return self._max_when_shared if several else self._max_per_key

    def _admit(self, key: str) -> None:
        """Give the key a turn if it has an item that may be taken."""
        if key not in self._in_turn and self._waiting[key] and self._taken[key] < self._limit:
            self._in_turn.add(key)
            self._turn.append(key)
            self._changed.notify()


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
