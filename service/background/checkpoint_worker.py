"""Takes checkpoints: one a minute over everything that changed, and one soon after matches have ended.

Tournaments get a leaf soon after they are announced, started, signed off or cancelled, too.
"""

from threading import Lock
from uuid import UUID

from kontor_games.service.threads import RepeatedWork
from kontor_games.service.trust.checkpoints import Checkpoints
from kontor_games.service.wakeups.feed import Change, Feed

_PAUSE_S = 1.0
"""Matches that end within this time share a checkpoint."""


class CheckpointWorker(RepeatedWork):
    """Checks every second for due work. A match whose end it missed is covered within the minute."""

    def __init__(self, checkpoints: Checkpoints, feed: Feed) -> None:
        """Subscribes to changes, but ignores them until it is started."""
        super().__init__(self._work, _PAUSE_S, "interrupted")
        self._checkpoints = checkpoints
        self._ended: set[UUID] = set()
        self._tournaments: set[UUID] = set()
        self._lock = Lock()
        self.closing.set()
        feed.on_change(self._on_change)

    def _on_change(self, change: Change) -> None:
        is_tournament = not change.players
        if (change.over or is_tournament) and not self.closing.is_set():
            with self._lock:
                (self._tournaments if is_tournament else self._ended).add(change.match)

    def _work(self) -> None:
        with self._lock:
            ended, self._ended = self._ended, set()
            tournaments, self._tournaments = self._tournaments, set()
        if ended or tournaments:
            self._checkpoints.take_now(ended, tournaments)
        self._checkpoints.take_if_due()
