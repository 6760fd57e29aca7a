"""The clocks of a match, computed only from the times of its entries."""

from typing import Annotated, Literal

from kontor_games.domain.codec import Between, Record, record

_MAX_CLOCK_MS = 30 * 24 * 3600 * 1000
_STOPPED = -1


@record
class ClockSettings(Record):
    """No clock, a time for each move, or a time bank with an increment after each move, in milliseconds."""

    kind: Literal["none", "per_move", "bank"] = "none"
    ms: Annotated[int, Between(0, _MAX_CLOCK_MS)] = 0
    increment_ms: Annotated[int, Between(0, _MAX_CLOCK_MS)] = 0


class Clock:
    """The time that each seat has left, and since when its clock runs."""

    __slots__ = ("remaining", "runs", "settings", "since", "untimed")

    def __init__(self, settings: ClockSettings, seats: int) -> None:
        self.settings = settings
        self.runs = settings.kind != "none"
        """Whether the match has a clock."""
        self.remaining = [settings.ms] * seats
        self.since = [_STOPPED] * seats
        self.untimed: tuple[int, ...] = ()
        """The seats whose clocks never run."""

    def copy(self) -> "Clock":
        """An independent clock."""
        copy = Clock.__new__(Clock)
        copy.settings = self.settings
        copy.runs = self.runs
        copy.remaining = self.remaining[:]
        copy.since = self.since[:]
        copy.untimed = self.untimed
        return copy

    def advance(self, at: int, actor: int | None, waiting: tuple[int, ...]) -> None:
        """Stop the clocks of the seat that acted and of seats that need not act; start all others."""
        if not self.runs:
            return
        for seat, since in enumerate(self.since):
            if since != _STOPPED and (seat == actor or seat not in waiting):
                self._stop(seat, at, moved=seat == actor)
            if self.since[seat] == _STOPPED and seat in waiting and seat not in self.untimed:
                self.since[seat] = at

    def _stop(self, seat: int, at: int, *, moved: bool) -> None:
        if self.settings.kind == "bank":
            left = max(0, self.remaining[seat] - max(0, at - self.since[seat]))
            self.remaining[seat] = left + (self.settings.increment_ms if moved else 0)
        self.since[seat] = _STOPPED

    def give_back(self, since: int, until: int) -> None:
        """Credit a period to all running clocks, as if they had been stopped from `since` to `until`."""
        for seat, started in enumerate(self.since):
            if started != _STOPPED:
                self.since[seat] = started + max(0, until - max(started, since))

    def deadline(self, seat: int) -> int | None:
        """When the seat runs out of time; None while its clock is stopped."""
        since = self.since[seat]
        return None if since == _STOPPED else since + self.remaining[seat]

    def left(self, seat: int, at: int) -> int:
        """The milliseconds that the seat has left at the time `at`."""
        deadline = self.deadline(seat)
        return self.remaining[seat] if deadline is None else max(0, deadline - at)

    def next_deadline(self) -> int | None:
        """Return the earliest deadline of all seats."""
        return min((d for d in map(self.deadline, range(len(self.since))) if d is not None), default=None)

    def flagged(self, at: int) -> tuple[int, ...]:
        """The seats that have run out of time."""
        return tuple(s for s in range(len(self.since)) if (d := self.deadline(s)) is not None and at >= d)
