"""The answers of the use cases of matches, redacted for their reader (`service/answer_fields.py`)."""

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from kontor_games.service.answer_fields import (
    Id,
    Inline,
    Internal,
    MatchState,
    Moment,
    Object,
    ObjectOrNull,
    SigningTime,
    TypedObject,
    known,
)


class SeatHolder(Struct, frozen=True):
    """A player who holds a seat or is invited to it."""

    id: str
    """Id of the player, or `house` for a house bot."""
    name: str | None
    """Name of the player; null if the account was deleted."""
    bot: bool
    """Whether the player is a program."""


class Seat(Struct, frozen=True):
    """A seat of a match."""

    seat: int
    """Number of the seat, from 0."""
    type: Annotated[str, known("open", "invited", "bot")]
    """Who can take the seat: anyone (`open`), one player (`invited`), or a house bot (`bot`)."""
    player: SeatHolder | None
    """The player who holds the seat; null if it is free."""
    invited: SeatHolder | None
    """The invited player, or null."""
    absent: bool
    """Whether the player has resigned or forfeited."""
    key: str | None
    """Public key with which the player signs commands in this match; null if they are not signed."""


class SeatClock(Struct, frozen=True):
    """The clock of one seat."""

    seat: int
    """The seat."""
    remaining_ms: int
    """Remaining time at `server_time`, in milliseconds."""
    deadline: Moment | None
    """Time at which the clock runs out if the seat does not move; null while the clock is stopped."""


class ClockKind(Struct, frozen=True):
    """The time control of a match."""

    kind: Annotated[str, known("none", "per_move", "bank")]
    """`none`; `per_move`: time for each move; `bank`: time for the whole match."""
    ms: int
    """Milliseconds for each move, or for the whole match."""
    increment_ms: int
    """Milliseconds added after each move (`bank` only)."""


class Clock(ClockKind, frozen=True):
    """The clocks of a match."""

    server_time: Moment | UnsetType = UNSET
    """The time to which `remaining_ms` refers; absent if the match has no clock."""
    seats: tuple[SeatClock, ...] | UnsetType = UNSET
    """The clock of each seat; absent if the match has no clock."""


class Result(Struct, frozen=True):
    """The result of a match."""

    places: tuple[int, ...]
    """Place of each seat; 1 is best, and ties share a place."""
    scores: list[dict[str, int]] | None
    """Points of each seat by category; null if the match ended by forfeit."""
    reason: Annotated[str, known("played", "forfeit")]
    """`played`: played to the end; `forfeit`: all players but one resigned or forfeited."""


class MatchStatus(Struct, frozen=True):
    """The status of a match, and the seats that it waits for."""

    id: Id
    """Id of the match."""
    status: MatchState
    """Status of the match."""
    version: int
    """Number of facts so far."""
    at: Moment
    """Time of the last fact."""
    you: int | None
    """Your seat; null if you have none."""
    to_act: tuple[int, ...]
    """The seats that have to move now."""


class BriefPosition(MatchStatus, frozen=True, kw_only=True):
    """The position of a match, perhaps without view and legal moves, which a stream of turns delivers."""

    version: int
    """Number of facts so far; the ETag begins with it."""
    legal_moves: list[TypedObject] | UnsetType = UNSET
    """Every move that you can make now, as in the answer to a single move; absent with `brief`."""
    labels: list[str] | UnsetType = UNSET
    """With `tell`: a short imperative sentence for each of `legal_moves`; no two are equal."""
    scene: str | UnsetType = UNSET
    """With `tell`: the position in a few lines of text; empty before the match starts."""
    names: tuple[str, ...] | UnsetType = UNSET
    """With `tell`: the name of each seat in sentences and labels; no two are equal."""
    view: ObjectOrNull | UnsetType = UNSET
    """What you may see of the game; absent with `brief`."""
    clock: Clock
    result: Result | None
    head: str
    """Hash of the last fact's record. Each record contains the hash of the one before, so it covers all facts
    (docs/chain.md)."""


