"""Presence: players with a call in the last minutes or an open stream are online.

A request only records a time in memory. Every half minute each process stores the players whom it has seen.
"""

from collections.abc import Callable, Iterable

from kontor_games.service.people.limits import OpenStreams
from kontor_games.service.people.tokens import Tokens
from kontor_games.service.store.database import Database
from kontor_games.service.threads import RepeatedWork

PRESENT_MS = 300_000
"""How long players count as online after their last call."""
_PAUSE_S = 30.0
_UPSERT = (
    "INSERT INTO presence VALUES (?, ?) ON CONFLICT (player) DO UPDATE SET seen_at = excluded.seen_at"
    " WHERE excluded.seen_at > presence.seen_at"
)


class Presence(RepeatedWork):
    """Periodically stores which players were seen."""

    def __init__(
        self, database: Database, clock: Callable[[], int], tokens: Tokens, streams: OpenStreams
    ) -> None:
        super().__init__(self.write, _PAUSE_S, "presence_not_written")
        self._database = database
        self._clock = clock
        self._tokens = tokens
        self._streams = streams

    def last_seen(self, players: Iterable[str]) -> dict[str, int]:
        """When each of these players was last seen by any process; those who are offline may be missing."""
        query = "SELECT player, seen_at FROM presence WHERE player IN ({})"
        rows = self._database.read_many(query, sorted(set(players)))
        return {row["player"]: row["seen_at"] for row in rows}

    def write(self) -> None:
        """Store the players seen since the last call, and delete those who are offline."""
        now = self._clock()
        last_seen = self._tokens.take_last_seen() | dict.fromkeys(self._streams.players(), now)
        if not last_seen:
            return
        old = ("DELETE FROM presence WHERE seen_at <= ?", (now - PRESENT_MS,))
        self._database.write(old, *((_UPSERT, one) for one in sorted(last_seen.items())))
