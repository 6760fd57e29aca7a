"""The commands that only the service sends: deadlines, outages, blocks of tournaments, erased accounts."""

from typing import ClassVar

from kontor_games.domain import match_refusals as refusals
from kontor_games.domain.anomalies import Code
from kontor_games.domain.codec import record
from kontor_games.domain.commands.playing import Moment, Seat
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import (
    ContributionWithheld,
    MatchAborted,
    SeatLeft,
    SeatResigned,
    SeatTimedOut,
    SecretRevealed,
    TimeReturned,
)
from kontor_games.domain.stream import HOUSE, Authors, Command


class ServiceCommand(Command):
    """A command that only the service sends."""

    __slots__ = ()
    authors: ClassVar[Authors] = "service"
    if_by_player: ClassVar[Code] = "time_by_service"


@record
class GiveUpWaiting(ServiceCommand):
    """Abort a match whose contributions were not opened before the deadline. Only the service sends this."""

    def add_facts(self, match: Match, by: str, at: int) -> None:
        if match.due is None or at < match.due:
            raise refusals.NotDueError("The time for opening contributions is not over yet.")
        match.add(*(ContributionWithheld(seat) for seat in match.unopened_seats), MatchAborted("withheld"))


@record
class TimeOut(ServiceCommand):
    """Record that the time of a seat is up. Only the service sends this."""

    seat: Seat

    def add_facts(self, match: Match, by: str, at: int) -> int:
        match.require_running()
        if self.seat not in match.clock.flagged(at):
            raise refusals.NotFlaggedError(f"Seat {self.seat} still has time left.")
        match.add(SeatTimedOut(self.seat, match.created.on_timeout))
        if self.seat not in match.absent:
            match.play_quiet_move(self.seat)
        match.follow_up()
        return self.seat


@record
class RevealSecret(ServiceCommand):
    """Reveal the secret of a match whose block is over. Only the service sends this."""

    def add_facts(self, match: Match, by: str, at: int) -> None:
        if not match.over or match.revealed:
            raise refusals.NotDueError("The secret of this match can't be revealed now.")
        match.add(SecretRevealed(match.created.server_secret))


@record
class CallOff(ServiceCommand):
    """End a match of a tournament that no longer counts. Only the service sends this."""

    reveal: bool
    """Whether the secret of its block is revealed at the same time, since the tournament was cancelled."""

    def add_facts(self, match: Match, by: str, at: int) -> None:
        if match.over or match.created.creator != HOUSE:
            raise refusals.MatchNotRunningError(
                f"The match is {match.status}, or it is not one of a tournament."
            )
        match.add(MatchAborted("organiser"))
        if self.reveal and not match.revealed:
            match.add(SecretRevealed(match.created.server_secret))


RETRY_MS = 2000
"""How long clients are asked to wait after a 503; this time is also credited."""


@record
class ReturnTime(ServiceCommand):
    """Credit the time in which the service could not accept commands. Only the service sends this."""

    since: Moment
    until: Moment

    def add_facts(self, match: Match, by: str, at: int) -> None:
        if match.over or (match.due is None and not (match.begun and match.clock.runs)):
            raise refusals.NotReturnableError("No clock runs in this match.")
        # No time is credited before the last accepted command (the service was available), and none twice.
        if not max(match.at, match.returned_until) <= self.since < self.until <= at + RETRY_MS:
            raise refusals.NotReturnableError(
                "The service accepted a command in this period, or the period is not over yet."
            )
        if match.returnable_ms is not None and self.until - self.since > match.returnable_ms:
            raise refusals.NotReturnableError("This match accepts no more time back.")
        match.add(TimeReturned(self.since, self.until))


@record
class Expire(ServiceCommand):
    """End a match that has expired. Only the service sends this."""

    def add_facts(self, match: Match, by: str, at: int) -> None:
        if match.expiry is None or at < match.expiry:
            raise refusals.NotExpiredError("The match has not expired.")
        waits_for = [seat for seat in match.to_act if seat not in match.absent and not match.is_house(seat)]
        if match.moved and waits_for:
            match.add(*(SeatTimedOut(seat, "forfeit") for seat in waits_for))
            match.follow_up()
        else:
            match.add(MatchAborted("expired"))


@record
class ResignErased(ServiceCommand):
    """Give up a seat because the account of its player was erased. Only the service sends this."""

    if_by_player: ClassVar[Code] = "erased_by_service"
    seat: Seat

    def add_facts(self, match: Match, by: str, at: int) -> int | None:
        taken = match.seats[self.seat] if self.seat < len(match.seats) else None
        if taken is None or taken.house is not None:
            raise refusals.NotSeatedError(f"Nobody has seat {self.seat}.")
        match.require_present(self.seat)
        if match.status == "open" and match.due is None:
            # The seat of a creator may stay reserved, so that the match could never start.
            by_creator = taken.player == match.created.creator
            match.add(MatchAborted("creator") if by_creator else SeatLeft(self.seat, taken.player))
        else:
            match.require_running()
            match.add(SeatResigned(self.seat))
            match.follow_up()
        return self.seat if match.begun else None
