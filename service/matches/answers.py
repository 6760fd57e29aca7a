"""The answers of the use cases of matches: plain data, redacted for its reader.

Times are milliseconds since 1970.
"""

from typing import Any

import msgspec

from kontor_games.domain.codec import Plain


class SeatHolder(msgspec.Struct, frozen=True):
    """Who has a seat, or is invited to one."""

    id: str
    name: str | None
    """None for a player whose account was deleted."""
    bot: bool


class Seat(msgspec.Struct, frozen=True):
    """One seat of a match."""

    seat: int
    type: str
    player: SeatHolder | None
    invited: SeatHolder | None
    absent: bool
    key: str | None


class SeatClock(msgspec.Struct, frozen=True):
    """The time of one seat."""

    seat: int
    remaining_ms: int
    deadline: int | None


class Clocks(msgspec.Struct, frozen=True):
    """The time control and, in a match with a clock, the remaining time of each seat at `server_time`."""

    kind: str
    ms: int
    increment_ms: int
    server_time: int | None = None
    seats: tuple[SeatClock, ...] = ()


class Result(msgspec.Struct, frozen=True):
    """How a match ended."""

    places: tuple[int, ...]
    scores: Plain
    reason: str


class MatchStatus(msgspec.Struct, frozen=True):
    """The progress of a match, and the seats that it waits for."""

    id: str
    status: str
    version: int
    at: int
    you: int | None
    to_act: tuple[int, ...]


class Position(MatchStatus, frozen=True):
    """The position of a match, redacted for one reader."""

    legal_moves: list[Plain]
    view: Plain
    clock: Clocks
    result: Result | None
    head: str


class NarratedPosition(Position, frozen=True):
    """A position in words, for a reader who asked for a language."""

    names: tuple[str, ...]
    """The names of the seats in sentences."""
    labels: list[str]
    """The label of each legal move, in the same order."""
    scene: str
    """The table as a few lines of text; empty before the match starts."""


class BriefPosition(MatchStatus, frozen=True):
    """The position of a match without view and legal moves, which a stream of turns delivers."""

    clock: Clocks
    result: Result | None
    head: str


class Ruleset(msgspec.Struct, frozen=True):
    """The rules that a match has pinned."""

    game: str
    version: int
    data: str
    data_hash: str


class SignedCommitment(msgspec.Struct, frozen=True):
    """The service's signature over the commitment to its secret (docs/chance.md)."""

    at: int
    key: str
    signature: str


class Chance(msgspec.Struct, frozen=True):
    """Everything needed to recompute the draws of a match."""

    commitment: str
    signed: SignedCommitment | None
    """None once the match has started, when contributions are closed."""
    sealed: bool
    due: int | None
    open_seed: str | None
    in_block: bool
    """Whether the seed of a tournament fixes the deal, so that contributions to this match do not count."""
    server_secret: str | None
    """None until the match is over."""


class Details(msgspec.Struct, frozen=True):
    """The details of a match, mostly from its announcement."""

    ruleset: Ruleset
    seats: tuple[Seat, ...]
    options: Plain
    creator: str
    on_timeout: str
    autostart: bool
    private: bool
    meet_bots: bool
    practice: bool
    branch: bool
    signed: bool
    rated: bool
    tags: tuple[str, ...]
    max_returned_ms: int | None
    required_witnesses: int
    witnesses: tuple[str, ...]
    expires_at: int | None
    """When the match expires if nobody sends a command."""
    chance: Chance
    link_key: str | None
    """The key of a private match, for its creator only."""


class FullMatch(msgspec.Struct, frozen=True):
    """A match with everything that its reader may know."""

    position: Position
    details: Details


class NotModified(msgspec.Struct, frozen=True):
    """The reader has this version of the match already, with the same names."""

    version: int
    seats: tuple[Seat, ...]
    private: bool


class Answer(msgspec.Struct, frozen=True):
    """The outcome of moves: the facts, the match after them, and the signed receipt."""

    position: Position
    first: int
    """The version of the first fact."""
    facts: list[Plain]
    receipt: Plain
    replayed: bool
    """Whether the command had been carried out before, under the same key."""
    texts: list[str | None] | None
    """A sentence about each fact, if there is anything to say; None if the reader asked for no language."""


class BriefAnswer(msgspec.Struct, frozen=True):
    """The outcome of moves without view and legal moves."""

    position: BriefPosition
    first: int
    facts: list[Plain]
    receipt: Plain
    replayed: bool
    texts: list[str | None] | None


class CommandAnswer(Answer, frozen=True):
    """The outcome of any other command."""

    details: Details


class DryRun(msgspec.Struct, frozen=True):
    """The effect of moves that were only checked, as far as their player may know it."""

    version: int
    """The version of the match at which they are legal."""
    facts: list[Plain]
    """The facts that follow for certain, in order."""
    texts: list[str | None] | None
    label: str | None
    """The move in words; None if its caller wants no texts."""
    view: Plain
    """The player's view after these facts."""
    complete: bool
    """Whether nothing else follows: otherwise the next fact depends on chance or on something hidden."""


class Summary(msgspec.Struct, frozen=True):
    """A match in a list."""

    id: str
    game: str
    status: str
    version: int
    at: int
    you: int | None
    to_act: tuple[int, ...]
    seats: tuple[Seat, ...]
    private: bool
    meet_bots: bool
    practice: bool
    branch: bool
    signed: bool
    rated: bool
    tags: tuple[str, ...]
    clock: Clocks
    result: Result | None


class Page(msgspec.Struct, frozen=True):
    """Some matches, newest first, and the cursor of the next page."""

    matches: tuple[Summary, ...]
    next: str | None


class Event(msgspec.Struct, frozen=True):
    """One fact with its version, its time and the player whose command caused it."""

    version: int
    at: int
    by: str
    fact: Plain


class NarratedEvent(Event, frozen=True):
    """A fact with the sentence about it, if there is anything to say."""

    text: str | None


class ReplayPosition(msgspec.Struct, frozen=True):
    """A command of a match, and the position after it, as one viewer saw it at that time."""

    version: int
    first: int
    """The version of the first fact."""
    at: int
    by: str
    seat: int | None
    facts: list[Plain]
    status: str
    to_act: tuple[int, ...]
    remaining_ms: tuple[int, ...] | None
    """The time that each seat had left; None in a match without a clock."""
    view: Plain
    patch: list[Plain] | None
    """A JSON Patch from the view of the previous position to this one; `view` is None then."""
    texts: list[str | None] | None
    """A sentence about each fact, if there is anything to say; None if the reader asked for no language."""


class Replay(msgspec.Struct, frozen=True):
    """Some positions of a match, in order, and the version from which to read on."""

    match: str
    status: str
    version: int
    positions: tuple[ReplayPosition, ...]
    next: int | None
    names: tuple[str, ...] | None
    """The names of the seats in sentences."""


class ReplayTag(msgspec.Struct, frozen=True):
    """The values on which the ETag of a replay depends."""

    version: int
    over: bool
    private: bool
    names: tuple[str, ...] | None
    """The names in its sentences, if the reader asked for a language."""


class Events(msgspec.Struct, frozen=True):
    """Facts of a match after a version, in order, and the current position."""

    match: str
    status: str
    version: int
    over: bool
    events: tuple[Event, ...]
    rendered: dict[str, Any] = {}
    """The encoded answer by format, computed once and shared by all readers who get the same answer."""
