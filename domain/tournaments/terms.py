"""The terms of a tournament: signed before the first entry, and never changed afterwards."""

from typing import Annotated, Literal

from kontor_games.domain.clock import ClockSettings
from kontor_games.domain.codec import Between, Length, Plain, Record, late, record
from kontor_games.domain.match_facts import Id, ReturnLimit, SpectatorDelay, Word

MAX_ENTRANTS = 10_000
MAX_ROUNDS = 200
PAIRING_VERSION = 2
"""The newest version of the rules of pairing; new tournaments have it."""
SEED_VERSION = 2
"""The newest way to determine the seed; new tournaments have it. In version 2 contributions are sealed."""
_MAX_MS = 30 * 24 * 3600 * 1000
Text = Annotated[str, Length(1, 400)]
Milliseconds = Annotated[int, Between(0, _MAX_MS)]
Format = Literal["complete", "balanced", "swiss", "knockout", "arena", "own"]
TieBreak = Literal["wins", "score_share", "score", "opponents", "median_opponents", "direct", "lot"]


@record
class Terms(Record):
    """The terms of a tournament: game, format, clock, points, and who may enter."""

    title: Annotated[str, Length(1, 120)]
    game: Word
    rules_version: int
    data: Word
    data_hash: str
    options: Plain
    clock: ClockSettings
    on_timeout: Literal["bot", "forfeit"]
    seats: Annotated[int, Between(2, 5)]
    least_seats: Annotated[int, Between(2, 5)]
    """The smallest table; smaller ones are used if the entrants do not fill all tables."""
    format: Format
    rounds: Annotated[int, Between(1, MAX_ROUNDS)]
    points: Annotated[tuple[Annotated[int, Between(0, 1000)], ...], Length(2, 5)]
    """Points by place, best first; entrants who share a place share the points."""
    tie_breaks: Annotated[tuple[TieBreak, ...], Length(0, 7)]
    """The tie-breaks, in order; entrants who are equal in all of them share a place."""
    bye_points: Annotated[int, Between(0, 1000)]
    rotated: bool
    """Whether each table plays its deal once from every seat, as a block of matches (duplicate deals)."""
    advance: Annotated[int, Between(1, 4)]
    """Knockout: number of entrants of each table who advance."""
    duration_ms: Milliseconds
    """Arena: how long new tables are paired."""
    automatic: bool
    """Whether the service pairs the next round once all results are in; otherwise the organiser does."""
    no_show_ms: Milliseconds
    """How long an entrant has to take a seat before that is a no-show."""
    no_show: Literal["walkover", "without"]
    """Whether the present players win, or play without the absent if there are enough of them."""
    correction_ms: Milliseconds
    """How long provisional standings can be protested against before they can be signed off."""
    open_entry: bool
    """Whether anyone may enter; otherwise only those who are invited."""
    invited: Annotated[tuple[Id, ...], Length(0, MAX_ENTRANTS)]
    admits: Literal["people", "programs", "both"]
    late_entry: bool
    least_entrants: Annotated[int, Between(2, MAX_ENTRANTS)]
    most_entrants: Annotated[int, Between(2, MAX_ENTRANTS)]
    forbidden: Annotated[tuple[tuple[Id, ...], ...], Length(0, 1000)]
    """Groups of players who must not meet: team mates, siblings, bots of one author."""
    signed: bool
    """Whether entrants must sign their commands in all matches."""
    required_witnesses: Annotated[int, Between(0, 100)]
    organiser: Id
    arbiters: Annotated[tuple[Id, ...], Length(0, 20)]
    secret_blocks: bool = late(default=False)
    """Whether the deal of a block stays secret until the whole block is over.

    A match that is played again outside of a block then has a new deal. False before this option existed."""
    rated: bool = late(default=False)
    """Whether all matches count for the ladder of the game (docs/ratings.md)."""
    pairing_version: Annotated[int, Between(1, PAIRING_VERSION)] = late(default=1)
    """The version of the rules of pairing, pinned by the announcement."""
    seed_version: Annotated[int, Between(1, SEED_VERSION)] = late(default=1)
    """How the seed is determined: 2 with sealed contributions, 1 with open ones (docs/tournaments.md)."""
    max_returned_ms: ReturnLimit | None = late(default=None)
    """The most time that outages can give back in each match, 0 for none; None: what the service announces
    in each match, as in older tournaments."""
    spectator_delay: SpectatorDelay = late(default=0)
    """While a match runs, all who don't play in it see the position of so many seconds ago."""
    description: Annotated[str, Length(0, 1000)] = late(default="")
    """What the organiser says about it."""
    starts_at: Annotated[int, Between(0, 253_402_300_799_999)] | None = late(default=None)
    """When the organiser wants to start it, in milliseconds since 1970; None: not said."""


def faults_of_terms(terms: Terms, seat_counts: tuple[int, ...]) -> list[tuple[str, str]]:
    """Return the contradictions, as pairs of a field and a sentence."""
    allowed = ", ".join(map(str, seat_counts))
    is_arena, is_knockout = terms.format == "arena", terms.format == "knockout"
    is_fixed = is_knockout or terms.format == "complete"
    faults = [
        ("seats", f"must be one of {allowed} in this game", terms.seats not in seat_counts),
        ("least_seats", "must not be greater than `seats`", terms.least_seats > terms.seats),
        ("least_seats", f"must be one of {allowed}", terms.least_seats not in seat_counts),
        ("points", "must have one entry for each seat", len(terms.points) != terms.seats),
        ("points", "must not rise", list(terms.points) != sorted(terms.points, reverse=True)),
        ("tie_breaks", "must not repeat", len(set(terms.tie_breaks)) != len(terms.tie_breaks)),
        ("advance", "must be smaller than `least_seats`", is_knockout and terms.advance >= terms.least_seats),
        ("duration_ms", "must be at least 1000 in an arena", is_arena and terms.duration_ms < 1000),
        ("rotated", "must be false in an arena", is_arena and terms.rotated),
        ("least_entrants", "must not be less than `least_seats`", terms.least_entrants < terms.least_seats),
        (
            "most_entrants",
            "must not be less than `least_entrants`",
            terms.most_entrants < terms.least_entrants,
        ),
        (
            "rated",
            "must be false if people and programs can meet: they have ladders of their own",
            terms.rated and terms.admits == "both",
        ),
        ("late_entry", "must be false in this format", is_fixed and terms.late_entry),
    ]
    return [(name, sentence) for name, sentence, wrong in faults if wrong]
