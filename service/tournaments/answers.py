"""The answers about tournaments: plain data, without anything hidden."""

from typing import Any

import msgspec

from kontor_games.domain.codec import Plain
from kontor_games.service.matches.answers import Event, SeatHolder

Participant = SeatHolder
"""A player of a tournament."""


class TournamentSummary(msgspec.Struct, frozen=True):
    """A tournament in a list."""

    id: str
    title: str
    game: str
    format: str
    status: str
    version: int
    at: int
    organiser: Participant
    entrants: int
    round: int
    rounds: int


class TournamentChance(msgspec.Struct, frozen=True):
    """Everything needed to recompute pairings and lots."""

    commitment: str
    signed: Plain
    """The service's signature over the commitment, for entrants who contribute."""
    server_secret: str | None
    """None until the tournament is over."""
    sealed: bool
    """Whether entrants send hashes, and open their contributions when no more entries are accepted."""
    due: int | None
    """The deadline while contributions are being opened."""
    digest: str | None
    """The hash of all that is sealed, which every opening repeats."""


class TournamentDetails(TournamentSummary, frozen=True):
    """A tournament with its terms."""

    terms: Plain
    chance: TournamentChance
    head: str
    you: int | None
    """The caller's number as an entrant."""
    unfinished: int
    """Matches of the tournament without a result."""
    ends_at: int | None
    correction_until: int | None
    edition: int
    protests: tuple[Plain, ...]
    acknowledged: int


class TournamentAnswer(msgspec.Struct, frozen=True):
    """The outcome of a command: the facts, the tournament after them, and the signed receipt."""

    details: TournamentDetails
    first: int
    facts: list[Plain]
    receipt: Plain
    replayed: bool


class TournamentPage(msgspec.Struct, frozen=True):
    """Some tournaments, newest first, and the cursor of the next page."""

    tournaments: tuple[TournamentSummary, ...]
    next: str | None


class StandingLine(msgspec.Struct, frozen=True):
    """One line of the standings."""

    place: int
    entrant: int
    player: Participant
    active: bool
    points: float
    sixtieths: int
    """The points exactly, in sixtieths."""
    tie_breaks: dict[str, int]
    played: int
    wins: float
    byes: int
    low: float | None
    """The 95% interval of the points per match, by block; None if `intervals.py` computes none."""
    high: float | None
    strength: float | None
    """Log-strength by Bradley and Terry, 0 on average."""
    strength_low: float | None
    strength_high: float | None
    best_rank: int | None
    worst_rank: int | None
    separated: bool
    """Whether the interval of the strength does not overlap with that of the next line."""


class Standings(msgspec.Struct, frozen=True):
    """The standings of a tournament at a version."""

    tournament: str
    status: str
    version: int
    edition: int
    digest: str
    lines: tuple[StandingLine, ...]


class EntrantRefusals(msgspec.Struct, frozen=True):
    """The refused moves of one entrant."""

    entrant: int
    player: Participant
    refused: int
    kinds: dict[str, int]
    """The number of refused moves by problem code."""


class Refusals(msgspec.Struct, frozen=True):
    """The refused moves of all entrants, at tables whose matches are over."""

    tournament: str
    status: str
    entrants: tuple[EntrantRefusals, ...]


class TableMatch(msgspec.Struct, frozen=True):
    """One match of a table."""

    number: int
    match: str | None
    status: str
    """planned, open (seats are being taken), playing, or over."""
    entrants: tuple[int, ...]
    places: tuple[int, ...] | None
    scores: tuple[int, ...] | None
    reason: str | None
    """played, forfeit, walkover or ruling; None without a result."""
    absent: tuple[int, ...]
    """The entrants who did not take their seats in time."""


class RoundTable(msgspec.Struct, frozen=True):
    """One table of a round, the figures that explain its pairing, and its matches."""

    table: int
    entrants: tuple[int, ...]
    players: tuple[Participant, ...]
    points_before: tuple[float, ...]
    repeated_meetings: int
    seat_repeats: int
    matches: tuple[TableMatch, ...]


class Round(msgspec.Struct, frozen=True):
    """A round with its tables."""

    tournament: str
    round: int
    uploaded: bool
    byes: tuple[int, ...]
    tables: tuple[RoundTable, ...]


class TournamentEvents(msgspec.Struct, frozen=True):
    """Facts of a tournament after a version, in order."""

    tournament: str
    status: str
    version: int
    over: bool
    events: tuple[Event, ...]
    rendered: dict[str, Any] = {}
    """The encoded answer by format, computed once and shared by all readers."""
