"""Limits on the open and running matches that a player has created.

Matches that the service creates itself, such as those of a tournament, are announced directly
(`Matches.announce`), which does not check quotas.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from msgspec import Struct

from kontor_games.domain.match_refusals import MatchRefusal
from kontor_games.service.answer_fields import Internal
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import Database


class QuotaReachedError(MatchRefusal):
    """You have reached the limit of matches that you may have created at a time."""


class Quota(Struct, frozen=True):
    """A quota of matches that a player has created, and how much of it is used."""

    status: Internal[str]
    used: int
    """Current number."""
    limit: int
    """Maximum number."""


class Quotas:
    """Counts the matches of creators."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._limits = {"open": settings.open_matches, "running": settings.running_matches}
        self._lock = Lock()
        self._creating: Counter[str] = Counter()

    def of(self, player: str) -> tuple[Quota, ...]:
        """Return the used part of each quota of a player."""
        rows = self._database.read(
            "SELECT status, COUNT(*) AS count FROM matches"
            " WHERE creator = ? AND status IN ('open', 'running') GROUP BY status",
            (player,),
        )
        used = {row["status"]: row["count"] for row in rows}
        return tuple(Quota(status, used.get(status, 0), limit) for status, limit in self._limits.items())

    @contextmanager
    def creating(self, player: str) -> Iterator[None]:
        """Count a match that is being created, so that requests at the same time do not exceed a quota."""
        with self._lock:
            self._creating[player] += 1
        try:
            yield
        finally:
            with self._lock:
                self._creating[player] -= 1
                if not self._creating[player]:
                    del self._creating[player]

    def require_within_quota(self, player: str) -> None:
        """Raise QuotaReachedError if the match that a player is creating is one too many."""
        # Read before the query: a match that is stored in between is counted twice rather than missed.
        creating = self._creating[player]
        for quota in self.of(player):
            if quota.used + creating > quota.limit:
                raise QuotaReachedError(
                    f"You have created {quota.used} matches that are {quota.status}, "
                    f"and may have {quota.limit}. Abort some, or wait until they end."
                )
