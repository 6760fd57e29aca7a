"""Facts of a match that all games share: seats, start, absence, end. Their stored names never change."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from kontor_games.domain.clock import Clock, ClockSettings
from kontor_games.domain.codec import Between, Codec, Length, Plain, Record, late, record, secret
from kontor_games.domain.game import Fact, Rules
from kontor_games.domain.games import installed_games
from kontor_games.domain.toolkit.fact_list import facts_among

if TYPE_CHECKING:
    from kontor_games.domain.match import Match

Id = Annotated[str, Length(1, 64)]
Word = Annotated[str, Length(1, 64)]
PublicKey = Annotated[str, Length(44, 44)]
"""An Ed25519 public key of a player, in Base64."""
Witness = Annotated[str, Length(1, 400)]
Expiry = Annotated[int, Between(0, 10 * 365 * 24 * 3600 * 1000)]
ReturnLimit = Annotated[int, Between(0, 10 * 365 * 24 * 3600 * 1000)]
SpectatorDelay = Annotated[int, Between(0, 3600)]
Tag = Annotated[str, Length(1, 32)]
SALT_VERSION = 2
"""The derivation of salts in new matches (docs/chain.md)."""
SaltVersion = Annotated[int, Between(1, SALT_VERSION)]
BotVersion = Annotated[int, Between(1, 1_000_000)]


@record
class SeatPlan(Record):
    """Whom a seat is for: anyone, an invited player, or a house bot."""

    kind: Literal["open", "invited", "bot"]
    player: Id | None = None
    bot: Word | None = None
    bot_version: BotVersion | None = late(default=None)
    """The version of the house bot; None in matches created before versions were pinned."""


class MatchFact(Fact):
    """A fact about the match itself, not its game: it is folded into the match, not into the state."""

    __slots__ = ()


@record
class MatchCreated(MatchFact):
    """A match was created: its game, rules, seats and settings, and the commitment to the server's secret."""

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
    """Whether players join with the hash of a contribution and open it when all seats are taken."""
    open_seed: str | None
    practice: bool
    """Whether players may practise from positions of this match while it runs.

    They play against house bots, and hidden parts are redrawn."""
    branch: bool
    """Whether this match began in a position of another one: such matches are practice and never rated."""
    server_secret: str = secret()
    signed: bool = late(default=False)
    """Whether every player must sign their commands."""
    witnesses: tuple[Witness, ...] = late(default=())
    """The public keys of the witnesses of the log at that time, if some of them must cosign (docs/log.md)."""
    required_witnesses: int = late(default=0)
    """Number of them that must cosign a checkpoint with this match for it to be accepted."""
    abort_withholds: bool = late(default=False)
    """Whether a creator who aborts instead of opening their contribution is recorded as withholding it."""
    open_for_ms: Expiry = late(default=0)
    """Period without a command after which a match that has not started is aborted; 0: never."""
    idle_ms: Expiry = late(default=0)
    """Time without a command after which, in a match without a clock, seats to act forfeit; 0: never."""
    house_untimed: bool = late(default=False)
    """Whether the clocks of house bots never run: how soon they move is up to the service, not to them."""
    in_block: bool = late(default=False)
    """Whether other matches of a tournament have the same deal; it stays hidden until all of them are over.

    The seed of the tournament fixes the deal of a block, so contributions in its matches do not count."""
    rated: bool = late(default=False)
    """Whether the result counts for the ladder of the game (docs/ratings.md)."""
    tags: tuple[Tag, ...] = late(default=())
    """Words by which the creator finds the match in lists."""

    salt_version: SaltVersion = late(default=1)
    """The derivation of the salts of hidden fields: 2 contains the match, 1 did not (docs/chain.md)."""
    max_returned_ms: ReturnLimit | None = late(default=None)
    """The most time that outages can give back in all, 0 for none; None: no limit, as in older matches."""
    spectator_delay: SpectatorDelay = late(default=0)
    """While the match runs, all who don't play see the position of so many seconds ago."""

    def fold(self, state: "Match") -> None:
        state.created = self
        state.rules = find_rules(self.game, self.rules_version, self.data)
        if state.rules.data.hash != self.data_hash:
            raise LookupError(
                f"the data set {self.data} of {self.game} is not the one this match was created with"
            )
        state.seats = [None] * len(self.seats)
        state.clock = Clock(self.clock, len(self.seats))


@record
class SeatTaken(MatchFact):
    """A player or a house bot took a seat, with an optional contribution to the seed."""

    seat: int
    player: Id
    bot: bool
    house: Word | None
    contribution: str
    key: PublicKey | None = late(default=None)
    """The key with which the player signs all later commands in this match."""
    house_version: BotVersion | None = late(default=None)
    """The version of the house bot, by which its moves are recomputed in audits."""

    def fold(self, state: "Match") -> None:
        state.seats[self.seat] = self


