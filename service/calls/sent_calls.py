"""Which calls were sent, so that nobody is called twice for the same thing, even by two leading processes."""

from collections.abc import Callable

from eventsourcing.persistence import IntegrityError

from kontor_games.service.store.database import Database

_KEPT_MS = 60 * 24 * 3600 * 1000


class SentCalls:
    """Marks calls before they are sent: after a crash, one may be missing, but none comes twice."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database = database
        self._clock = clock

    def was_sent(self, player: str, match_id: str, way: str, number: int) -> bool:
        query = (
            "SELECT 1 AS sent FROM sent_calls WHERE player = ? AND match_id = ? AND way = ? AND number = ?"
        )
        return bool(self._database.read(query, (player, match_id, way, number)))

    def last_at(self, player: str, match_id: str, way: str) -> int:
        """When a player was last called to a match in a way; 0: never."""
        query = "SELECT MAX(at) AS at FROM sent_calls WHERE player = ? AND match_id = ? AND way = ?"
        return self._database.read(query, (player, match_id, way))[0]["at"] or 0

    def mark(self, player: str, match_id: str, way: str, number: int) -> bool:
        """Mark a call as sent; return whether it was not sent before."""
        now = self._clock()
        try:
            self._database.write(
                ("DELETE FROM sent_calls WHERE at <= ?", (now - _KEPT_MS,)),
                ("INSERT INTO sent_calls VALUES (?, ?, ?, ?, ?)", (player, match_id, way, number, now)),
            )
        except IntegrityError:
            return False
        return True
