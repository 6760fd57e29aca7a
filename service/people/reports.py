"""Reports about players, which only the administrators of the service read."""

from collections.abc import Callable
from typing import Literal, get_args
from uuid import UUID, uuid4, uuid5

import msgspec
from eventsourcing.persistence import IntegrityError

from kontor_games.service.answer_fields import Id, Moment
from kontor_games.service.errors import NotFoundError, RateLimitedError
from kontor_games.service.people.names import wait_for_erasure
from kontor_games.service.people.players import Player, Players
from kontor_games.service.people.tokens import Caller
from kontor_games.service.store.database import Database

Reason = Literal["name", "stalling", "cheating", "other"]
Outcome = Literal["dismissed", "warned", "banned"]
REASONS, OUTCOMES = get_args(Reason), get_args(Outcome)
MAX_PER_DAY = 10
_DAY_MS = 24 * 3600 * 1000
_KEPT_MS = 365 * _DAY_MS
_NAMESPACE = UUID("6b6f6e74-6f72-5265-8570-6f7274000000")


class Report(msgspec.Struct, frozen=True):
    """A report about a player."""

    id: Id
    """Id of the report."""
    reporter: Player | None
    """Who has made the report; null if they have deleted their account."""
    reported: Player | None
    """Whom it is about."""
    match: Id | None
    """The match in which it happened, if one was named."""
    reason: str
    """`name`: an offensive name; `stalling`: keeps others waiting on purpose; `cheating`; `other`."""
    text: str
    """What the reporter says about it."""
    at: Moment
    """Time of the report."""
    outcome: str | None
    """`dismissed`, `warned` or `banned`; null while the report is open."""


class Reports:
    """Stores reports, and what an administrator has decided about them."""

    def __init__(self, database: Database, players: Players, clock: Callable[[], int]) -> None:
        self._database = database
        self._players = players
        self._clock = clock

    def add(
        self, caller: Caller, key: str | None, reported: str, reason: str, text: str, match: str | None
    ) -> None:
        """Store a report, once for each key; raise RateLimitedError after too many in one day."""
        player, now = caller.player, self._clock()
        self._players.get(reported)
        report_id = str(uuid5(_NAMESPACE, f"{player} {key}") if key else uuid4())
        query = "SELECT id, at FROM reports WHERE player = ? AND at > ? ORDER BY at"
        recent = self._database.read(query, (player, now - _DAY_MS))
        if any(row["id"] == report_id for row in recent):
            return
        if len(recent) >= MAX_PER_DAY:
            wait = recent[0]["at"] + _DAY_MS - now
            detail = f"At most {MAX_PER_DAY} reports can be made in one day."
            raise RateLimitedError(detail, retry_after_ms=wait, limit=MAX_PER_DAY, reset_ms=wait)
        insert = (
            "INSERT INTO reports SELECT ?, id, ?, ?, ?, ?, ?, NULL, NULL FROM players"
            " WHERE id = ? AND name IS NOT NULL"
        )
        try:
            self._database.write(
                wait_for_erasure(player),
                ("DELETE FROM reports WHERE at <= ?", (now - _KEPT_MS,)),
                (insert, (report_id, reported, match, reason, text, now, player)),
            )
        except IntegrityError:  # the same request, sent twice at the same time
            return

    def list(self, limit: int, *, is_open: bool = True) -> list[Report]:
        """Return reports, the oldest first: those without a decision, or those with one."""
        condition = "IS NULL" if is_open else "IS NOT NULL"
        rows = self._database.read(
            f"SELECT * FROM reports WHERE outcome {condition} ORDER BY at, id LIMIT ?",  # noqa: S608
            (limit,),
        )
        known = self._players.get_many({row[name] for row in rows for name in ("player", "reported")})
        return [
            Report(
                *(row["id"], known.get(row["player"]), known.get(row["reported"]), row["match_id"]),
                *(row["reason"], row["text"], Moment(row["at"]), row["outcome"]),
            )
            for row in rows
        ]

    def close(self, report_id: str, outcome: str) -> str:
        """Decide about a report, or change the decision; return the player whom it is about."""
        rows = self._database.read("SELECT reported FROM reports WHERE id = ?", (report_id,))
        if not rows:
            raise NotFoundError("There is no such report.")
        query = "UPDATE reports SET outcome = ?, closed_at = ? WHERE id = ?"
        self._database.write((query, (outcome, self._clock(), report_id)))
        return str(rows[0]["reported"])
