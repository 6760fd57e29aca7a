"""The timekeeper: records a time-out when a deadline passes. Deadlines are in the log, so a restart neither loses nor gives time."""

from uuid import UUID

from kontor_games.service.background.match_worker import MatchWorker
from kontor_games.service.wakeups.feed import Change


class Timekeeper(MatchWorker):
    """Watches the earliest deadline of every match that is played with time."""

    kind = "clock"

    def on_change(self, change: Change) -> None:
        """Comes back when time alone will change the match."""
        if change.deadline is not None:
            self.schedule.put(change.match, change.deadline)

    def process(self, match_id: UUID) -> None:
        """Records what is due, and comes back when the next thing is."""
        deadline = self.matches.expire(match_id)
        if deadline is not None:
            self.schedule.put(match_id, deadline)
