"""Answers about tournaments: summaries, standings, rounds and events."""

from typing import Any

from marshmallow import fields

from kontor_games.api.schemas.fields import (
    ResponseSchema,
    response_field,
)
from kontor_games.api.schemas.response_fields import (
    MOMENT,
    boolean_field,
    integer_field,
    list_field,
    nested_field,
    number_field,
    object_field,
    text_field,
)

_STATUS: dict[str, Any] = {
    "x-extensible-enum": ["announced", "open", "running", "provisional", "final", "cancelled"]
}
_MATCH_STATUS: dict[str, Any] = {"x-extensible-enum": ["planned", "open", "playing", "over"]}


class Participant(ResponseSchema):
    """A player of a tournament."""

    id = text_field("Id of the player.")
    name = text_field("Name of the player; null if the account was deleted.", allow_none=True)
    bot = boolean_field("Whether the player is a program.")


class TournamentSummary(ResponseSchema):
    """A tournament in a list."""

    id = text_field("Id of the tournament.", format="uuid")
    title = text_field("Title.")
    game = text_field("Id of the game.")
    format = text_field("How tables are paired.")
    status = text_field("Status of the tournament.", **_STATUS)
    version = integer_field("Number of facts so far.")
    at = text_field("Time of the newest fact.", **MOMENT)
    organiser = nested_field(Participant, "The organiser.")
    entrants = integer_field("Number of entrants who have not withdrawn.")
    round = integer_field("Number of rounds paired so far.")
    rounds = integer_field("Announced number of rounds.")


class TournamentPage(ResponseSchema):
    """One page of tournaments, newest first."""

    tournaments = list_field(fields.Nested(TournamentSummary), "The tournaments, newest first.")
    next = text_field("Cursor of the next page; null on the last one.", allow_none=True)


class SignedTournamentCommitment(ResponseSchema):
    """The service's signature over its commitment (docs/tournaments.md)."""

    at = integer_field("Time of signing, in milliseconds since 1970.")
    key = text_field("Id of the key.")
    signature = text_field("Signature in Base64.")


class TournamentChance(ResponseSchema):
    """The seed of pairings and lots."""

    commitment = text_field("SHA-256 of the server's secret, published with the announcement.")
    signed = nested_field(
        SignedTournamentCommitment,
        "Signature over the commitment; null once the tournament has started.",
        allow_none=True,
    )
    server_secret = text_field("The secret, once the tournament is over; null before.", allow_none=True)


class Protest(ResponseSchema):
    """A protest of an entrant."""

    entrant = integer_field("Number of the entrant.")
    why = text_field("The reason.")


class Tournament(TournamentSummary):
    """A tournament with its terms."""

    terms = object_field("The whole announcement, signed before the first entry and never changed.")
    chance = nested_field(TournamentChance, "The seed of pairings and lots.")
    head = text_field("Hash of the newest fact.")
    you = integer_field("Your number as an entrant; null if you have not entered.", allow_none=True)
    unfinished = integer_field("Number of matches without a result.")
    ends_at = text_field("Arena: until when new tables are paired.", allow_none=True, **MOMENT)
    correction_until = text_field(
        "Until when the standings can be protested against.", allow_none=True, **MOMENT
    )
    edition = integer_field("Number of the newest signed edition of the standings; 0 before the first.")
    protests = list_field(fields.Nested(Protest), "The protests.")
    acknowledged = integer_field("How many entrants have agreed with the standings.")


class TournamentReceipt(ResponseSchema):
    """A signed statement that a tournament had a head at a version (docs/tournaments.md)."""

    tournament = text_field("Id of the tournament.")
    version = integer_field("The version.")
    head = text_field("Hash of the fact with this version.")
    at = integer_field("Time, in milliseconds since 1970.")
    key = text_field("Id of the key.")
    signature = text_field("Signature in Base64.")


class TournamentAnswer(Tournament):
    """The facts that a command caused, and the tournament afterwards."""

    first = integer_field("Version of the first fact.")
    facts = list_field(fields.Raw(metadata={"type": "object"}), "The facts that the command caused.")
    receipt = nested_field(TournamentReceipt, "The signed receipt.")


