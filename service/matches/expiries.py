"""Ends expired matches, by the rule that each match has pinned (docs/time.md)."""

from collections.abc import Callable
from uuid import UUID

from kontor_games.service.errors import MatchDamagedError, NotFoundError
from kontor_games.service.matches.house_commands import HouseCommands
from kontor_games.service.store.database import Database

_BATCH = 100
_DAMAGED_MS = 24 * 3600 * 1000
"""Time until a damaged match is checked again."""


class Expiries:
    """Checks matches that may have expired.

    Commands do not update the stored expiry of their match, so most matches found here have been played since
    it was written. Their rows get the new time.
    """

    def __init__(self, house: HouseCommands, database: Database, clock: Callable[[], int]) -> None:
        self._house = house
        self._database = database
        self._clock = clock

    def end_due(self) -> int:
        """End the matches that have expired; return the number of checked matches."""
        query = "SELECT match_id FROM match_expiries WHERE due <= ? ORDER BY due LIMIT ?"
        rows = self._database.read(query, (self._clock(), _BATCH))
        for row in rows:
            self._check(row["match_id"])
        return len(rows)

    def _check(self, match_id: str) -> None:
        try:
            due = self._house.end_expired(UUID(match_id)).expiry
        except MatchDamagedError:
            due = self._clock() + _DAMAGED_MS
        except NotFoundError:
            due = None
        if due is None:
            self._database.write(("DELETE FROM match_expiries WHERE match_id = ?", (match_id,)))
        else:
            self._database.write(("UPDATE match_expiries SET due = ? WHERE match_id = ?", (due, match_id)))
