"""The answers about tournaments, without anything hidden (`service/answer_fields.py`)."""

from typing import Annotated, Any

from msgspec import Struct

from kontor_games.service.answer_fields import AnyObject, Inline, Internal, Moment, Object, Uuid, known

TournamentState = Annotated[str, known("announced", "open", "running", "provisional", "final", "cancelled")]
Reason = Annotated[str, known("played", "forfeit", "walkover", "ruling")]


class Participant(Struct, frozen=True):
    """A player in a tournament."""

    id: str
    """Id of the player."""
    name: str | None
    """Name of the player; null if the account was deleted."""
    bot: bool
    """Whether the player is a program."""


class TournamentSummary(Struct, frozen=True):
    """A tournament in a list."""

    id: Uuid
    """Id of the tournament."""
    title: str
    """Title of the tournament."""
    game: str
    """Id of the game."""
    format: str
    """The pairing format; `POST /v1/tournaments` describes the formats."""
    status: TournamentState
    """Status of the tournament."""
    version: int
    """Number of facts so far."""
    at: Moment
    """Time of the newest fact."""
    organiser: Participant
    """The organiser."""
    entrants: int
    """Number of entrants who have not withdrawn."""
    round: int
    """Number of rounds paired so far."""
    rounds: int
    """Announced number of rounds."""


class TournamentPage(Struct, frozen=True):
    """One page of tournaments, newest first."""

    tournaments: tuple[TournamentSummary, ...]
    """The tournaments, newest first."""
    next: str | None
    """Cursor of the next page; null on the last page."""


class SignedTournamentCommitment(Struct, frozen=True):
    """The service's signature of its commitment (docs/tournaments.md)."""

    at: int
    """Time of signing, in milliseconds since 1970."""
    key: str
    """Id of the signing key."""
    signature: str
    """Ed25519 signature in Base64."""


class TournamentChance(Struct, frozen=True):
    """How the seed of pairings and lots is determined."""

    commitment: str
    """SHA-256 of the server's secret, published with the announcement."""
    signed: SignedTournamentCommitment | None
    """Signature of the commitment; null once the tournament has started."""
    server_secret: str | None
    """The server's secret; null until the tournament is over."""
    sealed: bool
    """Whether contributions are sealed: entrants send a hash, and open it when no more entries are
    accepted."""
    due: Moment | None
    """Deadline for opening contributions; null unless they are being opened."""
    digest: str | None
    """Hash of everything that is sealed, which every opening repeats; null unless they are being opened."""


class Protest(Struct, frozen=True):
    """A protest of an entrant."""

    entrant: int
    """Number of the entrant."""
    why: str
    """The reason."""


class Tournament(TournamentSummary, frozen=True):
    """A tournament with its terms."""

    terms: Object
    """The terms as announced, signed before the first entry and never changed."""
    chance: TournamentChance
    """How the seed of pairings and lots is determined."""
    head: str
    """Hash of the last fact's record."""
    you: int | None
    """Your number as an entrant; null if you have not entered."""
    unfinished: int
    """Number of matches without a result."""
    ends_at: Moment | None
    """Arena: time until which new tables are paired; otherwise null."""
    correction_until: Moment | None
    """Time until which entrants can protest against the standings; null before they are posted."""
    edition: int
    """Number of the newest signed edition of the standings; 0 before the first."""
    protests: tuple[Protest, ...]
    """The protests."""
    acknowledged: int
    """Number of entrants who have agreed with the standings."""


class TournamentReceipt(Struct, frozen=True):
    """A signed statement of a tournament's version and head (docs/tournaments.md)."""

    tournament: str
    """Id of the tournament."""
    version: int
    """Version of the tournament."""
    head: str
    """Hash of the last fact's record at this version."""
    at: int
    """Time of the command, in milliseconds since 1970."""
    key: str
    """Id of the signing key."""
    signature: str
    """Ed25519 signature in Base64."""


class TournamentAnswer(Struct, frozen=True):
    """The facts that a command caused, and the tournament afterwards."""

    details: Inline[Tournament]
    first: int
    """Version of the first of `facts`; the others follow without gaps."""
    facts: list[AnyObject]
    """The facts that the command caused."""
    receipt: TournamentReceipt
    """The signed receipt."""
    replayed: Internal[bool]
    """Whether the command had been carried out before, under the same key."""


