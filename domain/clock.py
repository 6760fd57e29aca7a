"""The clocks of a match. They are computed only from the times stored with the entries of the log."""

from typing import Annotated, Literal

from kontor_games.domain.codec import Between, Record, record

_LONGEST = 30 * 24 * 3600 * 1000
"""Thirty days, in milliseconds."""
_STOPPED = -1


@record
class ClockSettings(Record):
    """No clock, a time for each move, or a time bank with an increment after each move; in milliseconds."""

    kind: Literal["none", "per_move", "bank"] = "none"
    ms: Annotated[int, Between(0, _LONGEST)] = 0
    increment_ms: Annotated[int, Between(0, _LONGEST)] = 0


class Clock:
    """The remaining time of each seat, and since when its time has been running."""

    __slots__ = ("remaining", "settings", "since")

    def __init__(self, settings: ClockSettings, seats: int) -> None:
        """Every seat starts with the full time and a stopped clock."""
        self.settings = settings
        self.remaining = [settings.ms] * seats
        self.since = [_STOPPED] * seats

    def copy(self) -> "Clock":
        """Return an independent copy."""
        copied = Clock.__new__(Clock)
        copied.settings = self.settings
        copied.remaining = self.remaining[:]
        copied.since = self.since[:]
        return copied

    @property
    def runs(self) -> bool:
        """Whether the match has clocks."""
        return self.settings.kind != "none"

    def advance(self, at: int, actor: int | None, waiting: tuple[int, ...]) -> None:
        """Apply an entry: stop the clocks of the actor and of seats not waited for, and start the others."""
        if not self.runs:
            return
        for seat, since in enumerate(self.since):
            if since != _STOPPED and (seat == actor or seat not in waiting):
                self._stop(seat, at, moved=seat == actor)
            if self.since[seat] == _STOPPED and seat in waiting:
                self.since[seat] = at

    def _stop(self, seat: int, at: int, *, moved: bool) -> None:
        if self.settings.kind == "bank":
            left = max(0, self.remaining[seat] - (at - self.since[seat]))
            self.remaining[seat] = left + (self.settings.increment_ms if moved else 0)
        self.since[seat] = _STOPPED

    def deadline(self, seat: int) -> int | None:
        """Return when the time of a seat runs out; None if its clock is stopped."""
        since = self.since[seat]
        return None if since == _STOPPED else since + self.remaining[seat]

    def left(self, seat: int, at: int) -> int:
        """Return the milliseconds that a seat has left at a time."""
        deadline = self.deadline(seat)
        return self.remaining[seat] if deadline is None else max(0, deadline - at)

    def next_deadline(self) -> int | None:
        """Return the earliest deadline of all seats."""
        if not self.runs:
            return None
        return min((d for d in map(self.deadline, range(len(self.since))) if d is not None), default=None)

    def flagged(self, at: int) -> tuple[int, ...]:
        """Return the seats whose time has run out."""
        if not self.runs:
            return ()
        return tuple(s for s in range(len(self.since)) if (d := self.deadline(s)) is not None and at >= d)
