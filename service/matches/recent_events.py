"""A cache of the newest events, shared by all readers who may see the same: often thousands."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sized
from threading import Lock
from typing import Generic, Protocol, TypeVar

Key = tuple[Hashable, ...]
"""All that the answer depends on: stream, version, reader, limit. In a match this includes the names of the
players (in the narrator), since a name can be erased."""
_MAX_ANSWERS = 256
_MAX_EVENTS = 64
"""Longer answers, for readers who catch up, are not cached."""


class _HasEvents(Protocol):
    @property
    def events(self) -> Sized: ...


E = TypeVar("E", bound=_HasEvents)


class RecentEvents(Generic[E]):
    """Answers that several readers share."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._cached: OrderedDict[Key, E] = OrderedDict()

    def get(self, key: Key, make: Callable[[], E]) -> E:
        """Return the cached answer for a key, or the result of `make`."""
        with self._lock:
            found = self._cached.get(key)
        return found or self._add(key, make())

    def _add(self, key: Key, made: E) -> E:
        """Cache an answer; if another thread was first, return the cached one, so that all share it."""
        if len(made.events) > _MAX_EVENTS:
            return made
        with self._lock:
            made = self._cached.setdefault(key, made)
            if len(self._cached) > _MAX_ANSWERS:
                self._cached.popitem(last=False)
        return made
