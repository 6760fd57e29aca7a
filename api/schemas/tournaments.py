"""Answers about tournaments: summaries, standings, rounds and events."""

from typing import Any

from marshmallow import fields

from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.fields import ResponseSchema

_STATUS: dict[str, Any] = {
    "x-extensible-enum": ["announced", "open", "running", "provisional", "final", "cancelled"]
}
_MATCH_STATUS: dict[str, Any] = {"x-extensible-enum": ["planned", "open", "playing", "over"]}


class Participant(ResponseSchema):
    """A player of a tournament."""

    id = shown.text("Id of the player.")
    name = shown.text("Name of the player; null if the account was deleted.", allow_none=True)
    bot = shown.boolean("Whether the player is a program.")


class TournamentSummary(ResponseSchema):
    """A tournament in a list."""

    id = shown.text("Id of the tournament.", format="uuid")
    title = shown.text("Title.")
    game = shown.text("Id of the game.")
    format = shown.text("How tables are paired.")
    status = shown.text("Status of the tournament.", **_STATUS)
    version = shown.integer("Number of facts so far.")
    at = shown.text("Time of the newest fact.", **shown.MOMENT)
    organiser = shown.nested(Participant, "The organiser.")
    entrants = shown.integer("Number of entrants who have not withdrawn.")
    round = shown.integer("Number of rounds paired so far.")
    rounds = shown.integer("Announced number of rounds.")


class TournamentPage(ResponseSchema):
    """One page of tournaments, newest first."""

    tournaments = shown.list_of(TournamentSummary, "The tournaments, newest first.")
    next = shown.text("Cursor of the next page; null on the last one.", allow_none=True)


class SignedTournamentCommitment(ResponseSchema):
    """The service's signature over its commitment (docs/tournaments.md)."""

    at = shown.integer("Time of signing, in milliseconds since 1970.")
    key = shown.text("Id of the key.")
    signature = shown.text("Signature in Base64.")


class TournamentChance(ResponseSchema):
    """The seed of pairings and lots."""

    commitment = shown.text("SHA-256 of the server's secret, published with the announcement.")
    signed = shown.nested(
        SignedTournamentCommitment,
        "Signature over the commitment; null once the tournament has started.",
        allow_none=True,
    )
    server_secret = shown.text("The secret, once the tournament is over; null before.", allow_none=True)


class Protest(ResponseSchema):
    """A protest of an entrant."""

    entrant = shown.integer("Number of the entrant.")
    why = shown.text("The reason.")


class Tournament(TournamentSummary):
    """A tournament with its terms."""

    terms = shown.plain_object("The whole announcement, signed before the first entry and never changed.")
    chance = shown.nested(TournamentChance, "The seed of pairings and lots.")
    head = shown.text("Hash of the newest fact.")
    you = shown.integer("Your number as an entrant; null if you have not entered.", allow_none=True)
    unfinished = shown.integer("Number of matches without a result.")
    ends_at = shown.text("Arena: until when new tables are paired.", allow_none=True, **shown.MOMENT)
    correction_until = shown.text(
        "Until when the standings can be protested against.", allow_none=True, **shown.MOMENT
    )
    edition = shown.integer("Number of the newest signed edition of the standings; 0 before the first.")
    protests = shown.list_of(Protest, "The protests.")
    acknowledged = shown.integer("How many entrants have agreed with the standings.")


class TournamentReceipt(ResponseSchema):
    """A signed statement that a tournament had a head at a version (docs/tournaments.md)."""

    tournament = shown.text("Id of the tournament.")
    version = shown.integer("The version.")
    head = shown.text("Hash of the fact with this version.")
    at = shown.integer("Time, in milliseconds since 1970.")
    key = shown.text("Id of the key.")
    signature = shown.text("Signature in Base64.")


class TournamentAnswer(Tournament):
    """The facts that a command caused, and the tournament afterwards."""

    first = shown.integer("Version of the first fact.")
    facts = shown.list_of(fields.Raw(metadata={"type": "object"}), "The facts that the command caused.")
    receipt = shown.nested(TournamentReceipt, "The signed receipt.")


