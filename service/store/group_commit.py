"""Entries that are ready at the same time are stored together: one statement, one round trip, one flush to disk for all of them.

Nobody waits for company: who comes while nothing is being stored stores at once, who comes meanwhile goes with the next group.
"""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class _Waiting(Generic[T]):
    """One item on its way, and the thread that waits for it."""

    __slots__ = ("error", "item", "leads", "turn")

    def __init__(self, item: T) -> None:
        self.item = item
        self.error: Exception | None = None
        self.leads = False
        self.turn = Lock()
        self.turn.acquire()


class GroupCommit(Generic[T]):
    """Carries items out in groups; the thread that finds nothing under way leads, and passes the lead on."""

    def __init__(self, carry_out: Callable[[Sequence[T]], Sequence[Exception | None]]) -> None:
        """`carry_out` answers for each item of a group whether it failed; where it raises, all have failed."""
        self._carry_out = carry_out
        self._lock = Lock()
        self._next: list[_Waiting[T]] = []
        self._busy = False

    def put(self, item: T) -> None:
        """Returns when the item is carried out, raises where it failed."""
        mine = _Waiting(item)
        with self._lock:
            self._next.append(mine)
            mine.leads, self._busy = not self._busy, True
        if not mine.leads:
            mine.turn.acquire()
        if mine.leads:
            self._lead(mine)
        if mine.error is not None:
            raise mine.error

    def _lead(self, mine: _Waiting[T]) -> None:
        with self._lock:
            group, self._next = self._next, []
        errors: Sequence[Exception | None] = [RuntimeError("the group was not carried out")] * len(group)
        try:
            errors = self._carry_out([waiting.item for waiting in group])
        finally:
            self._pass_on()
            for waiting, error in zip(group, errors, strict=True):
                waiting.error, waiting.leads = error, False
                if waiting is not mine:
                    waiting.turn.release()

    def _pass_on(self) -> None:
        with self._lock:
            follower = self._next[0] if self._next else None
            self._busy = follower is not None
        if follower is not None:
            follower.leads = True
            follower.turn.release()
