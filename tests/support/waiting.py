"""Waiting for what happens in other threads."""

import time
from collections.abc import Callable


def wait_until(happened: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for a condition; fail only after a time that no machine needs."""
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.01)
