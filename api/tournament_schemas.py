"""Requests and answers of tournaments, each name with what it means."""

from functools import partial
from typing import Any

from marshmallow import fields

from kontor_games.api.fields import (
    Flag,
    RequestSchema,
    ResponseSchema,
    Whole,
    WrittenWhole,
    between,
    described,
    length,
    matching,
    one_of,
)
from kontor_games.api.render import encode
from kontor_games.api.request_schemas import CURSOR, GAME_ID, HEX_32_BYTES, LONGEST_WAIT_S, UUID
from kontor_games.domain.plain import LARGEST
from kontor_games.service.tournaments.spec import announcement_schema

_TEXTS = {
    "title": "Title of the tournament.",
    "game": "Id of the game; `GET /v1/games` lists them.",
    "options": "Options of the game, as described by `GET /v1/games/{game}`; the same in all matches.",
    "clock": "The time control of all matches.",
    "on_timeout": "What happens when a player's time is up: a harmless move is made (`bot`), or the seat forfeits.",
    "seats": "Seats at a full table; by default as many as the game has.",
    "least_seats": "The smallest table that is used if the entrants do not fill all tables.",
    "format": "`complete`: every combination once. `balanced`: everybody meets everybody about equally often. "
    "`swiss`: those with equal points meet. `knockout`: the best of each table go on. `arena`: for a time, whoever "
    "is free is paired again. `own`: the organiser uploads the tables.",
    "rounds": "Number of rounds, in the formats `balanced`, `swiss` and `own`.",
    "points": "Points by place, best first; whoever shares a place shares the points.",
    "tie_breaks": "What decides between equal points, in this order. `wins`; `score_share`: share of the scores at the "
    "table; `score`; `opponents`: sum of the opponents' points; `median_opponents`: without the best and the worst; "
    "`direct`: points made against each other; `lot`: drawn from the seed.",
    "bye_points": "Points for a round without a table.",
    "rotated": "Whether each table plays its deal once from every seat (duplicate deals).",
    "advance": "How many of each table go on, in a knockout.",
    "duration_ms": "How long new tables are paired in an arena, in milliseconds.",
    "automatic": "Whether the service pairs the next round as soon as all results are in.",
    "no_show_ms": "How long an entrant has to take a seat, in milliseconds.",
    "no_show": "After a no-show, the present win (`walkover`), or play `without` the absent if they are enough.",
    "correction_ms": "How long provisional standings can be protested against, in milliseconds.",
    "open_entry": "Whether anyone may enter; otherwise only `invited` players.",
    "invited": "Ids of the invited players.",
    "admits": "Who may enter.",
    "late_entry": "Whether players may enter, or return, while the tournament is running.",
    "least_entrants": "Fewest entrants with which the tournament can start.",
    "most_entrants": "Most entrants.",
    "forbidden": "Groups of players who must not meet.",
    "signed": "Whether entrants must sign their commands in all matches.",
    "required_witnesses": "How many witnesses must cosign a checkpoint that covers a match for it to be accepted.",
    "arbiters": "Ids of players who can rule, besides the organiser.",
    "rated": "Whether all matches count for the ladder of the game; then only people or only programs may enter.",
}


def new_tournament() -> dict[str, Any]:
    """JSON Schema of an announcement, with a description of each field."""
    schema = announcement_schema()
    properties = {name: _described(_TEXTS[name], value) for name, value in schema["properties"].items()}
    return {**schema, "properties": properties, "description": "A new tournament."}