class Position(BriefPosition, frozen=True, kw_only=True):
    """The position of a match, as its reader may see it."""

    legal_moves: list[TypedObject]
    """Every move that you can make now, in the form in which you send it. A kind of move with too many
    possibilities is listed once, with its `type` and the JSON Schema of such moves as `schema`."""
    view: ObjectOrNull
    """What you may see of the game; null before the match starts."""


class Turn(Struct, frozen=True):
    """Your position when it is your turn, as sent in a stream with `turns=true`."""

    match: Id
    """Id of the match."""
    position: Inline[Position]


class Ruleset(Struct, frozen=True):
    """The rules of a match; fixed when it is created."""

    game: str
    """The game."""
    version: int
    """The version of the rules."""
    data: str
    """Name of the data set."""
    data_hash: str
    """SHA-256 of the data set, with defaults written out (docs/export.md)."""


class SignedCommitment(Struct, frozen=True):
    """The service's signature of `commitment`. Check and store it before you contribute to the seed."""

    at: int
    """Time of the signature, in milliseconds since 1970; it determines which key was in use."""
    key: str
    """Id of the signing key."""
    signature: str
    """Ed25519 signature in Base64; docs/chance.md describes the signed text."""


class Chance(Struct, frozen=True):
    """How the random numbers of a match are determined (docs/chance.md)."""

    commitment: str
    """SHA-256 of the server's secret, recorded in the first fact of the match."""
    signed: SignedCommitment | None
    """The signed commitment; null once the match has started."""
    sealed: bool
    """Whether contributions are sealed: players send a hash when they join, and the value when all seats are
    taken."""
    due: Moment | None
    """Deadline for opening sealed contributions; null unless they are being opened now."""
    open_seed: str | None
    """The open seed, if the match was created with one; otherwise null."""
    in_block: bool
    """Whether the match belongs to a tournament with rotated deals: the seed of the tournament determines the
    deal, and contributions to this match are ignored."""
    server_secret: str | None
    """The server's secret; null until the match is over."""


class Announcement(Struct, frozen=True, kw_only=True):
    """The settings of a match that lists also contain."""

    game: str
    """Id of the game."""
    seats: tuple[Seat, ...]
    """The seats, in order of play."""
    private: bool
    """Whether only its creator, invited and seated players, and anyone who sends its `link_key` can see the
    match."""
    meet_bots: bool
    """Whether programs of other players may join."""
    practice: bool
    """Whether its players may create branches while the match is running."""
    branch: bool
    """Whether the match started in a position of another match; branches are never rated."""
    signed: bool
    """Whether every player must sign their commands."""
    rated: bool
    """Whether the result counts for the ladder of the game (docs/ratings.md)."""
    tags: tuple[str, ...]
    """Tags, by which lists of matches can be filtered."""
    spectator_delay: int
    """By how many seconds everybody who does not play is behind while the match runs; 0: not at all."""


class Details(Announcement, frozen=True, kw_only=True):
    """The settings of a match, its seats, and the sources of its chance."""

    ruleset: Ruleset
    options: Object
    """The chosen options, including defaults."""
    creator: str
    """Id of the player who created the match; `house` for a match of a tournament."""
    on_timeout: Annotated[str, known("bot", "forfeit")]
    """What happens when a player's time is up. `bot`: the service makes a quiet move for the seat (a harmless
    one, drawn at random); `forfeit`: the seat forfeits."""
    autostart: bool
    """Whether the match starts as soon as all seats are taken."""
    max_returned_ms: int | None
    """The most time that outages of the service can give back to clocks in all; null: no limit."""
    required_witnesses: int
    """How many witnesses must cosign a checkpoint that covers the match."""
    witnesses: tuple[str, ...]
    """Public keys of these witnesses, in the C2SP signed-note format; empty if none."""
    expires_at: Moment | None
    """Time at which the match expires if nobody sends a command (docs/time.md); null if it does not
    expire."""
    chance: Chance
    link_key: str | None
    """The key of a private match that you created: anyone who sends it as `Match-Key` may see and join the
    match. Null for all other matches, and at a past `version`."""


