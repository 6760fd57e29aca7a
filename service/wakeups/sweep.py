"""Replaces lost wake-ups: regularly compares the versions in the store for every topic that has waiters."""

from collections import defaultdict
from uuid import UUID

from kontor_games.service.store.database import Database
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.threads import RepeatedWork
from kontor_games.service.wakeups.feed import Feed


class Sweep(RepeatedWork):
    """Wakes the waiters of every match and player whose versions have changed since the last sweep."""

    def __init__(self, store: EventStore, database: Database, feed: Feed, pause_s: float = 3.0) -> None:
        super().__init__(self.sweep, pause_s, "sweep_interrupted")
        self._store = store
        self._database = database
        self._feed = feed
        self._versions: dict[str, dict[UUID, int]] = {}

    def sweep(self) -> None:
        """Notify the waiters of topics that have changed since the last sweep, and of new topics.

        They get the versions that were found, so that those who have them already need not read the store.
        """
        before, self._versions = self._versions, self._read_versions(self._feed.topics())
        for topic, found in self._versions.items():
            known = before.get(topic, {})
            changed = {match: version for match, version in found.items() if known.get(match) != version}
            if known.keys() - found.keys():
                # A match of a player has ended, and its last version is not among these.
                self._feed.wake([topic])
            elif changed:
                self._feed.notify_topic(topic, changed)

    def _read_versions(self, topics: list[str]) -> dict[str, dict[UUID, int]]:
        """Return the versions of the match, or of all matches of the player, for each topic."""
        known = {match: version for found in self._versions.values() for match, version in found.items()}
        matches = {topic: [UUID(topic)] for topic in topics}
        for player, found in self._matches_of(topics).items():
            matches[player] += found
        versions = self._store.newest(sorted({match for found in matches.values() for match in found}), known)
        return {topic: {match: versions[match] for match in found} for topic, found in matches.items()}

    def _matches_of(self, players: list[str]) -> dict[str, list[UUID]]:
        rows = self._database.read_many(
            "SELECT p.player, p.match_id FROM match_players p JOIN matches m ON m.id = p.match_id"
            " WHERE m.status IN ('open', 'running') AND p.player IN ({})",
            players,
        )
        found: defaultdict[str, list[UUID]] = defaultdict(list)
        for row in rows:
            found[row["player"]].append(UUID(row["match_id"]))
        return found
