"""The commands that change a match. Each one checks whether it is allowed and returns the facts that it causes.

Commands are stored beside their facts, so that playing and auditing use one definition. `decide` works on a copy of a match; see `Match`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar

from kontor_games.domain import plain
from kontor_games.domain.codec import SPECTATOR, Between, Codec, Length, Record, late, record
from kontor_games.domain.game import Fact, Move, Refusal, Rules
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import (
    HOUSE,
    AbortWanted,
    ContributionOpened,
    ContributionWithheld,
    InvitationDeclined,
    MatchAborted,
    MatchCreated,
    PositionSet,
    PublicKey,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeatTimedOut,
    SecretRevealed,
    TimeReturned,
)
from kontor_games.domain.match_refusals import (
    AlreadyAgreedError,
    AlreadySeatedError,
    BotsNotWelcomeError,
    ContributionMismatchError,
    MatchNotOpenError,
    MatchNotRunningError,
    NotCreatorError,
    NotDueError,
    NotExpiredError,
    NotFlaggedError,
    NotInvitedError,
    NotReturnableError,
    NotSealedError,
    NotSeatedError,
    OtherLadderError,
    SeatNotFreeError,
    SeatsMissingError,
    SignatureRequiredError,
    SomethingRevealedError,
    TimeIsUpError,
)
from kontor_games.domain.seed import is_hash, opens

Seat = Annotated[int, Between(0, 99)]
Moment = Annotated[int, Between(0, plain.LARGEST)]
Signature = Annotated[str, Length(88, 88)]
"""An Ed25519 signature of the player under the command, in Base64 (domain/player_signatures.py)."""


class Command(Record):
    """What somebody wants to change in a match."""

    __slots__ = ()
    may_name_secrets: ClassVar[bool] = False
    """Whether its fields may name something hidden, so that the hash chain holds only a commitment to it."""
    signature: str | None
    """The signature of the player; None if the seat has no key, or if the service gave the command."""

    def decide(self, match: Match, by: str, at: int) -> list[Fact]:
        """Carry the command out on a copy of a match: return the facts that it causes, or raise the refusal."""
        facts: list[Fact] = []
        self._change(match, facts, by, at)
        match.end_entry(at, self.acting_seat(match, by))
        return facts

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        """Check the command and add its facts."""
        raise LookupError(f"{self.type} cannot be carried out")

    def acting_seat(self, match: Match, by: str) -> int | None:
        """The seat whose clock this command stops; None if it is not part of playing."""
        return None

    def wrong_author(self, match: Match, by: str) -> str | None:
        """Why this author cannot have given the command; None if they can."""
        return "the service acted for a player" if by == HOUSE else None


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted command and the facts it caused: stored completely or not at all."""

    first: int
    """The version of its first fact; versions count facts from 1."""
    at: int
    """Milliseconds since 1970, never earlier than the entry before."""
    by: str
    """The player who gave the command, or HOUSE."""
    seat: int | None
    """The seat that acted, whose clock stops."""
    command: Command
    key: str
    """The Idempotency-Key: a retry with the same key is the same command."""
    request_digest: str
    """Digest of the request, by which a different request with the same key is noticed."""
    facts: tuple[Fact, ...]

    @property
    def last(self) -> int:
        """The version of its last fact."""
        return self.first + len(self.facts) - 1


# --- before the start ------------------------------------------------------------------------------------------------


@record
class Create(Command):
    """Create a match; its settings are in the first fact."""

    signature: ClassVar[None] = None  # type: ignore[misc]  # there is no match yet that a signature could name
    takes_seat: bool
    bot: bool
    contribution: str

    def create(
        self, match: Match, created: MatchCreated, by: str, at: int, position: PositionSet | None = None
    ) -> list[Fact]:
        """Create the announced match, optionally in a position. House bots join at once, and so does the creator if they asked for a seat."""
        facts: list[Fact] = []
        match.add(facts, created, *([position] if position else []))
        for seat, plan in enumerate(created.seats):
            if plan.kind == "bot":
                taken = SeatTaken(
                    seat, HOUSE, bot=True, house=plan.bot, contribution="", house_version=plan.bot_version
                )
                match.add(facts, taken)
        match.start_when_full(facts, at)
        match.end_entry(at, None)
        if self.takes_seat:
            facts += Join(None, self.bot, self.contribution).decide(match, by, at)
        return facts