class Match(Struct, frozen=True):
    """A match with everything that its reader may know."""

    position: Inline[Position]
    details: Inline[Details]


class MatchSummary(MatchStatus, frozen=True):
    """A match in a list."""

    announcement: Inline[Announcement]
    clock: ClockKind
    result: Result | None
    """The result; null unless the match is finished."""


class MatchPage(Struct, frozen=True):
    """One page of matches, newest first."""

    matches: tuple[MatchSummary, ...]
    """Matches that you may see."""
    next: str | None
    """Cursor of the next page; null on the last page."""


class LinkKey(Struct, frozen=True):
    """The key of a private match."""

    link_key: str
    """Anyone who sends it as `Match-Key` may see and join the match."""


class NotModified(Struct, frozen=True):
    """The reader has this version of the match already, with the same names."""

    version: int
    seats: tuple[Seat, ...]
    private: bool


class Receipt(Struct, frozen=True):
    """A signed statement of a match's version and head. Keep the last one: it proves any later rewriting."""

    match: Id
    """Id of the match."""
    version: int
    """Version of the match."""
    head: str
    """Hash of the last fact's record."""
    at: SigningTime
    """Time of the command, in milliseconds since 1970; part of what is signed."""
    key: str
    """Id of the signing key; the keys are published at `/.well-known/kontor-keys.json`."""
    signature: str
    """Ed25519 signature in Base64; docs/chain.md specifies what is signed."""


class BriefMoveAnswer(Struct, frozen=True):
    """The facts caused by moves, and the position after them, perhaps without view and legal moves."""

    position: Inline[BriefPosition]
    first: int
    """Version of the first of `facts`; the others follow without gaps."""
    facts: list[TypedObject]
    """The facts that the command caused, in order, as you may see them."""
    receipt: Receipt
    replayed: Internal[bool]
    """Whether the command had been carried out before, under the same key."""
    texts: list[str | None] | UnsetType = UNSET
    """With `tell`: a sentence for each of `facts`; null for facts without a description."""


class MoveAnswer(BriefMoveAnswer, frozen=True):
    """The facts that a move caused, and the new position with your legal moves."""

    position: Inline[Position]


class CommandAnswer(MoveAnswer, frozen=True, kw_only=True):
    """The facts that a command caused, and the match afterwards."""

    details: Inline[Details]


class Obstacle(Struct, frozen=True, kw_only=True):
    """Something that you lack for every move of a kind."""

    type: str
    """The kind of move of which none is possible."""
    code: str
    """The code of the refusal of such a move."""
    rule: str
    """Number of the rule."""
    text: str
    """What is missing, as a sentence."""


class ObstacleList(Struct, frozen=True, kw_only=True):
    """Why you can make no move of some kinds now."""

    version: int
    """Version of the match."""
    obstacles: list[Obstacle]
    """Everything that you lack, by kind of move; empty if you have no seat, or if it is not your turn."""


class DryRun(Struct, frozen=True, kw_only=True):
    """The effect of moves that were only checked, as far as their player may know it."""

    passes: bool
    """Always true: an illegal move is refused with the problem that making it would cause."""
    version: int
    """Version of the match for which the move was checked."""
    facts: list[TypedObject]
    """The facts that the move is certain to cause, in order, as you would see them."""
    texts: list[str | None] | UnsetType = UNSET
    """With `tell`: a sentence for each of `facts`; null for facts without a description."""
    label: str | UnsetType = UNSET
    """With `tell`: the first move in words, also one that is not listed."""
    view: Object
    """What you would see of the game after these facts."""
    complete: bool
    """Whether `facts` has all facts that the move causes. If false, further facts depend on chance or on
    information that is hidden from you."""
    legal_moves: list[TypedObject] | UnsetType = UNSET
    """If `complete`: your legal moves after these facts, to be tried or sent together with those before."""
    labels: list[str] | UnsetType = UNSET
    """With `tell`: a short imperative sentence for each of `legal_moves`."""
