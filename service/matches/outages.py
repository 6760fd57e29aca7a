"""Outages: periods in which the service could accept no command; clocks stop during them (docs/time.md).

The processes that serve players write the time into one row; together they do so twice a second. If the row
is older than `GAP_MS`, none of them could: that was an outage, from the last time in the row until the next
one. The age of the row is measured with one clock that all processes share, because the clock of a single
process may be wrong or may have been set meanwhile. A process that was only too busy to write does not count
that time: otherwise a client could stop its own clock by keeping the service busy.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

from kontor_games.domain.match import Match
from kontor_games.service.errors import UnavailableError
from kontor_games.service.stalls import Stalls
from kontor_games.service.store.database import Database, Statement
from kontor_games.service.threads import RepeatedWork

BEAT_MS = 500
GAP_MS = 2000
"""A shorter pause of all processes is not an outage. By default, the smallest clock is longer."""
_MAX_KNOWN = 1000
_PATIENCE_S = 1.0
"""How long `require_beat` waits for a heartbeat that is late."""
SERVER_CLOCK = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS ms"
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_NO_CLOCK = ""


class Outage(NamedTuple):
    """A period in which the service could accept no command."""

    since: int
    until: int


class Reading(NamedTuple):
    """The milliseconds on a clock that all processes share; readings of two clocks can't be compared."""

    clock: str
    ms: int


