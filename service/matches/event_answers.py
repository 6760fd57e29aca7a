"""The answers about events and replays of matches, redacted for their reader."""

from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from kontor_games.domain.codec import Plain
from kontor_games.service.answer_fields import (
    Id,
    Internal,
    MatchState,
    Moment,
    Object,
    ObjectOrNull,
    TypedObject,
    known,
)
from kontor_games.service.matches.answers import (
    MatchSummary,
)


class Event(Struct, frozen=True):
    """A fact of a match."""

    version: int
    """Version of the fact: its number within the match, from 1."""
    at: Moment
    """Time of the fact."""
    by: str
    """Id of the player whose command caused the fact; `house` for the service."""
    fact: Object
    """The fact as you may see it now."""
    text: str | UnsetType | None = UNSET
    """With `tell`: a sentence that describes the fact; null for facts without a description."""


class RecordedEvent(Event, frozen=True):
    """A fact of a match, with its record if requested."""

    record: Object | UnsetType = UNSET
    """With `records=true`: the line of the fact in your export (docs/export.md) without a receipt. From it
    you can compute the hash chain up to `head`, and check the hidden values that you may see."""


class EventPage(Struct, frozen=True):
    """Some facts of a match, in order."""

    match: Id
    """Id of the match."""
    status: MatchState
    """Status of the match."""
    version: int
    """Current version of the match."""
    events: tuple[RecordedEvent, ...]
    """The facts, in order."""
    next: int | None
    """The value of `after` for the next page; null if the match is over and there are no more facts."""
    over: Internal[bool]
    rendered: Internal[dict[str, Any]] = {}
    """The encoded answer by format, computed once and shared by all readers who get the same answer."""


class MyEvent(Event, frozen=True, kw_only=True):
    """A fact of one of your matches."""

    match: Id
    """Id of the match."""


class MyEventPage(Struct, frozen=True):
    """New facts of your matches."""

    matches: tuple[MatchSummary, ...]
    """Your matches that are not over."""
    events: list[MyEvent]
    """The facts, in order within each match."""
    next: str
    """The value of `after` for the next page."""


class PatchOperation(Struct, frozen=True):
    """One operation of a JSON Patch."""

    op: Annotated[str, known("add", "replace", "remove")]
    """What to do with the value at `path`."""
    path: str
    """JSON Pointer to the value; a last step `-` means the end of a list."""
    value: Plain | UnsetType = UNSET
    """The new value; absent with `remove`."""


class ReplayPosition(Struct, frozen=True, kw_only=True):
    """A command of a match, and the position after it, as one viewer saw it at that time."""

    version: int
    """Version of the match after the command."""
    first: int
    """Version of the first of its facts."""
    at: Moment
    """Time of the command."""
    by: str
    """Id of the player who sent the command; `house` for the service."""
    seat: int | None
    """The seat that acted; null if none did."""
    facts: list[TypedObject]
    """The facts that the command caused, in order, as the viewer could see them then."""
    texts: list[str | None] | UnsetType = UNSET
    """With `tell`: a sentence for each of `facts`; null for facts without a description."""
    status: MatchState
    """Status of the match."""
    to_act: tuple[int, ...]
    """The seats that had to move next."""
    remaining_ms: tuple[int, ...] | None
    """Remaining time of each seat, in milliseconds; null in a match without a clock."""
    view: ObjectOrNull | UnsetType = UNSET
    """What the viewer could see of the game; null before the match started. Absent if there is a `patch`."""
    patch: list[PatchOperation] | UnsetType = UNSET
    """JSON Patch (RFC 6902) that turns the previous view into the view of this position. Absent if there is a
    `view`."""


class Replay(Struct, frozen=True, kw_only=True):
    """Positions of a match, one after each command."""

    match: Id
    """Id of the match."""
    status: MatchState
    """Current status of the match."""
    version: int
    """Current version of the match."""
    names: tuple[str, ...] | UnsetType = UNSET
    """With `tell`: the name of each seat in sentences and labels; no two are equal."""
    positions: tuple[ReplayPosition, ...]
    """The positions in order. The first has a `view`, the others have a `patch` to the previous view."""
    next: int | None
    """The value of `from` for the next page; null if there are no more positions in the range."""


class AnalysedStep(Struct, frozen=True, kw_only=True):
    """A move of a line."""

    seat: int
    """The seat that makes it."""
    move: TypedObject
    """The move."""
    label: str
    """What it is called, in the language of `tell`; seats have numbers."""


class AnalysedDecision(Struct, frozen=True, kw_only=True):
    """A decision between several moves, judged by what its seat could know."""

    version: int
    """Version of the match before the move."""
    seat: int
    """The seat that moved."""
    before: float
    """Value of the position for the seat: that after the best move."""
    after: float
    """Value after the move that was made."""
    made: AnalysedStep
    """The move that was made."""
    line: list[AnalysedStep]
    """A better move, and how the match may have gone on; empty if none was clearly better."""


class Analysis(Struct, frozen=True, kw_only=True):
    """What each seat of a finished match could have done better."""

    match: Id
    """Id of the match."""
    unit: str
    """What one is in a value: `points` or `cards`."""
    decisions: list[AnalysedDecision]
    """All decisions between several moves, in order."""
    mistakes: list[list[int]]
    """For each seat the versions of its largest mistakes, the largest first."""


class AnalysisAwaited(Struct, frozen=True):
    """The analysis is being made."""

    match: Id
    """Id of the match."""
    retry_after_ms: int
    """When to ask again."""


class ReplayTag(Struct, frozen=True):
    """The values on which the ETag of a replay depends."""

    version: int
    over: bool
    private: bool
    names: tuple[str, ...] | None
    """The names in its sentences, if the reader asked for a language."""
