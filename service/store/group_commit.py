"""Group commit: entries that are ready at the same time share one statement, round trip and flush to disk.

There is no delay: if no write is in flight, a caller writes now; callers that arrive during a write share the
next one. A caller with many items gains nothing by sharing, and writes them in parallel with the others.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")
_OWN_GROUP = 4
"""From this number on, the items of one caller form a group of their own."""
_MAX_PARALLEL = 2
"""How many such groups are written at the same time; the items of further callers share the next write."""


class _Pending(Generic[T]):
    """The items of one caller, and the thread that waits for them."""

    __slots__ = ("errors", "is_leader", "items", "woken")

    def __init__(self, items: Sequence[T]) -> None:
        self.items = items
        self.errors: Sequence[Exception | None] = ()
        self.is_leader = False
        self.woken = Lock()
        """Released when the items have been written, or when its thread must write the next group."""
        self.woken.acquire()


class GroupCommit(Generic[T]):
    """Writes items in groups. The first thread of each group, the leader, writes for all of them."""

    def __init__(self, write: Callable[[Sequence[T]], Sequence[Exception | None]]) -> None:
        """`write` returns an error or None for each item; if it raises, the whole group has failed."""
        self._write = write
        self._lock = Lock()
        self._next_group: list[_Pending[T]] = []
        self._writing = False
        self._parallel = 0
        """Groups of single callers that are being written."""

    def put_all(self, items: Sequence[T]) -> Sequence[Exception | None]:
        """Write all items in one group, perhaps with those of others; return an error or None for each."""
        if len(items) >= _OWN_GROUP and self._may_write_in_parallel():
            try:
                return self._write(items)
            finally:
                with self._lock:
                    self._parallel -= 1
        own = _Pending(items)
        with self._lock:
            self._next_group.append(own)
            own.is_leader, self._writing = not self._writing, True
        if not own.is_leader:
            own.woken.acquire()
        if own.is_leader:
            self._write_group(own)
        return own.errors

    def _may_write_in_parallel(self) -> bool:
        with self._lock:
            has_room = self._parallel < _MAX_PARALLEL
            self._parallel += has_room
        return has_room

    def _write_group(self, own: _Pending[T]) -> None:
        with self._lock:
            group, self._next_group = self._next_group, []
        items = [item for pending in group for item in pending.items]
        errors: Sequence[Exception | None] = [RuntimeError("the group was not written")] * len(items)
        try:
            errors = self._write(items)
        finally:
            self._wake_next_leader()
            given = iter(errors)
            for pending in group:
                pending.errors, pending.is_leader = list(islice(given, len(pending.items))), False
                if pending is not own:
                    pending.woken.release()

    def _wake_next_leader(self) -> None:
        with self._lock:
            leader = self._next_group[0] if self._next_group else None
            self._writing = leader is not None
        if leader is not None:
            leader.is_leader = True
            leader.woken.release()