@record
class Join(Command):
    """Take the given seat, or the first free one."""

    seat: Seat | None
    bot: bool
    contribution: str
    key: PublicKey | None = late(default=None)
    signature: Signature | None = late(default=None)

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        match.require_open()
        if match.seat_of(by) != SPECTATOR:
            raise AlreadySeatedError("You already have a seat in this match.")
        if self.bot and not match.created.meet_bots:
            raise BotsNotWelcomeError("This match is for people only; programs cannot join it.")
        if match.created.rated and any(taken and taken.bot != self.bot for taken in match.seats):
            rated = "people" if self.bot else "programs"
            raise OtherLadderError(f"This match is rated, and {rated} have seats in it.")
        if match.created.sealed and not is_hash(self.contribution):
            raise NotSealedError(
                "This match has sealed contributions: send the SHA-256 of your value, 64 digits in lower-case hex."
            )
        if match.created.signed and self.key is None:
            raise SignatureRequiredError("In this match every player signs: join with your public key.", "")
        seat = self._free_seat(match, by)
        taken = SeatTaken(seat, by, bot=self.bot, house=None, contribution=self.contribution, key=self.key)
        match.add(facts, taken)
        match.start_when_full(facts, at)

    def _free_seat(self, match: Match, by: str) -> int:
        seats = enumerate(match.seats)
        free = [s for s, taken in seats if taken is None and match.reserved_for(s) in (None, by)]
        # The seat kept for the player comes first: nobody else could ever take it.
        for seat in sorted(free, key=lambda seat: match.reserved_for(seat) is None):
            if self.seat in (None, seat):
                return seat
        raise SeatNotFreeError(
            "No seat is free for you." if self.seat is None else f"Seat {self.seat} is not free for you."
        )


@record
class Leave(Command):
    """Leave the seat before the match starts."""

    signature: Signature | None = late(default=None)

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        match.require_open()
        if match.due is not None:  # else leaving would be a way to withhold one's own contribution
            raise MatchNotOpenError("You cannot leave while contributions are being opened.")
        match.add(facts, SeatLeft(match.require_seat(by), by))


@record
class Decline(Command):
    """Decline an invitation: the seat is open to everyone from then on."""

    signature: Signature | None = late(default=None)

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        match.require_open()
        if match.seat_of(by) != SPECTATOR:
            raise AlreadySeatedError("You have taken your seat already. You can leave it.")
        seats = [seat for seat in range(len(match.seats)) if match.reserved_for(seat) == by]
        if not seats:
            raise NotInvitedError("You have no invitation to this match.")
        match.add(facts, *(InvitationDeclined(seat, by) for seat in seats))


@record
class Open(Command):
    """Open the sealed contribution."""

    value: str
    signature: Signature | None = late(default=None)

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        match.require_open()
        seat = match.require_seat(by)
        if match.due is None or seat in match.opened:
            raise NotDueError("You can open your contribution once, when all seats are taken.")
        if at >= match.due:
            raise TimeIsUpError("The time for opening contributions is over.")
        taken = match.seats[seat]
        if taken is None or not opens(self.value, taken.contribution):
            raise ContributionMismatchError(
                "The value does not match the hash that you sent when you joined."
            )
        match.add(facts, ContributionOpened(seat, self.value))
        if not match.unopened_seats:
            match.deal(facts)


@record
class Start(Command):
    """Start a full match that does not start automatically."""

    signature: Signature | None = late(default=None)

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        match.require_open()
        if by != match.created.creator:
            raise NotCreatorError("Only the creator of the match can start it.")
        if None in match.seats:
            raise SeatsMissingError("Some seats are still free.")
        if match.due is not None:
            raise MatchNotOpenError("The match starts as soon as all contributions are opened.")
        match.start(facts, at)


# --- during the match ------------------------------------------------------------------------------------------------