class StandingLine(ResponseSchema):
    """One line of the standings."""

    place = integer_field("Place; entrants who are equal share one.")
    entrant = integer_field("Number of the entrant.")
    player = nested_field(Participant, "The player.")
    active = boolean_field("Whether the entrant has not withdrawn.")
    points = number_field("Points.")
    sixtieths = integer_field("Points exactly, in sixtieths.")
    tie_breaks = object_field("Value of each announced tie-break.")
    played = integer_field("Matches played.")
    wins = number_field("Wins; a shared first place counts as a share.")
    byes = integer_field("Rounds with a bye.")
    low = number_field("Lower end of the 95% interval of points per match, by block.", allow_none=True)
    high = number_field("Upper end.", allow_none=True)
    strength = number_field("Log-strength by Bradley and Terry, 0 on average.", allow_none=True)
    strength_low = number_field("Lower end of its 95% interval.", allow_none=True)
    strength_high = number_field("Upper end.", allow_none=True)
    best_rank = integer_field("Best plausible rank by strength.", allow_none=True)
    worst_rank = integer_field("Worst plausible rank by strength.", allow_none=True)
    separated = boolean_field(
        "Whether the interval of the strength does not overlap with that of the next line."
    )


class Standings(ResponseSchema):
    """The standings at a version."""

    tournament = text_field("Id of the tournament.")
    status = text_field("Status of the tournament.", **_STATUS)
    version = integer_field("Version to which the standings belong.")
    edition = integer_field("Number of the newest signed edition.")
    digest = text_field("SHA-256 of places, points and tie-breaks in canonical form, which editions sign.")
    lines = list_field(fields.Nested(StandingLine), "The lines, best first.")


class EntrantRefusals(ResponseSchema):
    """The refused moves of one entrant."""

    entrant = integer_field("Number of the entrant.")
    player = nested_field(Participant, "The player.")
    refused = integer_field("Refused moves.")
    kinds = response_field(
        fields.Dict,
        "How many were refused with each problem code, such as `not_your_turn`.",
        fields.String(),
        fields.Integer(),
    )


class TournamentRefusals(ResponseSchema):
    """The refused moves of all entrants, at tables whose matches are over."""

    tournament = text_field("Id of the tournament.")
    status = text_field("Status of the tournament.", **_STATUS)
    entrants = list_field(fields.Nested(EntrantRefusals), "The entrants, by number.")


class TableMatch(ResponseSchema):
    """One match of a table."""

    number = integer_field("Number in the block of the table.")
    match = text_field("Id of the match; null until it is created.", allow_none=True)
    status = text_field("Status of the match: `open` while players take their seats.", **_MATCH_STATUS)
    entrants = list_field(fields.Integer(), "Numbers of the entrants, by seat.")
    places = list_field(
        fields.Integer(), "Place of each seat; null until there is a result.", allow_none=True
    )
    scores = list_field(
        fields.Integer(), "Score of each seat; null until there is a result.", allow_none=True
    )


class RoundTable(ResponseSchema):
    """One table of a round, and why it was paired so."""

    table = integer_field("Number of the table.")
    entrants = list_field(fields.Integer(), "Numbers of the entrants, by seat.")
    players = list_field(fields.Nested(Participant), "The players, by seat.")
    points_before = list_field(fields.Float(), "Points of each before the round.")
    repeated_meetings = integer_field("Pairs at this table that had met before.")
    seat_repeats = integer_field("How often these players had these seats before, in total.")
    matches = list_field(fields.Nested(TableMatch), "The matches of the table.")


class Round(ResponseSchema):
    """A round with its tables."""

    tournament = text_field("Id of the tournament.")
    round = integer_field("Number of the round, from 1.")
    uploaded = boolean_field("Whether the organiser uploaded the tables.")
    byes = list_field(fields.Integer(), "Numbers of the entrants without a table.")
    tables = list_field(fields.Nested(RoundTable), "The tables.")


class TournamentEvent(ResponseSchema):
    """One fact of a tournament."""

    version = integer_field("Version of the fact.")
    at = text_field("Time.", **MOMENT)
    by = text_field("Id of the player whose command caused it, or `house`.")
    fact = object_field("The fact.")


class TournamentEventPage(ResponseSchema):
    """Facts of a tournament."""

    tournament = text_field("Id of the tournament.")
    status = text_field("Status of the tournament.", **_STATUS)
    version = integer_field("Number of facts so far.")
    events = list_field(fields.Nested(TournamentEvent), "The facts, in order.")
    next = integer_field(
        "`after` of the next page; null if the tournament is over and you have all facts.", allow_none=True
    )
