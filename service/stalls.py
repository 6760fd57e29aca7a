"""Stalls: periods in which this process ran, but was too busy to run its own threads on time.

A client that makes a process work hard can cause one. So a stall is not an outage, which stops clocks.
"""

import time
from collections.abc import Callable
from threading import Lock

from kontor_games.service.threads import RepeatedWork

PULSE_S = 0.1
_BUSY = 0.1
"""A late process that used less CPU time than this share was suspended, not busy."""


class Stalls(RepeatedWork):
    """Measures stalls: a thread that sleeps shortly again and again, and notes how late it wakes."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        cpu: Callable[[], float] = time.process_time,
    ) -> None:
        """Nothing is measured before the first `pulse`."""
        super().__init__(self.pulse, PULSE_S, "stalls_not_measured")
        self._monotonic = monotonic
        self._cpu = cpu
        self._lock = Lock()
        self._last: tuple[float, float] | None = None
        self._total_s = 0.0

    def pulse(self) -> None:
        """Count the time since the last call, except a pulse, as a stall if this process was busy."""
        with self._lock:
            now, used = self._monotonic(), self._cpu()
            if self._last is not None:
                late_s = now - self._last[0] - PULSE_S
                if late_s > PULSE_S and used - self._last[1] >= late_s * _BUSY:
                    self._total_s += late_s
            self._last = now, used

    @property
    def total_ms(self) -> float:
        """The length of all stalls so far, including one that has just ended; 0 if nothing is measured."""
        if self._last is not None:
            self.pulse()
        return self._total_s * 1000