def uptime() -> float:
    """Return the seconds since this machine was started, including those in which it was suspended."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def clock_of_machine() -> Reading:
    """Read the uptime of this machine; restarts of processes and the system clock do not change it."""
    try:
        return Reading(_BOOT_ID.read_text(encoding="ascii").strip(), int(uptime() * 1000))
    except OSError:
        return Reading(_NO_CLOCK, 0)


class Outages(RepeatedWork):
    """The outages of the service, as its processes have stored them.

    While a process serves players, its thread calls `beat` twice a second.
    """

    def __init__(
        self, database: Database, clock: Callable[[], int], monotonic: Callable[[], float], stalls: Stalls
    ) -> None:
        """Starts without outages; `check` reads them in a process that serves or watches."""
        super().__init__(self._beat_or_note, BEAT_MS / 1000, "heartbeat_interrupted")
        self._failure: UnavailableError | None = None
        """Why the last heartbeat failed."""
        self._stalls = stalls
        self._stalled_before_ms = 0.0
        self._database = database
        self._clock = clock
        self._monotonic = monotonic
        self.shared_clock = self._clock_of_server if database.is_postgres else clock_of_machine
        """Reads the clock by which the age of the row is measured."""
        self.role: Literal["none", "serves", "watches"] = "none"
        """Whether this process serves players, or only does background work for those that do."""
        self._last_beat_at = float("-inf")
        self._known: tuple[Outage, ...] = ()

    def _clock_of_server(self) -> Reading:
        return Reading("server", self._database.read(SERVER_CLOCK)[0]["ms"])

    def check(self) -> None:
        """Make sure that an outage that has just ended is known; called before a clock decides anything."""
        if self.role != "none" and self._ms_since_beat() > 2 * BEAT_MS:
            self.beat()

    def require_beat(self) -> None:
        """Raise UnavailableError unless the database could be read and written within the last second.

        While the thread runs, this never waits for the database itself, which may not answer at all.
        """
        if not self._threads:
            self._database.read("SELECT 1 AS one")
            self.check()
            return
        until = self._monotonic() + _PATIENCE_S
        while self._ms_since_beat() > 2 * BEAT_MS:
            if self._monotonic() > until:
                raise self._failure or UnavailableError("The database does not answer.")
            self.closing.wait(_PATIENCE_S / 20)

    def _beat_or_note(self) -> None:
        try:
            self.beat()
        except UnavailableError as error:
            self._failure = error
            raise
        self._failure = None

    def _ms_since_beat(self) -> float:
        return (self._monotonic() - self._last_beat_at) * 1000

    def beat(self) -> None:
        """Write the time, and store an outage if no process could do so for too long.

        In a process that only watches, raise UnavailableError while no process serves players.
        """
        ms_since_beat = self._ms_since_beat()
        reading, now = self.shared_clock(), self._clock()
        query = (
            "SELECT h.at, c.clock, c.ms, (SELECT MAX(until) FROM outages) AS ended FROM service_heartbeat h"
            " LEFT JOIN heartbeat_clock c ON c.id = h.id WHERE h.id = 1"
        )
        rows = self._database.read(query)
        stalled_ms = self._stalls.total_ms
        if rows:
            before, written = rows[0]["at"], Reading(rows[0]["clock"], rows[0]["ms"])
            # After a restart of the machine, or with a database from another one, only the clocks of the
            # processes can be compared.
            age_ms = reading.ms - written.ms if is_same_clock(reading, written) else now - before
            if self.role == "serves":
                lost_ms = (
                    age_ms - round(stalled_ms - self._stalled_before_ms) if ms_since_beat > GAP_MS else 0
                )
                self._write_time(reading, now, before, age_ms, lost_ms)
            elif age_ms > GAP_MS:
                raise UnavailableError("No process serves players.")
        elif self.role == "serves":  # the very first time
            insert = "INSERT INTO service_heartbeat VALUES (1, ?) ON CONFLICT DO NOTHING"
            self._database.write((insert, (now,)), _clock_row(reading, now))
        ended = rows[0]["ended"] if rows else None
        if ended != (self.last.until if self.last else None) or ms_since_beat > GAP_MS:
            self.read()
        self._last_beat_at, self._stalled_before_ms = self._monotonic(), stalled_ms

    def _write_time(self, reading: Reading, now: int, before: int, age_ms: int, lost_ms: int) -> None:
        """Write the time if that is due, and an outage if `lost_ms`, in which nobody could write, is long.

        If this process has written recently, there was no outage, and only a clock was set. Of several
        processes that recover at the same time, only the one that changes the row stores the outage, even if
        two of them write the same time.
        """
        if 0 <= age_ms < BEAT_MS:
            return
        statements: list[Statement] = [
            ("UPDATE service_heartbeat SET at = ? WHERE id = 1 AND at = ?", (now, before)),
            _clock_row(reading, now),
        ]
        if lost_ms > GAP_MS:
            insert = (
                "INSERT INTO outages SELECT ?, ? FROM service_heartbeat WHERE id = 1 AND at = ?"
                " AND NOT EXISTS (SELECT 1 FROM outages WHERE until = ?) ON CONFLICT DO NOTHING"
            )
            statements.append((insert, (now - lost_ms, now, now, now)))
        self._database.write(*statements)

    def read(self) -> None:
        query = "SELECT since, until FROM outages ORDER BY until DESC LIMIT ?"
        rows = self._database.read(query, (_MAX_KNOWN,))
        self._known = tuple(Outage(row["since"], row["until"]) for row in reversed(rows))

    @property
    def last(self) -> Outage | None:
        return self._known[-1] if self._known else None

    def uncredited_outage(self, match: Match) -> Outage | None:
        """The first part of an outage that was not yet credited to a match, if a clock runs in it."""
        counted = max(match.at, match.returned_until)
        if not self._known or self._known[-1].until <= counted or match.next_deadline is None:
            return None
        if match.returnable_ms == 0:
            return None
        parts = (Outage(max(since, counted), until) for since, until in self._known if until > counted)
        return next((part for part in parts if part.until - part.since >= BEAT_MS), None)


def is_same_clock(one: Reading, other: Reading) -> bool:
    """Whether two readings can be compared."""
    return one.clock == other.clock != _NO_CLOCK


def _clock_row(reading: Reading, now: int) -> Statement:
    return (
        "INSERT INTO heartbeat_clock SELECT 1, ?, ? FROM service_heartbeat WHERE id = 1 AND at = ?"
        " ON CONFLICT (id) DO UPDATE SET clock = excluded.clock, ms = excluded.ms",
        (*reading, now),
    )
