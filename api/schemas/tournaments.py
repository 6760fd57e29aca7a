"""Answers about tournaments: summaries, standings, rounds and events."""

from typing import Any

from marshmallow import fields

from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import ResponseSchema

_STATUS: dict[str, Any] = {
    "x-extensible-enum": ["announced", "open", "running", "provisional", "final", "cancelled"]
}
_MATCH_STATUS: dict[str, Any] = {"x-extensible-enum": ["planned", "open", "playing", "over"]}
_REASON: dict[str, Any] = {
    "x-extensible-enum": ["played", "forfeit", "walkover", "ruling"],
    "allow_none": True,
}


class Participant(ResponseSchema):
    """A player in a tournament."""

    id = res.text("Id of the player.")
    name = res.text("Name of the player; null if the account was deleted.", allow_none=True)
    bot = res.boolean("Whether the player is a program.")


class TournamentSummary(ResponseSchema):
    """A tournament in a list."""

    id = res.text("Id of the tournament.", format="uuid")
    title = res.text("Title of the tournament.")
    game = res.text("Id of the game.")
    format = res.text("The pairing format; `POST /v1/tournaments` describes the formats.")
    status = res.text("Status of the tournament.", **_STATUS)
    version = res.integer("Number of facts so far.")
    at = res.moment("Time of the newest fact.")
    organiser = res.nested(Participant, "The organiser.")
    entrants = res.integer("Number of entrants who have not withdrawn.")
    round = res.integer("Number of rounds paired so far.")
    rounds = res.integer("Announced number of rounds.")


class TournamentPage(ResponseSchema):
    """One page of tournaments, newest first."""

    tournaments = res.list_of(TournamentSummary, "The tournaments, newest first.")
    next = res.text("Cursor of the next page; null on the last page.", allow_none=True)


class SignedTournamentCommitment(ResponseSchema):
    """The service's signature of its commitment (docs/tournaments.md)."""

    at = res.integer("Time of signing, in milliseconds since 1970.")
    key = res.text("Id of the signing key.")
    signature = res.text("Ed25519 signature in Base64.")


class TournamentChance(ResponseSchema):
    """How the seed of pairings and lots is determined."""

    commitment = res.text("SHA-256 of the server's secret, published with the announcement.")
    signed = res.nested(
        SignedTournamentCommitment,
        "Signature of the commitment; null once the tournament has started.",
        allow_none=True,
    )
    server_secret = res.text("The server's secret; null until the tournament is over.", allow_none=True)
    sealed = res.boolean(
        "Whether contributions are sealed: entrants send a hash, and open it "
        "when no more entries are accepted."
    )
    due = res.moment(
        "Deadline for opening contributions; null unless they are being opened.", allow_none=True
    )
    digest = res.text(
        "Hash of everything that is sealed, which every opening repeats; null unless they are being opened.",
        allow_none=True,
    )


class Protest(ResponseSchema):
    """A protest of an entrant."""

    entrant = res.integer("Number of the entrant.")
    why = res.text("The reason.")


class Tournament(TournamentSummary):
    """A tournament with its terms."""

    terms = res.plain_object("The terms as announced, signed before the first entry and never changed.")
    chance = res.nested(TournamentChance, "How the seed of pairings and lots is determined.")
    head = res.text("Hash of the last fact's record.")
    you = res.integer("Your number as an entrant; null if you have not entered.", allow_none=True)
    unfinished = res.integer("Number of matches without a result.")
    ends_at = res.moment("Arena: time until which new tables are paired; otherwise null.", allow_none=True)
    correction_until = res.moment(
        "Time until which entrants can protest against the standings; null before they are posted.",
        allow_none=True,
    )
    edition = res.integer("Number of the newest signed edition of the standings; 0 before the first.")
    protests = res.list_of(Protest, "The protests.")
    acknowledged = res.integer("Number of entrants who have agreed with the standings.")


class TournamentReceipt(ResponseSchema):
    """A signed statement of a tournament's version and head (docs/tournaments.md)."""

    tournament = res.text("Id of the tournament.")
    version = res.integer("Version of the tournament.")
    head = res.text("Hash of the last fact's record at this version.")
    at = res.integer("Time of the command, in milliseconds since 1970.")
    key = res.text("Id of the signing key.")
    signature = res.text("Ed25519 signature in Base64.")


class TournamentAnswer(Tournament):
    """The facts that a command caused, and the tournament afterwards."""

    first = res.integer("Version of the first of `facts`; the others follow without gaps.")
    facts = res.list_of(fields.Raw(metadata={"type": "object"}), "The facts that the command caused.")
    receipt = res.nested(TournamentReceipt, "The signed receipt.")


