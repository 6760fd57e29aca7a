"""Waiting for another thread or process, on slow machines too."""

import time
from collections.abc import Callable

SOON_S = 60.0
"""A timeout for something that takes a moment on an idle machine."""
PATIENCE_S = 180.0
"""How long a test waits for a condition; only a failing test waits that long."""


def wait_until(happened: Callable[[], object], seconds: float = PATIENCE_S) -> None:
    """Wait until a condition is true; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "the condition did not become true in time"
        time.sleep(0.005)