@record
class Play(Command):
    """Make moves, all or none. The service names the seat of the house bot; a player moves for their own seat."""

    moves: Annotated[tuple[Move, ...], Length(1, 1000)]
    seat: Seat | None = late(default=None)
    signature: Signature | None = late(default=None)
    may_name_secrets: ClassVar[bool] = True

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        if not self.moves:
            raise ValueError("a command without a move would stop a clock for nothing")
        seat = self.seat if by == HOUSE and self.seat is not None else match.require_seat(by)
        match.require_running()
        match.require_present(seat)
        if match.clock.runs and seat in match.clock.flagged(at):
            raise TimeIsUpError("Your time ran out before this move arrived.")
        for index, move in enumerate(self.moves):
            try:
                if index:
                    _require_nothing_revealed(facts)
                match.play_move(facts, seat, move)
            except Refusal as refusal:
                refusal.index = index
                raise
        match.follow_up(facts)

    def acting_seat(self, match: Match, by: str) -> int | None:
        """The seat that moves."""
        return self.seat if by == HOUSE else match.seat_of(by)

    def wrong_author(self, match: Match, by: str) -> str | None:
        """Players move for themselves, and the service for its bots."""
        if by != HOUSE:
            return None if self.seat is None else "a player can only move for their own seat"
        taken = match.seats[self.seat] if self.seat is not None and self.seat < len(match.seats) else None
        return None if taken is not None and taken.house is not None else "the service acted for a player"


def _require_nothing_revealed(facts: list[Fact]) -> None:
    if any(fact.reveals for fact in facts):
        raise SomethingRevealedError(
            "The previous move in the list reveals hidden information. Send it alone, then choose the next move."
        )


@record
class Resign(Command):
    """Resign from the match."""

    signature: Signature | None = late(default=None)

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        seat = match.require_seat(by)
        match.require_running()
        match.require_present(seat)
        match.add(facts, SeatResigned(seat))
        match.follow_up(facts)

    def acting_seat(self, match: Match, by: str) -> int | None:
        """The seat of whoever resigns."""
        return match.seat_of(by)


@record
class Abort(Command):
    """Abort the match, or agree to abort it."""

    signature: Signature | None = late(default=None)

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        if match.over:
            raise MatchNotRunningError(f"The match is already {match.status}.")
        seat = match.seat_of(by)
        if by == match.created.creator and not match.moved:
            if match.due is not None and match.created.abort_withholds and seat in match.unopened_seats:
                match.add(facts, ContributionWithheld(seat))
            match.add(facts, MatchAborted("creator"))
        elif seat == SPECTATOR:
            raise NotSeatedError(
                "Only a player of the match or, before the first move, its creator can abort it."
            )
        elif match.status == "open":
            raise NotCreatorError(
                "Before the start, only the creator can abort the match. You can leave your seat."
            )
        else:
            self._agree(match, facts, seat)

    def wrong_author(self, match: Match, by: str) -> str | None:
        """The service may abort a match that it created itself, as for a tournament."""
        return None if by == match.created.creator else Command.wrong_author(self, match, by)

    def _agree(self, match: Match, facts: list[Fact], seat: int) -> None:
        match.require_present(seat)
        if seat in match.abort_wanted:
            raise AlreadyAgreedError(
                "You have already asked to abort the match. Other players have not agreed yet."
            )
        match.add(facts, AbortWanted(seat))
        match.abort_when_all_agree(facts)


# --- when time is up -------------------------------------------------------------------------------------------------


class ClockCommand(Command):
    """What the service records when a deadline has passed."""

    __slots__ = ()
    signature: ClassVar[None] = None  # type: ignore[misc]  # no player gives it

    def wrong_author(self, match: Match, by: str) -> str | None:
        """Only the service gives it."""
        return None if by == HOUSE else "only the service can record that time is up"


@record
class GiveUpWaiting(ClockCommand):
    """Abort a match whose contributions were not opened in time. Only the service sends this."""

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        if match.due is None or at < match.due:
            raise NotDueError("The time for opening contributions is not over yet.")
        match.add(
            facts, *(ContributionWithheld(seat) for seat in match.unopened_seats), MatchAborted("withheld")
        )


