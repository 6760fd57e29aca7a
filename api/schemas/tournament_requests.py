"""Requests about tournaments: the announcement, commands and queries."""

from typing import Any

from marshmallow import fields

from kontor_games.api.render import encode
from kontor_games.api.schemas.fields import (
    QueryInteger,
    RequestSchema,
    StrictBoolean,
    StrictInteger,
    between,
    length,
    matching,
    one_of,
)
from kontor_games.api.schemas.patterns import CURSOR, GAME_ID, HEX_32_BYTES, LONGEST_WAIT_S, UUID
from kontor_games.domain.plain import LARGEST
from kontor_games.service.tournaments.spec import announcement_schema

_TEXTS = {
    "title": "Title of the tournament.",
    "game": "Id of the game; `GET /v1/games` lists them.",
    "options": "Options of the game, as described by `GET /v1/games/{game}`; the same in all matches.",
    "clock": "The time control of all matches.",
    "on_timeout": "What happens when a player's time is up: a harmless move is made (`bot`), "
    "or the seat forfeits.",
    "seats": "Seats at a full table; by default as many as the game has.",
    "least_seats": "The smallest table that is used if the entrants do not fill all tables.",
    "format": "`complete`: every combination once. "
    "`balanced`: everybody meets everybody about equally often. "
    "`swiss`: those with equal points meet. `knockout`: the best of each table go on. "
    "`arena`: for some time, free entrants are paired again and again. "
    "`own`: the organiser uploads the tables.",
    "rounds": "Number of rounds, in the formats `balanced`, `swiss` and `own`.",
    "points": "Points by place, best first; entrants who share a place share the points.",
    "tie_breaks": "What decides between equal points, in this order. "
    "`wins`; `score_share`: share of the scores at the table; `score`; "
    "`opponents`: sum of the opponents' points; `median_opponents`: without the best and the worst; "
    "`direct`: points made against each other; `lot`: drawn from the seed.",
    "bye_points": "Points for a round without a table.",
    "rotated": "Whether each table plays its deal once from every seat (duplicate deals).",
    "advance": "How many of each table go on, in a knockout.",
    "duration_ms": "How long new tables are paired in an arena, in milliseconds.",
    "automatic": "Whether the service pairs the next round as soon as all results are in.",
    "no_show_ms": "How long an entrant has to take a seat, in milliseconds.",
    "no_show": "After a no-show, the present players win (`walkover`), or play `without` the absent if "
    "there are enough of them.",
    "correction_ms": "How long provisional standings can be protested against, in milliseconds.",
    "open_entry": "Whether anyone may enter; otherwise only `invited` players.",
    "invited": "Ids of the invited players.",
    "admits": "Who may enter.",
    "late_entry": "Whether players may enter, or return, while the tournament is running.",
    "least_entrants": "Fewest entrants with which the tournament can start.",
    "most_entrants": "Most entrants.",
    "forbidden": "Groups of players who must not meet.",
    "signed": "Whether entrants must sign their commands in all matches.",
    "required_witnesses": "How many witnesses must cosign a checkpoint that covers a match "
    "for it to be accepted.",
    "arbiters": "Ids of players who can rule, besides the organiser.",
    "rated": "Whether all matches count for the ladder of the game; "
    "then only people or only programs may enter.",
}


def new_tournament() -> dict[str, Any]:
    """JSON Schema of an announcement, with a description of each field."""
    schema = announcement_schema()
    properties = {name: _described(_TEXTS[name], value) for name, value in schema["properties"].items()}
    return {**schema, "properties": properties, "description": "A new tournament."}


def _described(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Move a default into the description: generated clients treat a property with a default as required."""
    default = schema.get("default")
    told = f" Default: `{encode(default).decode()}`." if default not in (None, {}, []) else ""
    return {"description": text + told, **{key: value for key, value in schema.items() if key != "default"}}


def _why(required_text: str) -> fields.String:
    return fields.String(required=True, validate=length(1, 400), metadata={"description": required_text})


def _places() -> fields.List[Any]:
    return fields.List(
        StrictInteger(validate=between(1, 5)),
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

    entrant = StrictInteger(
        required=True, validate=between(0, 10_000), metadata={"description": "Number of the entrant."}
    )
    why = _why("The reason, which is public.")


class NewRound(RequestSchema):
    """The next round."""

    tables = fields.List(
        fields.List(StrictInteger(validate=between(0, 10_000)), validate=length(2, 5)),
        load_default=None,
        allow_none=True,
        validate=length(1, 5000),
        metadata={
            "description": "Your own tables: lists of entrants' numbers in the order of seats. "
            "Without them, the service pairs by the announced format."
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

    despite_protests = StrictBoolean(
        load_default=False,
        metadata={"description": "Whether you have reviewed all protests and confirm the standings."},
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
    limit = QueryInteger(
        load_default=50,
        validate=between(1, 100),
        metadata={"description": "Maximum number of tournaments on a page."},
    )


class TournamentEventsQuery(RequestSchema):
    """Which facts of a tournament to return."""

    after = QueryInteger(
        load_default=None,
        validate=between(0, LARGEST),
        metadata={
            "description": "Return only facts after this version. "
            "The header `Last-Event-ID` takes precedence."
        },
    )
    limit = QueryInteger(
        load_default=200, validate=between(1, 1000), metadata={"description": "Maximum number of facts."}
    )
    wait = QueryInteger(
        load_default=None,
        validate=between(0, LONGEST_WAIT_S),
        metadata={
            "description": "Seconds to wait for new facts (JSON), or to keep a stream open "
            "(default: as long as the service allows)."
        },
    )
