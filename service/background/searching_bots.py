"""Searching bots play in processes of their own, any number of them on any number of machines.

Each process finds the same matches. Before it searches a move it takes the lease of that turn, so that no
other searches it, too. A lease only saves work: each move is bound to a version of the match, of which only
one is stored. A process that is killed loses nothing but the search; its successor has the same name, and so
its leases.
"""

from collections.abc import Callable
from uuid import UUID

from kontor_games.domain.match import Match
from kontor_games.service.background.house_bots import HouseBots
from kontor_games.service.matches.house_commands import HouseCommands
from kontor_games.service.store.database import Database
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.wakeups.feed import Feed

LEASE_MS = 15_000
"""Longer than nearly every search; another process then searches the move, too."""
SILENT_MS = 30_000
"""A process that did not report for this time has ended."""
_TAKE = (
    "INSERT INTO bot_turns VALUES (?, ?, ?, ?) ON CONFLICT (match_id) DO UPDATE"
    " SET version = excluded.version, holder = excluded.holder, until = excluded.until"
    " WHERE bot_turns.version < excluded.version OR bot_turns.holder = excluded.holder"
    " OR bot_turns.until <= ?"
)
_REPORT = (
    "INSERT INTO bot_processes VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at"
)


class SearchingBots(HouseBots):
    """Makes the moves of house bots in matches in which at least one of them searches."""

    thread_count = 1
    searching = True

    def __init__(
        self,
        name: str,
        database: Database,
        cache: MatchCache,
        house: HouseCommands,
        feed: Feed,
        clock: Callable[[], int],
    ) -> None:
        """The name of the process is in its leases."""
        super().__init__(cache, house, feed, clock)
        self._name = name
        self._database = database

    def scan(self) -> None:
        """Report that this process is there, then schedule every match that has changed."""
        now = self.clock()
        self._database.write(
            (_REPORT, (self._name, now)),
            ("DELETE FROM bot_processes WHERE seen_at < ?", (now - SILENT_MS,)),
            ("DELETE FROM bot_turns WHERE until < ?", (now - SILENT_MS,)),
        )
        super().scan()

    def claim(self, match_id: UUID, match: Match) -> bool:
        """Take the lease of a turn; if another process has it, look again when it ends."""
        now, match_text = self.clock(), str(match_id)
        self._database.write((_TAKE, (match_text, match.version, self._name, now + LEASE_MS, now)))
        [lease] = self._database.read(
            "SELECT version, holder, until FROM bot_turns WHERE match_id = ?", (match_text,)
        )
        if lease["holder"] == self._name and lease["version"] == match.version:
            return True
        self.schedule.put(match_id, max(lease["until"], now + 1))
        return False


def is_playing(database: Database, now: int) -> bool:
    """Whether a process in which searching bots play has reported lately."""
    found = "SELECT 1 AS one FROM bot_processes WHERE seen_at > ? LIMIT 1"
    return bool(database.read(found, (now - SILENT_MS,)))


def is_needed(database: Database) -> bool:
    """Whether a running match has bots that search."""
    return bool(database.read("SELECT 1 AS one FROM matches WHERE status = 'running' AND bots = 2 LIMIT 1"))
