"""Callers who use much CPU time take turns, so that moves never compete with more than one of them.

Python runs one thread of a process at a time, so a move takes longer by the number of threads that compute
something. A heavy caller is a player, or an address without a token, whose calls, without moves, have lately
taken more than a tenth of a core, beyond a reserve. Heavy callers are served one at a time, and after each
call none of them is served for as long as it took. Nobody else waits.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from kontor_games.service.errors import UnavailableError
from kontor_games.service.people.limits import Buckets

_CPU_US_PER_MINUTE = 6_000_000
"""Microseconds that a caller can use without ever waiting: a tenth of a core."""
_RESERVE_US = 300_000
_WAIT_S = 10.0
_MAX_WAITING = 12
"""Threads that wait for their turn; the rest of the 32 threads of a process serve others."""
_MAX_PAUSE_S = 0.25


class HeavyCallers:
    """Measures the CPU time of callers, and lets the heavy ones take turns."""

    def __init__(self) -> None:
        """Starts without any heavy caller."""
        self._used = Buckets("cpu", _CPU_US_PER_MINUTE)
        self._turn = Lock()
        self._waiting = 0

    @contextmanager
    def measured(self, key: str, *, takes_turns: bool = True) -> Iterator[Callable[[], int]]:
        """Measure the CPU time of the block, in the turn of the caller if they are heavy.

        Yields a function that returns the time in milliseconds so far. Raises UnavailableError if too many
        heavy callers wait, or if the turn does not come in time.
        """
        now = time.monotonic_ns() // 1_000_000
        heavy = takes_turns and self._used.used(key, now) > _RESERVE_US
        if heavy:
            self._wait()
        began = time.thread_time()
        try:
            yield lambda: int((time.thread_time() - began) * 1000)
        finally:
            seconds = time.thread_time() - began
            self._used.add(key, int(seconds * 1e6), time.monotonic_ns() // 1_000_000)
            if heavy:
                time.sleep(min(seconds, _MAX_PAUSE_S))
                self._turn.release()

    def _wait(self) -> None:
        if self._turn.acquire(blocking=False):
            return
        busy = UnavailableError("Your calls take much computing time, and other such calls wait. Try again.")
        if self._waiting >= _MAX_WAITING:
            raise busy
        self._waiting += 1
        try:
            if not self._turn.acquire(timeout=_WAIT_S):
                raise busy
        finally:
            self._waiting -= 1
