"""Work shared by several processes."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Block SIGINT while processes are started, so that they inherit the mask; raise it here afterwards."""
    # The resource tracker unblocks the signal when it starts, so it must be running before.
    resource_tracker.ensure_running()
    received: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
    if received:
        raise KeyboardInterrupt


def parallel_map(function: Callable[[T], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """Yield the results in the order of the items, independent of the number of processes."""
    jobs = min(jobs, len(items))
    if jobs <= 1:
        yield from map(function, items)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        with interrupts_blocked():
            results = pool.map(function, items)
        yield from results
