"""The base class of commands, and the commands during a match: play, resign, abort."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from kontor_games.domain import match_refusals as refusals
from kontor_games.domain import plain
from kontor_games.domain.anomalies import Anomaly, anomaly
from kontor_games.domain.codec import (
    SPECTATOR,
    Between,
    Codec,
    Length,
    MalformedError,
    Plain,
    late,
    record,
    text_of,
    with_whole_numbers,
)
from kontor_games.domain.game import Move, Refusal
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import AbortWanted, ContributionWithheld, MatchAborted, SeatResigned
from kontor_games.domain.stream import HOUSE, Command

Seat = Annotated[int, Between(0, 99)]
Moment = Annotated[int, Between(0, plain.MAX_INTEGER)]
Signature = Annotated[str, Length(88, 88)]
"""An Ed25519 signature of the player under the command, in Base64 (domain/player_signatures.py)."""


@record
class Play(Command):
    """Make moves, all or none. The service names a house bot's seat; a player moves for their own seat."""

    moves: Annotated[tuple[Move, ...], Length(1, 1000)]
    seat: Seat | None = late(default=None)
    sent_moves: Annotated[tuple[Any, ...], Length(1, 1000)] | None = late(default=None)
    """The moves as the player sent and signed them, if they were signed in another form than `moves`."""
    signature: Signature | None = late(default=None)
    may_name_secrets: ClassVar[bool] = True

    def add_facts(self, match: Match, by: str, at: int) -> int:
        if not self.moves:
            raise ValueError("a command without a move would stop a clock for nothing")
        seat = self.seat if by == HOUSE and self.seat is not None else match.require_seat(by)
        match.require_running()
        match.require_present(seat)
        if match.clock.runs and seat in match.clock.flagged(at):
            raise refusals.TimeIsUpError("Your time ran out before this move arrived.")
        for index, move in enumerate(self.moves):
            try:
                if index and any(fact.reveals for fact in match.added):
                    raise refusals.SomethingRevealedError(
                        "The previous move in the list reveals hidden information. "
                        "Send it alone, then choose the next move."
                    )
                match.play_move(seat, move)
            except Refusal as refusal:
                refusal.index = index
                raise
        match.follow_up()
        return seat

    def wrong_author(self, match: Match, by: str) -> Anomaly | None:
        """Players move for themselves, and the service for its bots."""
        if wrong := self.wrong_sent_moves(match.rules.move_codec):
            return wrong
        if by != HOUSE:
            return None if self.seat is None else anomaly("foreign_seat")
        taken = match.seats[self.seat] if self.seat is not None and self.seat < len(match.seats) else None
        return None if taken is not None and taken.house is not None else anomaly("service_acted")

    def wrong_sent_moves(self, codec: Codec) -> Anomaly | None:
        """What is wrong with the moves as the player sent and signed them; None if nothing is."""
        sent = self.sent_moves
        if sent is None:
            return None
        if self.signature is None:
            return anomaly("sent_unsigned")
        if text_of(sent) == text_of([codec.encode(move) for move in self.moves]):
            return anomaly("sent_as_stored")
        if not is_form_of(self.moves, sent, codec):
            return anomaly("sent_other_moves")
        return None


def is_form_of(moves: Sequence[Move], sent: Sequence[Plain], codec: Codec) -> bool:
    """Return whether this plain data, which must be canonical, describes the same moves."""
    try:
        is_canonical = text_of(with_whole_numbers(sent)) == text_of(sent)  # 5 == 5.0 in Python
        return is_canonical and tuple(map(codec.parse, sent)) == tuple(moves)
    except MalformedError:
        return False


@record
class Resign(Command):
    """Resign from the match."""

    signature: Signature | None = late(default=None)

    def add_facts(self, match: Match, by: str, at: int) -> int:
        seat = match.require_seat(by)
        match.require_running()
        match.require_present(seat)
        match.add(SeatResigned(seat))
        match.follow_up()
        return seat


@record
class Abort(Command):
    """Abort the match, or agree to abort it."""

    signature: Signature | None = late(default=None)

    def add_facts(self, match: Match, by: str, at: int) -> None:
        if match.over:
            raise refusals.MatchNotRunningError(f"The match is already {match.status}.")
        seat = match.seat_of(by)
        if by == match.created.creator and not match.moved:
            if match.due is not None and match.created.abort_withholds and seat in match.unopened_seats:
                match.add(ContributionWithheld(seat))
            match.add(MatchAborted("creator"))
        elif seat == SPECTATOR:
            raise refusals.NotSeatedError(
                "Only a player of the match or, before the first move, its creator can abort it."
            )
        elif match.status == "open":
            raise refusals.NotCreatorError(
                "Before the start, only the creator can abort the match. You can leave your seat."
            )
        else:
            self._agree(match, seat)

    def wrong_author(self, match: Match, by: str) -> Anomaly | None:
        """The service may abort a match that it created itself, as for a tournament."""
        return None if by == match.created.creator else Command.wrong_author(self, match, by)

    def _agree(self, match: Match, seat: int) -> None:
        match.require_present(seat)
        if seat in match.abort_wanted:
            raise refusals.AlreadyAgreedError(
                "You have already asked to abort the match. Other players have not agreed yet."
            )
        match.add(AbortWanted(seat))
        match.abort_when_all_agree()