@record
class TimeOut(ClockCommand):
    """Record that the time of a seat is up. Only the service sends this."""

    seat: Seat

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        match.require_running()
        if self.seat not in match.clock.flagged(at):
            raise NotFlaggedError(f"Seat {self.seat} still has time left.")
        match.add(facts, SeatTimedOut(self.seat, match.created.on_timeout))
        if self.seat not in match.absent:
            match.play_quietly(facts, self.seat)
        match.follow_up(facts)

    def acting_seat(self, match: Match, by: str) -> int | None:
        """The seat whose time is up."""
        return self.seat


@record
class RevealSecret(ClockCommand):
    """Reveal the secret of a match whose block is over. Only the service sends this."""

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        if not match.over or match.revealed:
            raise NotDueError("The secret of this match is not to be revealed now.")
        match.add(facts, SecretRevealed(match.created.server_secret))


@record
class CallOff(ClockCommand):
    """End a match of a tournament that does not count any more. Only the service sends this."""

    reveal: bool
    """Whether the secret of its block is revealed at the same time, since the tournament was cancelled."""

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        if match.over or match.created.creator != HOUSE:
            raise MatchNotRunningError(f"The match is {match.status}, or it is not one of a tournament.")
        match.add(facts, MatchAborted("organiser"))
        if self.reveal and not match.revealed:
            match.add(facts, SecretRevealed(match.created.server_secret))


RETRY_MS = 2000
"""How long clients are asked to wait after a request that could not be accepted; this time is given back, too."""


@record
class ReturnTime(ClockCommand):
    """Give back the time in which the service could accept no command. Only the service sends this."""

    since: Moment
    until: Moment

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        if match.over or (match.due is None and not (match.begun and match.clock.runs)):
            raise NotReturnableError("No clock runs in this match.")
        # Where a command was accepted, or time was given back before, the service was there.
        if not max(match.at, match.returned_until) <= self.since < self.until <= at + RETRY_MS:
            raise NotReturnableError("The service accepted a command in this time, or it is not over yet.")
        match.add(facts, TimeReturned(self.since, self.until))


@record
class Expire(ClockCommand):
    """End a match in which nobody has sent a command for so long as was announced. Only the service sends this."""

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        if match.expiry is None or at < match.expiry:
            raise NotExpiredError("The match has not expired.")
        waits_for = [seat for seat in match.to_act if seat not in match.absent and not match.is_house(seat)]
        if match.moved and waits_for:
            match.add(facts, *(SeatTimedOut(seat, "forfeit") for seat in waits_for))
            match.follow_up(facts)
        else:
            match.add(facts, MatchAborted("expired"))


@record
class ResignErased(ClockCommand):
    """Give up a seat because the account of its player was erased. Only the service sends this."""

    seat: Seat

    def _change(self, match: Match, facts: list[Fact], by: str, at: int) -> None:
        taken = match.seats[self.seat] if self.seat < len(match.seats) else None
        if taken is None or taken.house is not None:
            raise NotSeatedError(f"Nobody has seat {self.seat}.")
        match.require_present(self.seat)
        if match.status == "open" and match.due is None:
            by_creator = taken.player == match.created.creator  # whose seat may be reserved for ever
            match.add(facts, MatchAborted("creator") if by_creator else SeatLeft(self.seat, taken.player))
        else:
            match.require_running()
            match.add(facts, SeatResigned(self.seat))
            match.follow_up(facts)

    def acting_seat(self, match: Match, by: str) -> int | None:
        """The seat of the erased player, unless the match has not begun."""
        return self.seat if match.begun else None

    def wrong_author(self, match: Match, by: str) -> str | None:
        """Only the service gives it."""
        return None if by == HOUSE else "only the service can record that an account was erased"


COMMANDS: tuple[type[Command], ...] = (
    Create, Join, Leave, Decline, Open, GiveUpWaiting, Start, Play, TimeOut, ReturnTime, Expire, Resign, Abort,
    ResignErased, RevealSecret, CallOff,
)  # fmt: skip
COMMAND_CODEC = Codec(COMMANDS, {Move: plain.plain()})
"""The plain-data form of every command where the game is not known yet: moves stay plain data."""


@cache
def command_codec(rules: Rules[Any]) -> Codec:
    """The plain-data form of every command in a match under these rules."""
    return Codec(COMMANDS, {Move: rules.move_codec.field_format})
