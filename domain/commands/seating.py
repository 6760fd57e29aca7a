"""The commands before a match starts: create, join, leave, decline, seat a bot, contribute, start."""

from kontor_games.domain import match_refusals as refusals
from kontor_games.domain.codec import SPECTATOR, late, record
from kontor_games.domain.commands.playing import Seat, Signature
from kontor_games.domain.game import Fact
from kontor_games.domain.match import Match
from kontor_games.domain.match_facts import (
    BotVersion,
    ContributionOpened,
    InvitationDeclined,
    MatchCreated,
    PositionSet,
    PublicKey,
    SeatLeft,
    SeatTaken,
    Word,
)
from kontor_games.domain.seed import is_hash, is_opening_of
from kontor_games.domain.stream import HOUSE, Command


def _house_bot(seat: int, name: str | None, version: int | None) -> SeatTaken:
    return SeatTaken(seat, HOUSE, bot=True, house=name, contribution="", house_version=version)


@record
class Create(Command):
    """Create a match; its settings are in the first fact."""

    # It has no signature, which would name the match that does not exist yet.
    takes_seat: bool
    bot: bool
    contribution: str

    def create(
        self, match: Match, created: MatchCreated, by: str, at: int, position: PositionSet | None = None
    ) -> list[Fact]:
        """Create the match, optionally from a position; house bots and a creator with a seat join at once."""
        match.added = []
        match.add(created, *([position] if position else []))
        for seat, plan in enumerate(created.seats):
            if plan.kind == "bot":
                match.add(_house_bot(seat, plan.bot, plan.bot_version))
        match.start_when_full(at)
        match.end_entry(at, None)
        if self.takes_seat:
            Join(None, self.bot, self.contribution).add_facts(match, by, at)
            match.end_entry(at, None)
        return match.added


@record
class Join(Command):
    """Take the given seat, or the first free one."""

    seat: Seat | None
    bot: bool
    contribution: str
    key: PublicKey | None = late(default=None)
    signature: Signature | None = late(default=None)

    def add_facts(self, match: Match, by: str, at: int) -> None:
        match.require_open()
        if match.seat_of(by) != SPECTATOR:
            raise refusals.AlreadySeatedError("You already have a seat in this match.")
        if self.bot and not match.created.meet_bots:
            raise refusals.BotsNotWelcomeError("This match is for people only; programs cannot join it.")
        if match.created.rated and any(taken and taken.bot != self.bot for taken in match.seats):
            rated = "people" if self.bot else "programs"
            raise refusals.OtherLadderError(f"This match is rated, and {rated} have seats in it.")
        if match.created.sealed and not is_hash(self.contribution):
            raise refusals.NotSealedError(
                "This match has sealed contributions: "
                "send the SHA-256 of your value, 64 digits in lower-case hex."
            )
        if match.created.signed and self.key is None:
            raise refusals.SignatureRequiredError(
                "In this match every player signs: join with your public key.", ""
            )
        seat = self._free_seat(match, by)
        taken = SeatTaken(seat, by, bot=self.bot, house=None, contribution=self.contribution, key=self.key)
        match.add(taken)
        match.start_when_full(at)

    def _free_seat(self, match: Match, by: str) -> int:
        seats = enumerate(match.seats)
        free = [s for s, taken in seats if taken is None and match.reserved_for(s) in (None, by)]
        # The seat kept for the player comes first: nobody else could ever take it.
        for seat in sorted(free, key=lambda seat: match.reserved_for(seat) is None):
            if self.seat in (None, seat):
                return seat
        raise refusals.SeatNotFreeError(
            "No seat is free for you." if self.seat is None else f"Seat {self.seat} is not free for you."
        )


@record
class Leave(Command):
    """Leave the seat before the match starts."""

    signature: Signature | None = late(default=None)

    def add_facts(self, match: Match, by: str, at: int) -> None:
        match.require_open()
        if match.due is not None:  # otherwise players could withhold their contributions by leaving
            raise refusals.MatchNotOpenError("You cannot leave while contributions are being opened.")
        match.add(SeatLeft(match.require_seat(by), by))


@record
class Decline(Command):
    """Decline an invitation: the seat is open to everyone from then on."""

    signature: Signature | None = late(default=None)

    def add_facts(self, match: Match, by: str, at: int) -> None:
        match.require_open()
        if match.seat_of(by) != SPECTATOR:
            raise refusals.AlreadySeatedError("You have taken your seat already. You can leave it.")
        seats = [seat for seat in range(len(match.seats)) if match.reserved_for(seat) == by]
        if not seats:
            raise refusals.NotInvitedError("You have no invitation to this match.")
        match.add(*(InvitationDeclined(seat, by) for seat in seats))


@record
class SeatBot(Command):
    """Give a free seat to a house bot, as the creator; whoever was invited to it is no longer waited for."""

    seat: Seat
    bot: Word
    bot_version: BotVersion
    signature: Signature | None = late(default=None)

    def add_facts(self, match: Match, by: str, at: int) -> None:
        match.require_open()
        if by != match.created.creator:
            raise refusals.NotCreatorError("Only the creator of the match can give a seat to a house bot.")
        if match.created.rated:
            raise refusals.OtherLadderError("This match is rated, and house bots are not.")
        if self.seat >= len(match.seats) or match.seats[self.seat] is not None:
            raise refusals.SeatNotFreeError(f"Seat {self.seat} is not free.")
        match.add(_house_bot(self.seat, self.bot, self.bot_version))
        match.start_when_full(at)


@record
class Open(Command):
    """Open the sealed contribution."""

    value: str
    signature: Signature | None = late(default=None)

    def add_facts(self, match: Match, by: str, at: int) -> None:
        match.require_open()
        seat = match.require_seat(by)
        if match.due is None or seat in match.opened:
            raise refusals.NotDueError("You can open your contribution once, when all seats are taken.")
        if at >= match.due:
            raise refusals.TimeIsUpError("The time for opening contributions is over.")
        taken = match.seats[seat]
        if taken is None or not is_opening_of(self.value, taken.contribution):
            raise refusals.ContributionMismatchError(
                "The value does not match the hash that you sent when you joined."
            )
        match.add(ContributionOpened(seat, self.value))
        if not match.unopened_seats:
            match.deal()


@record
class Start(Command):
    """Start a full match that does not start automatically."""

    signature: Signature | None = late(default=None)

    def add_facts(self, match: Match, by: str, at: int) -> None:
        match.require_open()
        if by != match.created.creator:
            raise refusals.NotCreatorError("Only the creator of the match can start it.")
        if None in match.seats:
            raise refusals.SeatsMissingError("Some seats are still free.")
        if match.due is not None:
            raise refusals.MatchNotOpenError("The match starts as soon as all contributions are opened.")
        match.start(at)
