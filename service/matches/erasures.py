"""Resigns for erased players; otherwise a match without a clock would wait for them for ever."""

from contextlib import suppress
from uuid import UUID

from kontor_games.domain.game import Refusal
from kontor_games.service.errors import MatchDamagedError, StaleVersionError
from kontor_games.service.matches.house_commands import HouseCommands
from kontor_games.service.store.database import Database

_ERASED = (
    "SELECT m.id, p.player FROM matches m JOIN match_players p ON p.match_id = m.id"
    " JOIN players a ON a.id = p.player WHERE m.status IN ('open', 'running') AND a.name IS NULL"
)


class Erasures:
    """Gives up the seats of erased players."""

    def __init__(self, house: HouseCommands, database: Database) -> None:
        self._house = house
        self._database = database
        self._done: set[tuple[str, str]] = set()
        """Matches and players for which nothing is left to do, such as creators without a seat."""

    def resign_all(self, player: str | None = None) -> int:
        """Resign for one erased player, or for all of them; return in how many matches.

        The leading process repeats it, in case the process that erased a player could not finish it.
        """
        condition, values = ("", []) if player is None else (" AND p.player = ?", [player])
        rows = self._database.read(_ERASED + condition, values)
        found = {(row["id"], row["player"]) for row in rows}
        self._done = {pair for pair in self._done if player is not None or pair in found}
        return sum(self._resign(match_id, erased) for match_id, erased in sorted(found - self._done))

    def _resign(self, match_id: str, player: str) -> bool:
        with suppress(MatchDamagedError, Refusal, StaleVersionError):
            resigned = self._house.resign_erased(UUID(match_id), player)
            self._done.add((match_id, player))
            return resigned
        return False
