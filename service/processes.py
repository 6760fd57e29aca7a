"""Work shared by several processes."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Processes started here ignore Ctrl-C from their first instruction on; the parent handles it and ends them."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def parallel_map(function: Callable[[T], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """Yield the results in the order of the items, independent of the number of processes."""
    jobs = min(jobs, len(items))
    if jobs <= 1:
        yield from map(function, items)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        with interrupts_ignored():
            results = pool.map(function, items)
        yield from results
