"""Makes good for lost wake-ups: looks now and then whether something is new of what someone waits for."""

from collections import defaultdict
from uuid import UUID

import structlog

from kontor_games.service.background.threads import ThreadGroup
from kontor_games.service.errors import UnavailableError
from kontor_games.service.store.database import Database
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.wakeups.feed import Feed

_LOG = structlog.get_logger(__name__)
_AT_ONCE = 500
"""Ids in one query: SQLite takes no more than 999 values in its older versions."""


class Sweep(ThreadGroup):
    """Compares what the store holds now with what it held a moment ago, for every match and every player that someone waits for."""

    def __init__(self, store: EventStore, database: Database, feed: Feed, pause_s: float = 3.0) -> None:
        """Looks at nothing until it is started."""
        super().__init__(self._sweep)
        self._store = store
        self._database = database
        self._feed = feed
        self._pause_s = pause_s
        self._held: dict[str, dict[UUID, int]] = {}

    def _sweep(self) -> None:
        while not self.closing.wait(self._pause_s):
            try:
                self.look()
            except UnavailableError as error:
                _LOG.warning("sweep_interrupted", error=error.code)

    def look(self) -> None:
        """Wakes whoever waits for something that has changed since the last look, or that is looked at for the first time."""
        held = self._look_up(self._feed.awaited())
        changed = [topic for topic, versions in held.items() if self._held.get(topic) != versions]
        self._held = held
        self._feed.wake(changed)

    def _look_up(self, topics: list[str]) -> dict[str, dict[UUID, int]]:
        """For each topic the versions of the matches that belong to it: the match itself, or the matches of the player."""
        matches = {topic: [UUID(topic)] for topic in topics}
        for start in range(0, len(topics), _AT_ONCE):
            for player, found in self._matches_of(topics[start : start + _AT_ONCE]).items():
                matches[player] += found
        versions = self._store.newest(sorted({match for found in matches.values() for match in found}))
        return {topic: {match: versions[match] for match in found} for topic, found in matches.items()}

    def _matches_of(self, players: list[str]) -> dict[str, list[UUID]]:
        rows = self._database.read(
            "SELECT p.player, p.match_id FROM match_players p JOIN matches m ON m.id = p.match_id"  # noqa: S608  # only question marks
            f" WHERE m.status IN ('open', 'running') AND p.player IN ({', '.join('?' * len(players))})",
            players,
        )
        found: defaultdict[str, list[UUID]] = defaultdict(list)
        for row in rows:
            found[row["player"]].append(UUID(row["match_id"]))
        return found
