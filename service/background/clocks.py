"""Records time-outs. Deadlines follow from stored facts, so a restart neither loses nor gives time."""

from uuid import UUID

from kontor_games.service.background.match_worker import MatchWorker
from kontor_games.service.wakeups.feed import Change


class ClockWorker(MatchWorker):
    """Processes each match at its earliest deadline."""

    kind = "clock"

    def on_change(self, change: Change) -> None:
        """Schedule the match for its deadline, if it has one."""
        if change.deadline is not None:
            self.schedule.put(change.match, change.deadline)

    def process(self, match_id: UUID) -> None:
        """Record the deadlines that have passed and schedule the next one."""
        deadline = self.matches.expire(match_id)
        if deadline is not None:
            self.schedule.put(match_id, deadline)
