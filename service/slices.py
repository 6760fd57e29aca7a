"""Long computations give way to moves: they work in slices, and pause between two while a move is made.

Python runs one thread at a time. A thread that reads or writes must queue again for its turn each time, some
twenty times in a move, and each time waits for whoever computes. So a computation that looks up between two
of its steps delays moves less than any switching of threads.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock, local
from typing import TypeVar

T = TypeVar("T")
_PAUSE_S = 0.0005
_MAX_PAUSE_S = 0.25
"""How long a computation waits for moves at most, so that every computation ends."""


class _Moves(local):
    """Whether this thread makes a move."""

    mine = False


_moves, _lock = _Moves(), Lock()
_under_way = [0]
"""The number of moves that are made in this process now."""


@contextmanager
def making_a_move() -> Iterator[None]:
    """Let computations in slices pause during the block; those of this thread do not."""
    with _lock:
        _under_way[0] += 1
    _moves.mine = True
    try:
        yield
    finally:
        _moves.mine = False
        with _lock:
            _under_way[0] -= 1


def in_slices(items: Iterable[T]) -> Iterator[T]:
    """Return the items of a long computation, and give way to moves before each.

    Not for a computation that holds a lock for which a move may wait.
    """
    waited = 0.0
    for item in items:
        while _under_way[0] and not _moves.mine and waited < _MAX_PAUSE_S:
            began = time.monotonic()
            time.sleep(_PAUSE_S)
            waited += time.monotonic() - began
        yield item