@record
class SeatLeft(MatchFact):
    """A player left their seat before the match started."""

    seat: int
    player: Id

    def fold(self, state: "Match") -> None:
        state.seats[self.seat] = None


@record
class InvitationDeclined(MatchFact):
    """A player declined the invitation to a seat, which is open to everyone from now on."""

    seat: int
    player: Id

    def fold(self, state: "Match") -> None:
        state.declined = (*state.declined, self.seat)


@record
class ContributionsDue(MatchFact):
    """All seats of a match with sealed contributions were taken; these must be opened by the deadline."""

    deadline: int

    def fold(self, state: "Match") -> None:
        state.due = self.deadline


@record
class ContributionOpened(MatchFact):
    """A player opened their sealed contribution."""

    seat: int
    contribution: str

    def fold(self, state: "Match") -> None:
        state.opened = {**state.opened, self.seat: self.contribution}


@record
class ContributionWithheld(MatchFact):
    """A player did not open a sealed contribution in time, or aborted instead; the match is aborted."""

    seat: int

    def fold(self, state: "Match") -> None:
        """Changes nothing; the end of the match follows."""


@record
class PositionSet(MatchFact):
    """The match starts in a position of another match, at a version; hidden parts were drawn at random."""

    source: Id
    version: int
    position: Plain = secret()

    def fold(self, state: "Match") -> None:
        state.position = self.position


@record
class MatchStarted(MatchFact):
    """The match started; the deal follows."""

    players: tuple[Id, ...]

    def fold(self, state: "Match") -> None:
        state.begin()


@record
class SeatTimedOut(MatchFact):
    """The time of a seat ran out: a quiet move was made for it, or it forfeited."""

    seat: int
    consequence: Literal["bot", "forfeit"]

    def fold(self, state: "Match") -> None:
        """Marks the seat as absent if it forfeited."""
        if self.consequence == "forfeit":
            state.absent = (*state.absent, self.seat)


@record
class TimeReturned(MatchFact):
    """The service could not accept commands in this outage: clocks and deadlines shift by its length."""

    since: int
    until: int

    def fold(self, state: "Match") -> None:
        """Moves the clocks that run, or the deadline for opening contributions."""
        state.returned_until = self.until
        state.returned_ms += self.until - self.since
        if state.due is not None:
            state.due += self.until - self.since
        state.clock.give_back(self.since, self.until)


@record
class SeatResigned(MatchFact):
    """A player resigned; if others play on, the service makes quiet moves for the seat."""

    seat: int

    def fold(self, state: "Match") -> None:
        state.absent = (*state.absent, self.seat)


@record
class AbortWanted(MatchFact):
    """A player asked to abort the match; it is aborted when all players have asked."""

    seat: int

    def fold(self, state: "Match") -> None:
        state.abort_wanted = (*state.abort_wanted, self.seat)


@record
class MatchAborted(MatchFact):
    """The match was aborted without a result."""

    reason: Literal["consent", "creator", "withheld", "expired", "organiser"]

    def fold(self, state: "Match") -> None:
        state.status = "aborted"
        state.due = None


@record
class MatchFinished(MatchFact):
    """The match ended: places (1 is best), scores by category, and the server's secret."""

    places: tuple[int, ...]
    scores: Plain
    reason: Literal["played", "forfeit"]
    server_secret: str
    """Empty in a match of a block, whose secret is revealed later."""

    def fold(self, state: "Match") -> None:
        state.status = "finished"
        state.outcome = self


@record
class SecretRevealed(MatchFact):
    """The block of the match is over: the server's secret is revealed, and nothing is hidden any more."""

    server_secret: str

    def fold(self, state: "Match") -> None:
        state.secret_revealed = True


MATCH_FACTS = facts_among(globals())
MATCH_CODEC = Codec(MATCH_FACTS)
"""The plain-data form of the facts of a match besides its game."""


@cache
def find_rules(game: str, version: int | None, data: str | None) -> Rules[Any]:
    """The rules of an installed game, built once for all its matches."""
    return installed_games()[game].rules(data, version)


@cache
def fact_codec(rules: Rules[Any]) -> Codec:
    """The plain-data form of every fact of a match under these rules."""
    return Codec((*MATCH_FACTS, *rules.facts))


def read_facts(data: Sequence[Mapping[str, Plain]], rules: Rules[Any] | None) -> tuple[Fact, ...]:
    """Stored facts as objects. Without rules they are a first entry's, whose first fact names the rules."""
    if rules is None:
        created: MatchCreated = MATCH_CODEC.decode(data[0])
        rules = find_rules(created.game, created.rules_version, created.data)
    codec = fact_codec(rules)
    return tuple([codec.decode(fact) for fact in data])
