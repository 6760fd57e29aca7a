"""Rate limits across all processes of an installation.

No call waits for the database: every second each process reports the calls that it has counted, and counts
the calls that the others have reported. So a client can exceed a limit by the calls that it sends to other
processes within a second or two.
"""

import json
from collections import Counter
from collections.abc import Callable
from uuid import uuid4

from kontor_games.service.people.limits import Limits
from kontor_games.service.people.server_secret import Secret
from kontor_games.service.store.database import Database
from kontor_games.service.threads import RepeatedWork

LIMIT_TABLES = (
    """CREATE TABLE IF NOT EXISTS limit_reports (
        process TEXT PRIMARY KEY, number BIGINT NOT NULL, at BIGINT NOT NULL, calls TEXT NOT NULL)""",
)
_PAUSE_S = 1.0
_MIN_CALLS = 5
"""A bucket with fewer calls in a second is not reported."""
_MAX_BUCKETS = 1000
"""Maximum number of buckets in one report; those with the most calls are reported."""
_OLD_MS = 60_000
_UPSERT = (
    "INSERT INTO limit_reports (process, number, at, calls) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (process) DO UPDATE SET number = excluded.number, at = excluded.at, calls = excluded.calls"
)


class LimitSharing(RepeatedWork):
    """Reports the calls that this process has counted, and reads the reports of the others."""

    def __init__(
        self, limits: Limits, database: Database, clock: Callable[[], int], secret: Callable[[], Secret]
    ) -> None:
        """`secret` returns the secret of the server, which is in the database."""
        super().__init__(self.exchange, _PAUSE_S, "limits_not_shared")
        self._limits = limits
        self._database = database
        self._clock = clock
        self._secret = secret
        self._process = str(uuid4())
        self._number = 0
        self._known: dict[str, int] | None = None
        """The numbers of the reports that were read; reports from before this process are not counted."""

    def exchange(self) -> None:
        """Report the calls since the last time, and count the calls that other processes have reported."""
        if self._known is None:  # before the first report
            self._limits.use_secret(self._secret())
        busy = {cost: _busy(spent) for cost, spent in self._limits.take_spent().items()}
        now = self._clock()
        if any(busy.values()):
            self._number += 1
            self._database.write(
                (_UPSERT, (self._process, self._number, now, json.dumps(busy))),
                ("DELETE FROM limit_reports WHERE at < ?", (now - _OLD_MS,)),
            )
        rows = self._database.read(
            "SELECT process, number, calls FROM limit_reports WHERE process <> ? AND at > ?",
            (self._process, now - _OLD_MS),
        )
        known, self._known = self._known, {row["process"]: row["number"] for row in rows}
        for row in rows:
            if known is not None and known.get(row["process"]) != row["number"]:
                self._limits.add_spent(json.loads(row["calls"]))


def _busy(spent: dict[str, int]) -> dict[str, int]:
    """The buckets with the most calls, without those far below their limit."""
    return {key: count for key, count in Counter(spent).most_common(_MAX_BUCKETS) if count >= _MIN_CALLS}
