"""Requests about tournaments: the announcement, commands and queries."""

from typing import Any

from marshmallow import fields

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas.fields import (
    RequestSchema,
    StrictInteger,
    between,
    describe_default,
    length,
    matching,
    one_of,
)
from kontor_games.api.schemas.patterns import HEX_32_BYTES, UUID
from kontor_games.service.tournaments.spec import announcement_schema

_TEXTS = {
    "title": "Title of the tournament.",
    "game": "Id of the game; `GET /v1/games` lists them.",
    "options": "Options of the game, as described by `GET /v1/games/{game}`; the same in all matches.",
    "clock": "The time control of all matches.",
    "on_timeout": "What happens when a player's time is up. `bot`: the service makes a quiet move for the "
    "seat (a harmless one, drawn at random); `forfeit`: the seat forfeits.",
    "seats": "Seats at a full table; by default the maximum of the game.",
    "least_seats": "Fewest seats of a table, if the number of entrants does not fill all tables.",
    "format": "`complete`: every combination of entrants plays once. "
    "`balanced`: everybody meets everybody about equally often. "
    "`swiss`: entrants with equal points meet. `knockout`: the best of each table advance. "
    "`arena`: for a set time, free entrants are paired again and again. "
    "`own`: the organiser uploads the tables.",
    "rounds": "Number of rounds, in the formats `balanced`, `swiss` and `own`.",
    "points": "Points by place, best first; entrants who share a place share the points.",
    "tie_breaks": "Criteria that decide between equal points, in this order. "
    "`wins`; `score_share`: share of the scores at the table; `score`; "
    "`opponents`: sum of the opponents' points; `median_opponents`: the same without the best and the worst "
    "opponent; `direct`: points in matches against each other; `lot`: drawn from the seed.",
    "bye_points": "Points for a round without a table.",
    "rotated": "Whether each table plays its deal once from every seat (duplicate deals).",
    "advance": "Knockout: how many of each table advance.",
    "duration_ms": "Arena: how long new tables are paired, in milliseconds.",
    "automatic": "Whether the service pairs the next round as soon as all results are in.",
    "no_show_ms": "How long an entrant has to take a seat, in milliseconds.",
    "no_show": "What happens after a no-show. `walkover`: the players who are present win; `without`: they "
    "play without the absent ones if there are enough of them.",
    "correction_ms": "How long entrants can protest against provisional standings, in milliseconds.",
    "open_entry": "Whether anyone may enter; otherwise only `invited` players.",
    "invited": "Ids of the invited players.",
    "admits": "Who may enter.",
    "late_entry": "Whether players may enter, or return, while the tournament is running.",
    "least_entrants": "Fewest entrants with which the tournament can start.",
    "most_entrants": "Maximum number of entrants.",
    "forbidden": "Groups of player ids; members of a group are never seated at the same table.",
    "signed": "Whether entrants must sign their commands in all matches.",
    "required_witnesses": "How many witnesses must cosign a checkpoint that covers a match before verifiers "
    "accept the match.",
    "arbiters": "Ids of players who, besides the organiser, can decide results.",
    "rated": "Whether all matches count for the ladder of the game; "
    "then only people or only programs may enter.",
}


def new_tournament() -> dict[str, Any]:
    """JSON Schema of an announcement, with a description of each field."""
    schema, properties = announcement_schema(), dict[str, Any]()
    for name, value in schema["properties"].items():
        properties[name] = {"description": _TEXTS[name], **value}
        describe_default(properties[name])
    return {**schema, "properties": properties, "description": "A new tournament."}


def _why(description: str = "The reason. It is public.") -> fields.String:
    return req.field(fields.String, description, length(1, 400))


def _match() -> fields.String:
    is_match = matching(UUID, "the id of a match")
    return req.text("Id of the match.", is_match, schema={"format": "uuid"})


class Entering(RequestSchema):
    """An entry in a tournament."""

    contribution = req.text(
        "Your contribution to the seed of pairings and lots: 32 random bytes in hex.",
        matching(f"({HEX_32_BYTES})?", "64 hex digits in lower case: 32 random bytes"),
        load_default="",
    )


class Withdrawal(RequestSchema):
    """The withdrawal of an entrant by the organiser or an arbiter."""

    entrant = req.integer("Number of the entrant.", between(0, 10_000))
    why = _why()


class NewRound(RequestSchema):
    """The next round."""

    tables = req.list_of(
        fields.List(StrictInteger(validate=between(0, 10_000)), validate=length(2, 5)),
        "Your own tables: for each, the numbers of the entrants in the order of seats. "
        "Without them, the service pairs the round by the announced format.",
        length(1, 5000),
        **req.NULLABLE,
    )


class NewReplay(RequestSchema):
    """The order to replay a match, whose result then does not count."""

    match = _match()
    why = _why()


class NewRuling(RequestSchema):
    """A result decided by the organiser or an arbiter."""

    match = _match()
    places = req.list_of(
        StrictInteger(validate=between(1, 5)),
        "Place of each seat; 1 is best, and ties share a place, such as 1, 2, 2, 4.",
        length(2, 5),
    )
    why = _why()


class NewProtest(RequestSchema):
    """A protest against provisional standings."""

    why = _why("What is wrong with the standings. It is public and cannot be erased.")


class NewSignOff(RequestSchema):
    """The sign-off of the standings."""

    despite_protests = req.flag("Whether you have reviewed all protests and confirm the standings.")


class NewCancellation(RequestSchema):
    """The cancellation of a tournament, which then has no standings."""

    why = _why()


class TournamentsQuery(RequestSchema):
    """Which tournaments to list."""

    game = req.game("Only tournaments of this game.", load_default=None)
    status = req.text(
        "Only tournaments with this status.",
        one_of("announced", "open", "running", "provisional", "final", "cancelled"),
        load_default=None,
    )
    player = req.id_of("Only tournaments that this player organises or entered.", load_default=None)
    cursor = req.cursor()
    limit = req.limit("Maximum number of tournaments on a page.", 50, 100)


class TournamentEventsQuery(RequestSchema):
    """Which facts of a tournament to return."""

    after = req.after()
    limit = req.limit("Maximum number of facts.", 200, 1000)
    wait = req.wait()
