"""Calls players who are away to the matches that wait for them.

Nobody is called for a moment's thought, nor while they have the page open, which says the same itself. A call
that fails is not repeated.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol
from uuid import UUID

from kontor_games.domain.match import Match
from kontor_games.service.background.match_worker import MatchWorker
from kontor_games.service.calls.sent_calls import SentCalls
from kontor_games.service.calls.waiting import Waiting, waiting_in
from kontor_games.service.matches.house_commands import HouseCommands
from kontor_games.service.people.presence import Presence
from kontor_games.service.store.database import Database
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.wakeups.feed import Change, Feed

_SOON_MS = 1000
"""Several changes within this time are looked at together."""
_MATCHES = (
    "SELECT DISTINCT m.id, m.creator FROM match_players p JOIN matches m ON m.id = p.match_id"
    " WHERE m.status IN ('open', 'running') AND p.player IN ({})"
)


class Way(Protocol):
    """A way to call players, such as Web Push."""

    name: str

    def players(self) -> frozenset[str]:
        """Return the players who can be called in this way."""

    def due(self, match: Match, seen_at: int, called_at: int) -> int | None:
        """When a player is called whom a match awaits; None: never.

        The player was last seen, and last called to this match in this way, at these times.
        """

    def send(self, match_id: UUID, match: Match, waiting: Waiting) -> None:
        """Call a player; this may take some seconds, but not longer."""


class CallWorker(MatchWorker):
    """Calls each player once whenever a match begins to wait for them."""

    kind = "calls"
    thread_count = 4
    """Several, since each waits for other servers."""

    def __init__(
        self,
        house: HouseCommands,
        feed: Feed,
        clock: Callable[[], int],
        cache: MatchCache,
        database: Database,
        presence: Presence,
        ways: Sequence[Way],
    ) -> None:
        super().__init__(house, feed, clock)
        self._cache = cache
        self._database = database
        self._presence = presence
        self._sent = SentCalls(database, clock)
        self._ways = ways
        self._reachable: Mapping[str, frozenset[str]] = {}
        """By way: who could be called at the last scan."""

    def running(self) -> dict[UUID, tuple[int, str]]:
        """Read who can be called, and return their matches."""
        self._reachable = {way.name: way.players() for way in self._ways}
        players = sorted(frozenset[str]().union(*self._reachable.values()))
        creators = {UUID(row["id"]): row["creator"] for row in self._database.read_many(_MATCHES, players)}
        newest = self._cache.newest(sorted(creators), self.scanned)
        return {match_id: (version, creators[match_id]) for match_id, version in newest.items()}

    def on_change(self, change: Change) -> None:
        """Schedule the match if it concerns somebody who can be called."""
        if any(not known.isdisjoint(change.players) for known in self._reachable.values()):
            self.schedule.put(change.match, self.clock() + _SOON_MS, change.creator)

    def process(self, match_id: UUID) -> int | None:
        """Call those for whom the match waits; return when the next of them is to be called."""
        log = self._cache.get_fresh(match_id)
        awaited = [
            (one, way)
            for one in waiting_in(log.state, log.entries)
            for way in self._ways
            if one.player in self._reachable.get(way.name, ())
            and not self._sent.was_sent(one.player, log.name, way.name, one.number)
        ]
        seen = self._presence.last_seen(one.player for one, _ in awaited) if awaited else {}
        due = [self._call(match_id, log.state, one, way, seen.get(one.player, 0)) for one, way in awaited]
        return min((at for at in due if at is not None), default=None)

    def _call(self, match_id: UUID, match: Match, one: Waiting, way: Way, seen_at: int) -> int | None:
        """Call a player, if they are away for long enough; otherwise return when that will be."""
        called_at = self._sent.last_at(one.player, str(match_id), way.name)
        due = way.due(match, seen_at, called_at)
        if due is None or due > self.clock():
            return due
        if self._sent.mark(one.player, str(match_id), way.name, one.number):
            way.send(match_id, match, one)
        return None
