"""Times in which the service could accept no command: they count for nobody (docs/time.md).

Every process that serves players writes the time into one row, twice a second all together. Where the row is
older than that, none of them could: an outage, from the last time in the row until the first one after it.
"""

import time
from collections.abc import Callable
from typing import Literal, NamedTuple

from kontor_games.domain.match import Match
from kontor_games.service.errors import UnavailableError
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.threads import ThreadGroup

OUTAGE_TABLES = (
    "CREATE TABLE IF NOT EXISTS service_heartbeat (id INTEGER PRIMARY KEY, at BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS outages (since BIGINT PRIMARY KEY, until BIGINT NOT NULL)",
)
BEAT_MS = 500
GAP_MS = 2000
"""A shorter pause of all processes is not an outage. The smallest clock is longer."""
_MOST_KNOWN = 1000
_SKEW_MS = 60_000
"""A time in the row that lies further in the future was written by a clock that has been set back since."""


class Outage(NamedTuple):
    """A time in which the service could accept no command."""

    since: int
    until: int


class Outages:
    """The outages of the service, as its processes have stored them."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], int],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Knows of none until `check` is called in a process that serves or watches."""
        self._database = database
        self._clock = clock
        self._monotonic = monotonic
        self.role: Literal["none", "serves", "watches"] = "none"
        """Whether this process serves players, or only works for those that do."""
        self._beaten_at = float("-inf")
        self._known: tuple[Outage, ...] = ()

    def check(self) -> None:
        """Make sure that an outage that has just ended is known; called before a clock decides anything."""
        if self.role != "none" and self._silent_ms() > 2 * BEAT_MS:
            self.beat()

    def _silent_ms(self) -> float:
        return (self._monotonic() - self._beaten_at) * 1000

    def beat(self) -> None:
        """Write the time, and store an outage if nobody could for too long.

        In a process that only watches, raise UnavailableError while nobody serves.
        """
        now, silent_ms = self._clock(), self._silent_ms()
        query = "SELECT at, (SELECT MAX(until) FROM outages) AS ended FROM service_heartbeat WHERE id = 1"
        rows = self._database.read(query)
        before = rows[0]["at"] if rows else None
        if self.role == "watches":
            if before is not None and before + GAP_MS < now:
                raise UnavailableError("No process serves players.")
        else:
            # This process was there all the time if it has beaten lately: then only its clock was set.
            gap = before is not None and now - before > GAP_MS and silent_ms > GAP_MS
            self._write(before, now, is_outage=gap)
        if (rows and rows[0]["ended"]) != (
            self._known[-1].until if self._known else None
        ) or silent_ms > GAP_MS:
            self.read()
        self._beaten_at = self._monotonic()

    def _write(self, before: int | None, now: int, *, is_outage: bool) -> None:
        statements: list[Statement] = []
        if before is None:
            insert = "INSERT INTO service_heartbeat VALUES (1, ?) ON CONFLICT DO NOTHING"
            statements.append((insert, (now,)))
        elif not now - BEAT_MS < before < now + _SKEW_MS:
            update = "UPDATE service_heartbeat SET at = ? WHERE id = 1 AND at = ?"
            statements.append((update, (now, before)))
        if is_outage:
            insert = "INSERT INTO outages VALUES (?, ?) ON CONFLICT DO NOTHING"
            statements.append((insert, (before, now)))
        if statements:
            self._database.write(*statements)

    def read(self) -> None:
        """Read the newest outages."""
        query = "SELECT since, until FROM outages ORDER BY until DESC LIMIT ?"
        rows = self._database.read(query, (_MOST_KNOWN,))
        self._known = tuple(Outage(row["since"], row["until"]) for row in reversed(rows))

    @property
    def last(self) -> Outage | None:
        """The newest outage."""
        return self._known[-1] if self._known else None

    def owed(self, match: Match) -> Outage | None:
        """The first part of an outage that a match has not been given back, if a clock runs in it."""
        counted = max(match.at, match.returned_until)
        if not self._known or self._known[-1].until <= counted or match.next_deadline is None:
            return None
        parts = (Outage(max(since, counted), until) for since, until in self._known if until > counted)
        return next((part for part in parts if part.until - part.since >= BEAT_MS), None)


class Heartbeat(ThreadGroup):
    """Beats while a process serves players."""

    def __init__(self, outages: Outages) -> None:
        super().__init__(self._beat_regularly)
        self._outages = outages

    def _beat_regularly(self) -> None:
        self.repeat(self._outages.beat, BEAT_MS / 1000, "heartbeat_interrupted")
