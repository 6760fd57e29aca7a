"""Waiting for something that another thread or process does, however slow the machine is."""

import time
from collections.abc import Callable

SOON_S = 60.0
"""How long something may take that takes a moment on an idle machine."""
PATIENCE_S = 180.0
"""How long a test waits for a condition. Only a test that fails waits so long."""


def wait_until(happened: Callable[[], object], seconds: float = PATIENCE_S) -> None:
    """Wait for a condition; fail only after a time that no machine needs."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)
