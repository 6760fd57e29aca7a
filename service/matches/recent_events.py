"""A cache of the newest events of matches, shared by all readers who may see the same: often thousands."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from kontor_games.domain.narration.narrator import Narrator
from kontor_games.service.matches.answers import Events

Key = tuple[str, int, int, int, int, Narrator | None]
"""Match, its version, the seat of the reader or SPECTATOR, the version after which they read, the limit, and
the narrator, which contains the names of the players: a name can be erased."""
_MAX_ANSWERS = 256
_MAX_EVENTS = 64
"""Longer answers, for readers who catch up, are not cached."""


class RecentEvents:
    """Answers that several readers share."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._cached: OrderedDict[Key, Events] = OrderedDict()

    def get(self, key: Key, make: Callable[[], Events]) -> Events:
        """Return the cached answer for a key, or the result of `make`."""
        with self._lock:
            found = self._cached.get(key)
        return found or self._add(key, make())

    def _add(self, key: Key, made: Events) -> Events:
        """Cache an answer; if another thread was first, return the cached one, so that all share it."""
        if len(made.events) > _MAX_EVENTS:
            return made
        with self._lock:
            made = self._cached.setdefault(key, made)
            if len(self._cached) > _MAX_ANSWERS:
                self._cached.popitem(last=False)
        return made