class StandingLine(ResponseSchema):
    """One line of the standings."""

    place = res.integer("Place; 1 is best, and tied entrants share a place.")
    entrant = res.integer("Number of the entrant.")
    player = res.nested(Participant, "The player.")
    active = res.boolean("False if the entrant has withdrawn.")
    points = res.number("Points, as a decimal number.")
    sixtieths = res.integer("The exact points, in sixtieths of a point.")
    tie_breaks = res.plain_object("Value of each announced tie-break.")
    played = res.integer("Number of matches played.")
    wins = res.number("Number of wins; a first place shared by n entrants counts as 1/n.")
    byes = res.integer("Number of rounds with a bye.")
    low = res.number(
        "Lower end of the 95% confidence interval of the points per match, computed over blocks; "
        "null if there are too few results.",
        allow_none=True,
    )
    high = res.number("Upper end of this interval.", allow_none=True)
    strength = res.number(
        "Log-strength in the Bradley-Terry model, 0 on average; null if there are too few results.",
        allow_none=True,
    )
    strength_low = res.number("Lower end of the 95% confidence interval of `strength`.", allow_none=True)
    strength_high = res.number("Upper end of this interval.", allow_none=True)
    best_rank = res.integer("Best plausible rank by strength.", allow_none=True)
    worst_rank = res.integer("Worst plausible rank by strength.", allow_none=True)
    separated = res.boolean(
        "Whether the confidence interval of `strength` does not overlap that of the next line."
    )


class Standings(ResponseSchema):
    """The standings at a version."""

    tournament = res.text("Id of the tournament.")
    status = res.text("Status of the tournament.", **_STATUS)
    version = res.integer("Version to which the standings belong.")
    edition = res.integer("Number of the newest signed edition.")
    digest = res.text(
        "SHA-256 of places, points and tie-breaks as canonical JSON; editions sign this digest."
    )
    lines = res.list_of(StandingLine, "The lines, best first.")


class EntrantRefusals(ResponseSchema):
    """The refused moves of one entrant."""

    entrant = res.integer("Number of the entrant.")
    player = res.nested(Participant, "The player.")
    refused = res.integer("Number of refused moves.")
    kinds = res.field(
        fields.Dict,
        "Number of refused moves by problem code, such as `not_your_turn`.",
        fields.String(),
        fields.Integer(),
    )


class TournamentRefusals(ResponseSchema):
    """The number of refused moves of all entrants, at tables whose matches are all over."""

    tournament = res.text("Id of the tournament.")
    status = res.text("Status of the tournament.", **_STATUS)
    entrants = res.list_of(EntrantRefusals, "The entrants, by number.")


class TableMatch(ResponseSchema):
    """One match of a table."""

    number = res.integer("Number of the match within the block of the table.")
    match = res.text("Id of the match; null until it is created.", allow_none=True)
    status = res.text("Status of the match: `open` while players take their seats.", **_MATCH_STATUS)
    entrants = res.list_of(fields.Integer(), "Numbers of the entrants, by seat.")
    places = res.list_of(
        fields.Integer(), "Place of each seat; null until there is a result.", allow_none=True
    )
    scores = res.list_of(
        fields.Integer(), "Score of each seat; null until there is a result.", allow_none=True
    )
    reason = res.text(
        "Why the result counts; null until there is one. `played`: to the end; `forfeit`: by resigning or on "
        "time; `walkover`: some entrants were `absent`; `ruling`: decided by the organiser or an arbiter.",
        **_REASON,
    )
    absent = res.list_of(fields.Integer(), "Numbers of the entrants who did not take their seats in time.")


class RoundTable(ResponseSchema):
    """One table of a round, with the figures that explain its pairing."""

    table = res.integer("Number of the table.")
    entrants = res.list_of(fields.Integer(), "Numbers of the entrants, by seat.")
    players = res.list_of(Participant, "The players, by seat.")
    points_before = res.list_of(fields.Float(), "Points of each entrant before the round, by seat.")
    repeated_meetings = res.integer("Number of pairs at this table that had met before.")
    seat_repeats = res.integer("How often these entrants had the same seats before, in total.")
    matches = res.list_of(TableMatch, "The matches of the table.")


class Round(ResponseSchema):
    """A round with its tables."""

    tournament = res.text("Id of the tournament.")
    round = res.integer("Number of the round, from 1.")
    uploaded = res.boolean("Whether the organiser uploaded the tables.")
    byes = res.list_of(fields.Integer(), "Numbers of the entrants without a table.")
    tables = res.list_of(RoundTable, "The tables.")


class TournamentEvent(ResponseSchema):
    """One fact of a tournament."""

    version = res.integer("Version of the fact.")
    at = res.moment("Time of the fact.")
    by = res.text("Id of the player whose command caused the fact; `house` for the service.")
    fact = res.plain_object("The fact.")


class TournamentEventPage(ResponseSchema):
    """Facts of a tournament."""

    tournament = res.text("Id of the tournament.")
    status = res.text("Status of the tournament.", **_STATUS)
    version = res.integer("Number of facts so far.")
    events = res.list_of(TournamentEvent, "The facts, in order.")
    next = res.integer(
        "The value of `after` for the next page; null if the tournament is over and there are no more facts.",
        allow_none=True,
    )
