"""Blocked players: they can't invite who has blocked them, are not paired with them, and are not heard."""

from collections.abc import Callable, Iterable

from kontor_games.domain.game import Refusal
from kontor_games.service.people.names import wait_for_erasure
from kontor_games.service.people.tokens import Caller
from kontor_games.service.store.database import Database

MAX_BLOCKED = 500


class TooManyBlockedError(Refusal):
    """You have blocked as many players as you can."""

    def __init__(self) -> None:
        super().__init__(f"At most {MAX_BLOCKED} players can be blocked.", rule="")


class Blocks:
    """Stores who has blocked whom; nobody is told that they were blocked."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database = database
        self._clock = clock

    def add(self, caller: Caller, blocked: str) -> None:
        """Block a player; blocking twice changes nothing."""
        player = caller.player
        if len(self.of([player]).get(player, ())) >= MAX_BLOCKED:
            raise TooManyBlockedError
        insert = (
            "INSERT INTO blocks SELECT a.id, b.id, ? FROM players a, players b"
            " WHERE a.id = ? AND a.name IS NOT NULL AND b.id = ? AND b.id <> a.id"
            " ON CONFLICT (player, blocked) DO NOTHING"
        )
        self._database.write(wait_for_erasure(player), (insert, (self._clock(), player, blocked)))

    def remove(self, caller: Caller, blocked: str) -> None:
        """Unblock a player, if they are blocked."""
        query = "DELETE FROM blocks WHERE player = ? AND blocked = ?"
        self._database.write((query, (caller.player, blocked)))

    def of(self, players: Iterable[str]) -> dict[str, frozenset[str]]:
        """Whom each of some players has blocked; those who have blocked nobody are missing."""
        query = "SELECT player, blocked FROM blocks WHERE player IN ({}) ORDER BY at"
        found: dict[str, set[str]] = {}
        for row in self._database.read_many(query, sorted(set(players))):
            found.setdefault(row["player"], set()).add(row["blocked"])
        return {player: frozenset(others) for player, others in found.items()}