def _described(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A default is told in the description: generated clients make a property with a default a required one."""
    default = schema.get("default")
    told = f" Default: `{encode(default).decode()}`." if default not in (None, {}, []) else ""
    return {"description": text + told, **{key: value for key, value in schema.items() if key != "default"}}


# --- requests -------------------------------------------------------------------------------------------------


def _why(required_text: str) -> fields.String:
    return fields.String(required=True, validate=length(1, 400), metadata={"description": required_text})


def _places() -> fields.List[Any]:
    return fields.List(
        Whole(validate=between(1, 5)),
        required=True,
        validate=length(2, 5),
        metadata={"description": "Place of each seat, 1 is best; equals share a place, such as 1, 2, 2, 4."},
    )


def _match() -> fields.String:
    return fields.String(
        required=True,
        validate=matching(UUID, "the id of a match"),
        metadata={"description": "Id of the match.", "format": "uuid"},
    )


class Entering(RequestSchema):
    """An entry."""

    contribution = fields.String(
        load_default="",
        validate=matching(f"({HEX_32_BYTES})?", "64 hex digits in lower case: 32 random bytes"),
        metadata={
            "description": "Your contribution to the seed of pairings and lots: 32 random bytes in hex."
        },
    )


class Withdrawal(RequestSchema):
    """An entrant whom an arbiter withdraws."""

    entrant = Whole(
        required=True, validate=between(0, 10_000), metadata={"description": "Number of the entrant."}
    )
    why = _why("The reason, which is public.")


class NewRound(RequestSchema):
    """The next round."""

    tables = fields.List(
        fields.List(Whole(validate=between(0, 10_000)), validate=length(2, 5)),
        load_default=None,
        allow_none=True,
        validate=length(1, 5000),
        metadata={
            "description": "Your own tables: lists of entrants' numbers in the order of seats. Without them, the "
            "service pairs by the announced format."
        },
    )


class NewReplay(RequestSchema):
    """A match that does not count."""

    match = _match()
    why = _why("The reason, which is public.")


class NewRuling(RequestSchema):
    """The result that an arbiter decides."""

    match = _match()
    places = _places()
    why = _why("The reason, which is public.")


class NewProtest(RequestSchema):
    """A protest."""

    why = _why("What is wrong with the standings. It is public and cannot be erased.")


class NewSignOff(RequestSchema):
    """The sign-off of the standings."""

    despite_protests = Flag(
        load_default=False,
        metadata={"description": "Whether you have looked at all protests, and the standings stand."},
    )


class NewCancellation(RequestSchema):
    """The end of a tournament without standings."""

    why = _why("The reason, which is public.")


class TournamentsQuery(RequestSchema):
    """Which tournaments to list."""

    game = fields.String(
        load_default=None,
        validate=matching(GAME_ID, "the id of a game"),
        metadata={"description": "Only tournaments of this game."},
    )
    status = fields.String(
        load_default=None,
        validate=one_of("announced", "open", "running", "provisional", "final", "cancelled"),
        metadata={"description": "Only tournaments with this status."},
    )
    player = fields.String(
        load_default=None,
        validate=matching(UUID, "the id of a player"),
        metadata={"description": "Only tournaments that this player organises or entered.", "format": "uuid"},
    )
    cursor = fields.String(
        load_default=None,
        validate=matching(CURSOR, "a cursor that this service gave"),
        metadata={"description": "The value of `next` of the previous page."},
    )
    limit = WrittenWhole(
        load_default=50,
        validate=between(1, 100),
        metadata={"description": "Maximum number of tournaments on a page."},
    )


class TournamentEventsQuery(RequestSchema):
    """Which facts of a tournament to return."""

    after = WrittenWhole(
        load_default=None,
        validate=between(0, LARGEST),
        metadata={
            "description": "Return only facts after this version. The header `Last-Event-ID` takes precedence."
        },
    )
    limit = WrittenWhole(
        load_default=200, validate=between(1, 1000), metadata={"description": "Maximum number of facts."}
    )
    wait = WrittenWhole(
        load_default=None,
        validate=between(0, LONGEST_WAIT_S),
        metadata={
            "description": "Seconds to wait for new facts (JSON), or to keep a stream open (default: as long as the service allows)."
        },
    )


# --- answers --------------------------------------------------------------------------------------------------

_text = partial(described, fields.String)
_whole = partial(described, fields.Integer)
_real = partial(described, fields.Float)
_flag = partial(described, fields.Boolean)
_MOMENT: dict[str, Any] = {"format": "date-time", "examples": ["2026-03-01T12:00:00.000Z"]}
_STATUS: dict[str, Any] = {
    "x-extensible-enum": ["announced", "open", "running", "provisional", "final", "cancelled"]
}
_MATCH_STATUS: dict[str, Any] = {"x-extensible-enum": ["planned", "open", "playing", "over"]}


def _list(inner: Any, description: str, **more: Any) -> fields.List[Any]:
    return described(fields.List, description, inner, **more)


def _open(description: str) -> fields.Raw:
    return described(fields.Raw, description, type="object", additionalProperties=True)


class Participant(ResponseSchema):
    """A player of a tournament."""

    id = _text("Id of the player.")
    name = _text("Name of the player; null if the account was deleted.", allow_none=True)
    bot = _flag("Whether the player is a program.")


class TournamentSummary(ResponseSchema):
    """A tournament in a list."""

    id = _text("Id of the tournament.", format="uuid")
    title = _text("Title.")
    game = _text("Id of the game.")
    format = _text("How tables are paired.")
    status = _text("Where the tournament stands.", **_STATUS)
    version = _whole("Number of facts so far.")
    at = _text("Time of the newest fact.", **_MOMENT)
    organiser = described(fields.Nested, "The organiser.", Participant)
    entrants = _whole("Number of entrants who have not withdrawn.")
    round = _whole("Number of rounds paired so far.")
    rounds = _whole("Announced number of rounds.")


class TournamentPage(ResponseSchema):
    """One page of tournaments, newest first."""

    tournaments = _list(fields.Nested(TournamentSummary), "The tournaments, newest first.")
    next = _text("Cursor of the next page; null on the last one.", allow_none=True)


class SignedTournamentCommitment(ResponseSchema):
    """The service's signature over its commitment (docs/tournaments.md)."""

    at = _whole("Time of signing, in milliseconds since 1970.")
    key = _text("Id of the key.")
    signature = _text("Signature in Base64.")


class TournamentChance(ResponseSchema):
    """What pairings and lots are drawn from."""

    commitment = _text("SHA-256 of the server's secret, published with the announcement.")
    signed = described(
        fields.Nested,
        "Signature over the commitment; null once the tournament has started.",
        SignedTournamentCommitment,
        allow_none=True,
    )
    server_secret = _text("The secret, once the tournament is over; null before.", allow_none=True)


class Protest(ResponseSchema):
    """A protest of an entrant."""

    entrant = _whole("Number of the entrant.")
    why = _text("The reason.")


class Tournament(TournamentSummary):
    """A tournament with its terms."""

    terms = _open("Everything that was announced, signed before the first entry and never changed.")
    chance = described(fields.Nested, "What pairings and lots are drawn from.", TournamentChance)
    head = _text("Hash of the newest fact.")
    you = _whole("Your number as an entrant; null if you have not entered.", allow_none=True)
    unfinished = _whole("Number of matches without a result.")
    ends_at = _text("Arena: until when new tables are paired.", allow_none=True, **_MOMENT)
    correction_until = _text("Until when the standings can be protested against.", allow_none=True, **_MOMENT)
    edition = _whole("Number of the newest signed edition of the standings; 0 before the first.")
    protests = _list(fields.Nested(Protest), "The protests.")
    acknowledged = _whole("How many entrants have agreed with the standings.")


class TournamentReceipt(ResponseSchema):
    """A signed statement that a tournament had a head at a version (docs/tournaments.md)."""

    tournament = _text("Id of the tournament.")
    version = _whole("The version.")
    head = _text("Hash of the fact with this version.")
    at = _whole("Time, in milliseconds since 1970.")
    key = _text("Id of the key.")
    signature = _text("Signature in Base64.")


class TournamentAnswer(Tournament):
    """What a command did, and the tournament afterwards."""

    first = _whole("Version of the first fact.")
    facts = _list(fields.Raw(metadata={"type": "object"}), "The facts that the command caused.")
    receipt = described(fields.Nested, "The signed receipt.", TournamentReceipt)


class StandingLine(ResponseSchema):
    """One line of the standings."""

    place = _whole("Place; equals share one.")
    entrant = _whole("Number of the entrant.")
    player = described(fields.Nested, "The player.", Participant)
    active = _flag("Whether the entrant has not withdrawn.")
    points = _real("Points.")
    sixtieths = _whole("Points exactly, in sixtieths.")
    tie_breaks = _open("Value of each announced tie-break.")
    played = _whole("Matches played.")
    wins = _real("Wins; a shared first place counts as a share.")
    byes = _whole("Rounds with a bye.")
    low = _real("Lower end of the 95% interval of points per match, by block.", allow_none=True)
    high = _real("Upper end.", allow_none=True)
    strength = _real("Log-strength by Bradley and Terry, 0 on average.", allow_none=True)
    strength_low = _real("Lower end of its 95% interval.", allow_none=True)
    strength_high = _real("Upper end.", allow_none=True)
    best_rank = _whole("Best plausible rank by strength.", allow_none=True)
    worst_rank = _whole("Worst plausible rank by strength.", allow_none=True)
    separated = _flag("Whether the interval of the strength does not overlap with that of the next line.")


class Standings(ResponseSchema):
    """The standings at a version."""

    tournament = _text("Id of the tournament.")
    status = _text("Where the tournament stands.", **_STATUS)
    version = _whole("Version to which the standings belong.")
    edition = _whole("Number of the newest signed edition.")
    digest = _text("SHA-256 of places, points and tie-breaks in canonical form, which editions sign.")
    lines = _list(fields.Nested(StandingLine), "The lines, best first.")


class EntrantRefusals(ResponseSchema):
    """The refused moves of one entrant."""

    entrant = _whole("Number of the entrant.")
    player = described(fields.Nested, "The player.", Participant)
    refused = _whole("Refused moves.")
    kinds = described(
        fields.Dict,
        "How many were refused with each code of a problem, such as `not_your_turn`.",
        fields.String(),
        fields.Integer(),
    )


class TournamentRefusals(ResponseSchema):
    """The refused moves of all entrants, at tables whose matches are over."""

    tournament = _text("Id of the tournament.")
    status = _text("Where the tournament stands.", **_STATUS)
    entrants = _list(fields.Nested(EntrantRefusals), "The entrants, by number.")


class TableMatch(ResponseSchema):
    """One match of a table."""

    number = _whole("Number in the block of the table.")
    match = _text("Id of the match; null until it is created.", allow_none=True)
    status = _text("Where the match stands: `open` while seats are taken.", **_MATCH_STATUS)
    entrants = _list(fields.Integer(), "Numbers of the entrants, by seat.")
    places = _list(fields.Integer(), "Place of each seat; null until there is a result.", allow_none=True)
    scores = _list(fields.Integer(), "Score of each seat; null until there is a result.", allow_none=True)


class RoundTable(ResponseSchema):
    """One table of a round, and why it was paired so."""

    table = _whole("Number of the table.")
    entrants = _list(fields.Integer(), "Numbers of the entrants, by seat.")
    players = _list(fields.Nested(Participant), "The players, by seat.")
    points_before = _list(fields.Float(), "Points of each before the round.")
    repeated_meetings = _whole("Pairs at this table that had met before.")
    seat_repeats = _whole("How often all of them together had sat in their seats before.")
    matches = _list(fields.Nested(TableMatch), "The matches of the table.")


class Round(ResponseSchema):
    """A round with its tables."""

    tournament = _text("Id of the tournament.")
    round = _whole("Number of the round, from 1.")
    uploaded = _flag("Whether the organiser uploaded the tables.")
    byes = _list(fields.Integer(), "Numbers of the entrants without a table.")
    tables = _list(fields.Nested(RoundTable), "The tables.")


class TournamentEvent(ResponseSchema):
    """One fact of a tournament."""

    version = _whole("Version of the fact.")
    at = _text("Time.", **_MOMENT)
    by = _text("Id of the player whose command caused it, or `house`.")
    fact = _open("The fact.")


class TournamentEventPage(ResponseSchema):
    """Facts of a tournament."""

    tournament = _text("Id of the tournament.")
    status = _text("Where the tournament stands.", **_STATUS)
    version = _whole("Number of facts so far.")
    events = _list(fields.Nested(TournamentEvent), "The facts, in order.")
    next = _whole(
        "`after` of the next page; null if the tournament is over and you have all.", allow_none=True
    )
