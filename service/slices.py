"""Long computations give way to moves, and take turns: they work in slices, and pause between two of them.

Python runs one thread at a time. A thread that reads or writes must queue again for its turn each time, some
twenty times in a move, and each time waits for whoever computes. So a computation that looks up between two
of its steps delays moves less than any switching of threads, and one at a time less than four.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock, get_ident, local
from typing import TypeVar

T = TypeVar("T")
_PAUSE_S = 0.0005
_MAX_PAUSE_S = 0.25
"""How long a computation waits at most, so that every computation ends."""
_TURN_S = 0.005
"""How long others wait for the next slice of a computation, which may have been given up."""


class _Moves(local):
    """Whether this thread makes a move."""

    mine = False


_moves, _lock = _Moves(), Lock()
_under_way = [0]
"""The number of moves that are made in this process now."""
_turn = [(0, 0.0)]
"""The thread that computes, and until when it may come back for its next slice."""


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
    """Return the items of a long computation; before each, give way to moves, and to who began earlier.

    Not for a computation that holds a lock for which a move may wait.
    """
    waited, me = 0.0, get_ident()
    for item in items:
        while waited < _MAX_PAUSE_S and (pause := _pause_of(me)):
            began = time.monotonic()
            time.sleep(pause)
            waited += time.monotonic() - began
        yield item
    if _turn[0][0] == me:
        _turn[0] = (0, 0.0)


def _pause_of(me: int) -> float:
    """Return how long a thread pauses before it asks again: 0 if it has the turn and no move is made."""
    if _moves.mine:
        return 0.0
    now, (holder, until) = time.monotonic(), _turn[0]
    if holder != me and now < until:
        return _TURN_S
    _turn[0] = (me, now + _TURN_S)
    return _PAUSE_S if _under_way[0] else 0.0
