"""Records time-outs, and credits the time of outages.

Both are computed from what is stored, so a restart loses nothing.
"""

from collections.abc import Callable
from uuid import UUID

from kontor_games.service.background.match_worker import MatchWorker
from kontor_games.service.matches.house_commands import HouseCommands
from kontor_games.service.matches.outages import Outage, Outages
from kontor_games.service.wakeups.feed import Change, Feed


class ClockWorker(MatchWorker):
    """Processes each match at its earliest deadline."""

    kind = "clock"
    thread_count = 4
    """Several, so that a match whose row is locked does not delay the time-outs of others."""

    def __init__(self, house: HouseCommands, feed: Feed, clock: Callable[[], int], outages: Outages) -> None:
        super().__init__(house, feed, clock)
        self._outages = outages
        self._last_credited: Outage | None = None

    def scan(self) -> None:
        """Schedule every match that has changed; after an outage all of them, since all are owed time."""
        self._outages.check()
        if self._outages.last != self._last_credited:
            self._last_credited = self._outages.last
            self.scanned = {}
        super().scan()

    def on_change(self, change: Change) -> None:
        """Schedule the match for its deadline, if it has one."""
        if change.deadline is not None:
            self.schedule.put(change.match, change.deadline, change.creator)

    def running(self) -> dict[UUID, tuple[int, str]]:
        return self.house.running("clock", self.scanned)

    def process(self, match_id: UUID) -> int | None:
        """Record the deadlines that have passed; return the next one."""
        return self.house.expire(match_id)