class StandingLine(ResponseSchema):
    """One line of the standings."""

    place = shown.integer("Place; entrants who are equal share one.")
    entrant = shown.integer("Number of the entrant.")
    player = shown.nested(Participant, "The player.")
    active = shown.boolean("Whether the entrant has not withdrawn.")
    points = shown.number("Points.")
    sixtieths = shown.integer("Points exactly, in sixtieths.")
    tie_breaks = shown.plain_object("Value of each announced tie-break.")
    played = shown.integer("Matches played.")
    wins = shown.number("Wins; a shared first place counts as a share.")
    byes = shown.integer("Rounds with a bye.")
    low = shown.number("Lower end of the 95% interval of points per match, by block.", allow_none=True)
    high = shown.number("Upper end.", allow_none=True)
    strength = shown.number("Log-strength by Bradley and Terry, 0 on average.", allow_none=True)
    strength_low = shown.number("Lower end of its 95% interval.", allow_none=True)
    strength_high = shown.number("Upper end.", allow_none=True)
    best_rank = shown.integer("Best plausible rank by strength.", allow_none=True)
    worst_rank = shown.integer("Worst plausible rank by strength.", allow_none=True)
    separated = shown.boolean(
        "Whether the interval of the strength does not overlap with that of the next line."
    )


class Standings(ResponseSchema):
    """The standings at a version."""

    tournament = shown.text("Id of the tournament.")
    status = shown.text("Status of the tournament.", **_STATUS)
    version = shown.integer("Version to which the standings belong.")
    edition = shown.integer("Number of the newest signed edition.")
    digest = shown.text("SHA-256 of places, points and tie-breaks in canonical form, which editions sign.")
    lines = shown.list_of(StandingLine, "The lines, best first.")


class EntrantRefusals(ResponseSchema):
    """The refused moves of one entrant."""

    entrant = shown.integer("Number of the entrant.")
    player = shown.nested(Participant, "The player.")
    refused = shown.integer("Refused moves.")
    kinds = shown.field(
        fields.Dict,
        "How many were refused with each problem code, such as `not_your_turn`.",
        fields.String(),
        fields.Integer(),
    )


class TournamentRefusals(ResponseSchema):
    """The refused moves of all entrants, at tables whose matches are over."""

    tournament = shown.text("Id of the tournament.")
    status = shown.text("Status of the tournament.", **_STATUS)
    entrants = shown.list_of(EntrantRefusals, "The entrants, by number.")


class TableMatch(ResponseSchema):
    """One match of a table."""

    number = shown.integer("Number in the block of the table.")
    match = shown.text("Id of the match; null until it is created.", allow_none=True)
    status = shown.text("Status of the match: `open` while players take their seats.", **_MATCH_STATUS)
    entrants = shown.list_of(fields.Integer(), "Numbers of the entrants, by seat.")
    places = shown.list_of(
        fields.Integer(), "Place of each seat; null until there is a result.", allow_none=True
    )
    scores = shown.list_of(
        fields.Integer(), "Score of each seat; null until there is a result.", allow_none=True
    )


class RoundTable(ResponseSchema):
    """One table of a round, and why it was paired so."""

    table = shown.integer("Number of the table.")
    entrants = shown.list_of(fields.Integer(), "Numbers of the entrants, by seat.")
    players = shown.list_of(Participant, "The players, by seat.")
    points_before = shown.list_of(fields.Float(), "Points of each before the round.")
    repeated_meetings = shown.integer("Pairs at this table that had met before.")
    seat_repeats = shown.integer("How often these players had these seats before, in total.")
    matches = shown.list_of(TableMatch, "The matches of the table.")


class Round(ResponseSchema):
    """A round with its tables."""

    tournament = shown.text("Id of the tournament.")
    round = shown.integer("Number of the round, from 1.")
    uploaded = shown.boolean("Whether the organiser uploaded the tables.")
    byes = shown.list_of(fields.Integer(), "Numbers of the entrants without a table.")
    tables = shown.list_of(RoundTable, "The tables.")


class TournamentEvent(ResponseSchema):
    """One fact of a tournament."""

    version = shown.integer("Version of the fact.")
    at = shown.text("Time.", **shown.MOMENT)
    by = shown.text("Id of the player whose command caused it, or `house`.")
    fact = shown.plain_object("The fact.")


class TournamentEventPage(ResponseSchema):
    """Facts of a tournament."""

    tournament = shown.text("Id of the tournament.")
    status = shown.text("Status of the tournament.", **_STATUS)
    version = shown.integer("Number of facts so far.")
    events = shown.list_of(TournamentEvent, "The facts, in order.")
    next = shown.integer(
        "`after` of the next page; null if the tournament is over and you have all facts.", allow_none=True
    )
