"""What happens to a match besides its game: seats, start, absence, end. Stored names, so they only ever grow."""

from typing import TYPE_CHECKING, Annotated, Literal

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.codec import Length, Plain, Record, record, secret
from kontor_games.domain.game import Fact

if TYPE_CHECKING:
    from kontor_games.domain.match_state import MatchState

Id = Annotated[str, Length(1, 64)]
Word = Annotated[str, Length(1, 64)]


@record
class SeatPlan(Record):
    """What a seat is kept for: anyone, one player by invitation, or a house bot."""

    kind: Literal["open", "invited", "bot"]
    player: Id | None = None
    bot: Word | None = None


class MatchFact(Fact):
    """A fact of the match's life, folded into the match and not into the state of its game."""

    __slots__ = ()

    def fold(self, state: "MatchState") -> None:
        """Changes the match accordingly."""
        raise LookupError(f"{self.type} does not say what it changes")


@record
class MatchCreated(MatchFact):
    """A match was announced: what is played, by which rules, with which seats, and the hash that binds the server's secret."""

    game: Word
    rules_version: int
    data: Word
    data_hash: str
    options: Plain
    seats: tuple[SeatPlan, ...]
    clock: ClockSettings
    on_timeout: Literal["bot", "forfeit"]
    autostart: bool
    private: bool
    meet_bots: bool
    creator: Id
    commitment: str
    sealed: bool
    """Whether players put in hashes when they join and open them when the seats are full (docs/chance.md)."""
    open_seed: str | None
    practice: bool
    """Whether players may practise from positions of this match while it runs, against house bots and with hidden parts drawn anew."""
    branch: bool
    """Whether this match began in a position of another one: such matches are practice and never rated."""
    server_secret: str = secret()

    def fold(self, state: "MatchState") -> None:
        """Lays the table."""
        state.announce(self)


@record
class SeatTaken(MatchFact):
    """A player, or a house bot, sat down, with a contribution to the seed if they like."""

    seat: int
    player: Id
    bot: bool
    house: Word | None
    contribution: str

    def fold(self, state: "MatchState") -> None:
        """Fills the seat."""
        state.seats[self.seat] = self


@record
class SeatLeft(MatchFact):
    """A player stood up before the match began."""

    seat: int
    player: Id

    def fold(self, state: "MatchState") -> None:
        """Empties the seat."""
        state.seats[self.seat] = None


@record
class ContributionsDue(MatchFact):
    """All seats were taken in a match with sealed contributions: they are to be opened by this moment."""

    deadline: int

    def fold(self, state: "MatchState") -> None:
        """Sets the deadline."""
        state.due = self.deadline


@record
class ContributionOpened(MatchFact):
    """A player opened the contribution whose hash they had put in."""

    seat: int
    contribution: str

    def fold(self, state: "MatchState") -> None:
        """Keeps the value for the seed."""
        state.opened = {**state.opened, self.seat: self.contribution}


@record
class ContributionWithheld(MatchFact):
    """A player did not open their contribution in time; the match is broken off, so that nothing is gained by it."""

    seat: int

    def fold(self, state: "MatchState") -> None:
        """Stays on record; the end of the match follows."""


@record
class PositionSet(MatchFact):
    """The match began in a position of another one, at a version of it; hidden parts were drawn anew where they had to stay hidden."""

    source: Id
    version: int
    position: Plain = secret()

    def fold(self, state: "MatchState") -> None:
        """Keeps the position for the start."""
        state.position = self.position


@record
class MatchStarted(MatchFact):
    """All seats were taken and the game began; its deal follows."""

    players: tuple[Id, ...]

    def fold(self, state: "MatchState") -> None:
        """Opens the game."""
        state.begin()


@record
class SeatTimedOut(MatchFact):
    """A seat's time was up: a house bot moved for it, or it forfeited."""

    seat: int
    consequence: Literal["bot", "forfeit"]

    def fold(self, state: "MatchState") -> None:
        """A forfeit empties the chair for good."""
        if self.consequence == "forfeit":
            state.absent = (*state.absent, self.seat)


@record
class SeatResigned(MatchFact):
    """A player gave the match up; where others play on, their seat makes quiet moves."""

    seat: int

    def fold(self, state: "MatchState") -> None:
        """Empties the chair for good."""
        state.absent = (*state.absent, self.seat)


@record
class AbortWanted(MatchFact):
    """A player would like to break the match off; it happens when all agree."""

    seat: int

    def fold(self, state: "MatchState") -> None:
        """Notes the wish."""
        state.abort_wanted = (*state.abort_wanted, self.seat)


@record
class MatchAborted(MatchFact):
    """The match was broken off without a result."""

    reason: Literal["consent", "creator", "withheld"]

    def fold(self, state: "MatchState") -> None:
        """Ends the match."""
        state.status = "aborted"
        state.due = None


@record
class MatchFinished(MatchFact):
    """The match ended: places (1 is best), scores by category, and the server's secret for everyone to check."""

    places: tuple[int, ...]
    scores: Plain
    reason: Literal["played", "forfeit"]
    server_secret: str

    def fold(self, state: "MatchState") -> None:
        """Ends the match."""
        state.status = "finished"
        state.outcome = self


MATCH_FACTS: tuple[type[MatchFact], ...] = (
    MatchCreated,
    SeatTaken,
    SeatLeft,
    ContributionsDue,
    ContributionOpened,
    ContributionWithheld,
    PositionSet,
    MatchStarted,
    SeatTimedOut,
    SeatResigned,
    AbortWanted,
    MatchAborted,
    MatchFinished,
)
