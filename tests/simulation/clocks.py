"""A second implementation of the clocks of a match, written from docs/time.md alone."""

from collections.abc import Sequence

from kontor_games.domain.clock import ClockSettings


class ClockModel:
    """The remaining time of each seat. A running clock has a start, and periods that do not count."""

    def __init__(self, settings: ClockSettings, seats: int) -> None:
        self.settings = settings
        self.left = [settings.ms] * seats
        self.start: list[int | None] = [None] * seats
        self.still = [0] * seats

    def deadline(self, seat: int) -> int | None:
        """The time at which a seat is out of time; None while its clock is stopped."""
        start = self.start[seat]
        return None if start is None else start + self.still[seat] + self.left[seat]

    def exclude(self, since: int, until: int) -> None:
        """Exclude a period, such as an outage, from all running clocks."""
        for seat, start in enumerate(self.start):
            if start is not None:
                self.still[seat] += max(0, until - max(start, since))

    def after_command(
        self, at: int, actor: int | None, waits_for: Sequence[int], timed: Sequence[int]
    ) -> None:
        """Advance the clocks after a command of seat `actor` (None if of no seat).

        The match then waits for the seats `waits_for`.
        """
        if self.settings.kind == "none":
            return
        for seat, start in enumerate(self.start):
            if start is not None and (seat == actor or seat not in waits_for):
                if self.settings.kind == "bank":
                    used = max(0, at - start - self.still[seat])
                    bonus = self.settings.increment_ms if seat == actor else 0
                    self.left[seat] = max(0, self.left[seat] - used) + bonus
                self.start[seat] = None
            if self.start[seat] is None and seat in waits_for and seat in timed:
                self.start[seat], self.still[seat] = at, 0
