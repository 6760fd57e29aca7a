"""The delay with which spectators see a running match, if its creator has set one."""

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from threading import Lock

from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import MatchStarted
from kontor_games.service.store.match_cache import CachedMatch

_MAX_POSITIONS = 64


class Delays:
    """Shows spectators earlier positions, and wakes those who wait when a later one may be shown."""

    def __init__(self, clock: Callable[[], int], wake: Callable[[list[str]], None]) -> None:
        """`wake` is called with the ids of matches of which more may be shown now."""
        self._clock = clock
        self._wake = wake
        self._lock = Lock()
        self._due: dict[str, int] = {}
        # All spectators of a match share a position.
        self._position = lru_cache(_MAX_POSITIONS)(lambda cached, version: cached.at_version(version))

    def shown(self, cached: CachedMatch, match: Match, player: str | None) -> tuple[Match, int]:
        """The match as somebody may see it, and the time at which they see it."""
        now = self._clock()
        if not match.is_delayed_for(player):
            return match, now
        version, at = self.newest_shown(cached, match), now - match.created.spectator_delay * 1000
        past: Match = self._position(cached, version)
        return past, max(at, past.at)

    def newest_shown(self, cached: CachedMatch, match: Match) -> int:
        """The newest version of a running match that spectators see: at least that of its start."""
        entries = cached.entries_until(match.version)
        delay = match.created.spectator_delay * 1000
        count = bisect_right(entries, self._clock() - delay, key=lambda entry: entry.at)
        started = next(
            number
            for number, entry in enumerate(entries, 1)
            if any(isinstance(fact, MatchStarted) for fact in entry.facts)
        )
        count = max(count, started)
        if count < len(entries):
            self._wake_at(cached.name, entries[count].at + delay)
        return entries[count - 1].last

    def _wake_at(self, match_id: str, due: int) -> None:
        with self._lock:
            self._due[match_id] = min(due, self._due.get(match_id, due))

    def wake_due(self) -> None:
        """Wake those who wait for matches of which more may be shown by now; repeated all the time."""
        now = self._clock()
        with self._lock:
            due = [match_id for match_id, at in self._due.items() if at <= now]
            for match_id in due:
                del self._due[match_id]
        if due:
            self._wake(due)