class StandingLine(Struct, frozen=True):
    """One line of the standings."""

    place: int
    """Place; 1 is best, and tied entrants share a place."""
    entrant: int
    """Number of the entrant."""
    player: Participant
    """The player."""
    active: bool
    """False if the entrant has withdrawn."""
    points: float
    """Points, as a decimal number."""
    sixtieths: int
    """The exact points, in sixtieths of a point."""
    tie_breaks: Object
    """Value of each announced tie-break."""
    played: int
    """Number of matches played."""
    wins: float
    """Number of wins; a first place shared by n entrants counts as 1/n."""
    byes: int
    """Number of rounds with a bye."""
    low: float | None
    """Lower end of the 95% confidence interval of the points per match, computed over blocks; null if there
    are too few results."""
    high: float | None
    """Upper end of this interval."""
    strength: float | None
    """Log-strength in the Bradley-Terry model, 0 on average; null if there are too few results."""
    strength_low: float | None
    """Lower end of the 95% confidence interval of `strength`."""
    strength_high: float | None
    """Upper end of this interval."""
    best_rank: int | None
    """Best plausible rank by strength."""
    worst_rank: int | None
    """Worst plausible rank by strength."""
    separated: bool
    """Whether the confidence interval of `strength` does not overlap that of the next line."""


class Standings(Struct, frozen=True):
    """The standings at a version."""

    tournament: str
    """Id of the tournament."""
    status: TournamentState
    """Status of the tournament."""
    version: int
    """Version to which the standings belong."""
    edition: int
    """Number of the newest signed edition."""
    digest: str
    """SHA-256 of places, points and tie-breaks as canonical JSON; editions sign this digest."""
    lines: tuple[StandingLine, ...]
    """The lines, best first."""


class EntrantRefusals(Struct, frozen=True):
    """The refused moves of one entrant."""

    entrant: int
    """Number of the entrant."""
    player: Participant
    """The player."""
    refused: int
    """Number of refused moves."""
    kinds: dict[str, int]
    """Number of refused moves by problem code, such as `not_your_turn`."""


class TournamentRefusals(Struct, frozen=True):
    """The number of refused moves of all entrants, at tables whose matches are all over."""

    tournament: str
    """Id of the tournament."""
    status: TournamentState
    """Status of the tournament."""
    entrants: tuple[EntrantRefusals, ...]
    """The entrants, by number."""


class TableMatch(Struct, frozen=True):
    """One match of a table."""

    number: int
    """Number of the match within the block of the table."""
    match: str | None
    """Id of the match; null until it is created."""
    status: Annotated[str, known("planned", "open", "playing", "over")]
    """Status of the match: `open` while players take their seats."""
    entrants: tuple[int, ...]
    """Numbers of the entrants, by seat."""
    places: tuple[int, ...] | None
    """Place of each seat; null until there is a result."""
    scores: tuple[int, ...] | None
    """Score of each seat; null until there is a result."""
    reason: Reason | None
    """Why the result counts; null until there is one. `played`: to the end; `forfeit`: by resigning or on
    time; `walkover`: some entrants were `absent`; `ruling`: decided by the organiser or an arbiter."""
    absent: tuple[int, ...]
    """Numbers of the entrants who did not take their seats in time."""


class RoundTable(Struct, frozen=True):
    """One table of a round, with the figures that explain its pairing."""

    table: int
    """Number of the table."""
    entrants: tuple[int, ...]
    """Numbers of the entrants, by seat."""
    players: tuple[Participant, ...]
    """The players, by seat."""
    points_before: tuple[float, ...]
    """Points of each entrant before the round, by seat."""
    repeated_meetings: int
    """Number of pairs at this table that had met before."""
    seat_repeats: int
    """How often these entrants had the same seats before, in total."""
    matches: tuple[TableMatch, ...]
    """The matches of the table."""


class Round(Struct, frozen=True):
    """A round with its tables."""

    tournament: str
    """Id of the tournament."""
    round: int
    """Number of the round, from 1."""
    uploaded: bool
    """Whether the organiser uploaded the tables."""
    byes: tuple[int, ...]
    """Numbers of the entrants without a table."""
    tables: tuple[RoundTable, ...]
    """The tables."""


class TournamentEvent(Struct, frozen=True):
    """One fact of a tournament."""

    version: int
    """Version of the fact."""
    at: Moment
    """Time of the fact."""
    by: str
    """Id of the player whose command caused the fact; `house` for the service."""
    fact: Object
    """The fact."""


class TournamentEventPage(Struct, frozen=True):
    """Some facts of a tournament, in order."""

    tournament: str
    """Id of the tournament."""
    status: TournamentState
    """Status of the tournament."""
    version: int
    """Number of facts so far."""
    events: tuple[TournamentEvent, ...]
    """The facts, in order."""
    next: int | None
    """The value of `after` for the next page; null if the tournament is over and there are no more facts."""
    over: Internal[bool]
    rendered: Internal[dict[str, Any]] = {}
    """The encoded answer by format, computed once and shared by all readers."""
