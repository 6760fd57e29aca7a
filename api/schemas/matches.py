"""Matches: queries, summaries, positions, and answers to commands."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as asked
from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.fields import (
    QueryBoolean,
    QueryInteger,
    RequestSchema,
    ResponseSchema,
    matching,
    one_of,
)
from kontor_games.api.schemas.patterns import TAG, TAG_FORM


class TellQuery(RequestSchema):
    """In which language to answer."""

    tell = asked.tell()


class VersionQuery(RequestSchema):
    """Which version of a match to return."""

    version = asked.field(
        QueryInteger,
        "Return the match as you could see it at this version.",
        asked.VERSION,
        load_default=None,
    )
    truth = asked.field(
        QueryBoolean,
        "Include everything that was hidden at that version. Refused until the match is over.",
        load_default=False,
    )
    tell = asked.tell()


class MatchesQuery(RequestSchema):
    """Which matches to list."""

    game = asked.text("Only matches of this game.", asked.GAME, load_default=None)
    status = asked.text(
        "Only matches with this status.", one_of("open", "running", "finished", "aborted"), load_default=None
    )
    player = asked.id_of("Only matches in which this player takes part.", load_default=None)
    creator = asked.id_of("Only matches that this player created.", load_default=None)
    tournament = asked.id_of("Only matches of this tournament.", load_default=None)
    tag = asked.text("Only matches with this tag.", matching(TAG, TAG_FORM), load_default=None)
    rated = asked.field(QueryBoolean, "Only matches that are rated, or only others.", load_default=None)
    cursor = asked.cursor()
    limit = asked.limit("Maximum number of matches on a page.", 50, 200)


class SeatHolder(ResponseSchema):
    """A player at, or invited to, a seat."""

    id = shown.text("Id of the player, or `house` for a house bot.")
    name = shown.text("Name of the player; null if the account was deleted.", allow_none=True)
    bot = shown.boolean("Whether the player is a program.")


class Seat(ResponseSchema):
    """A seat of a match."""

    seat = shown.integer("Number of the seat, from 0.")
    type = shown.word("Whom the seat is for.", "open", "invited", "bot")
    player = shown.nested(SeatHolder, "The player who holds the seat; null if it is free.", allow_none=True)
    invited = shown.nested(SeatHolder, "The invited player, or null.", allow_none=True)
    absent = shown.boolean("Whether the player has resigned or forfeited.")
    key = shown.text(
        "Public key with which the player signs commands in this match; null if they are not signed.",
        allow_none=True,
    )


class Ruleset(ResponseSchema):
    """The rules of a match; fixed when it is created."""

    game = shown.text("The game.")
    version = shown.integer("The version of the rules.")
    data = shown.text("Name of the data set.")
    data_hash = shown.text("SHA-256 of the data set, with defaults written out (docs/export.md).")


class SeatClock(ResponseSchema):
    """The clock of one seat."""

    seat = shown.integer("The seat.")
    remaining_ms = shown.integer("Remaining time at `server_time`.")
    deadline = shown.text(
        "Time at which the clock runs out if the seat does not move; null while the clock is stopped.",
        allow_none=True,
        **shown.MOMENT,
    )


class ClockKind(ResponseSchema):
    """The time control of a match."""

    kind = shown.word(
        "`none`; `per_move`: time for each move; `bank`: time for the whole match.",
        "none",
        "per_move",
        "bank",
    )
    ms = shown.integer("Milliseconds for each move, or for the whole match.")
    increment_ms = shown.integer("Milliseconds added after each move (`bank` only).")


class Clock(ClockKind):
    """The clocks of a match."""

    server_time = shown.text(
        "The time to which `remaining_ms` refers; absent if the match has no clock.",
        required=False,
        **shown.MOMENT,
    )
    seats = shown.list_of(
        SeatClock, "The clock of each seat; absent if the match has no clock.", required=False
    )


class Result(ResponseSchema):
    """The result of a match."""

    places = shown.list_of(fields.Integer(), "Place of each seat; 1 is best, and ties share a place.")
    scores = shown.field(
        fields.List,
        "Points of each seat by category; null if all players but one have left.",
        fields.Dict(keys=fields.String(), values=fields.Integer()),
        allow_none=True,
    )
    reason = shown.word(
        "`played`: played to the end; `forfeit`: all players but one have left.", "played", "forfeit"
    )


class SignedCommitment(ResponseSchema):
    """The service's signature over `commitment`, to be checked and kept before you contribute to the seed."""

    at = shown.integer(
        "Time of the signature, in milliseconds since 1970; it determines which key was in use."
    )
    key = shown.text("Id of the signing key.")
    signature = shown.text("Ed25519 signature in Base64; docs/chance.md describes the signed text.")


class Chance(ResponseSchema):
    """How the random numbers of a match are determined (docs/chance.md)."""

    commitment = shown.text("SHA-256 of the server's secret, recorded in the first fact of the match.")
    signed = shown.nested(
        SignedCommitment, "The signed commitment; null once the match has started.", allow_none=True
    )
    sealed = shown.boolean(
        "Whether contributions are sealed: players send a hash when they join, "
        "and the value when all seats are taken."
    )
    due = shown.text(
        "Deadline for opening sealed contributions; null unless they are being opened now.",
        allow_none=True,
        **shown.MOMENT,
    )
    open_seed = shown.text(
        "The open seed, if the match was created with one; otherwise null.", allow_none=True
    )
    in_block = shown.boolean(
        "Whether the match belongs to a block of a tournament: the seed of the tournament fixes the deal, and"
        " contributions to this match do not count."
    )
    server_secret = shown.text("The server's secret; null until the match is over.", allow_none=True)


class MatchStatus(ResponseSchema):
    """The status of a match."""

    id = shown.text("Id of the match.", **shown.ID)
    status = shown.word("Status of the match.", "open", "running", "finished", "aborted")
    version = shown.integer("Number of facts so far.")
    at = shown.text("Time of the last fact.", **shown.MOMENT)
    you = shown.integer("Your seat; null if you have none.", allow_none=True)
    to_act = shown.list_of(fields.Integer(), "The seats that have to move.")


class Announcement(ResponseSchema):
    """The settings that both a match and its list entry show."""

    game = shown.text("Id of the game.")
    seats = shown.list_of(Seat, "The seats, in order of play.")
    private = shown.boolean("Whether only the creator and its invited or seated players can see the match.")
    meet_bots = shown.boolean("Whether programs of other players may join.")
    practice = shown.boolean("Whether its players may create branches while the match runs.")
    branch = shown.boolean(
        "Whether the match started in a position of another match; branches are never rated."
    )
    signed = shown.boolean("Whether every player must sign their commands.")
    rated = shown.boolean("Whether the result counts for the ladder of the game (docs/ratings.md).")
    tags = shown.list_of(fields.String(), "Words for finding the match in lists.")


class MatchSummary(MatchStatus, Announcement):
    """A match in a list."""

    clock = shown.nested(ClockKind)
    result = shown.nested(
        Result, "The result of a finished match; null before, and if it was aborted.", allow_none=True
    )


class MatchPage(ResponseSchema):
    """One page of matches, newest first."""

    matches = shown.list_of(MatchSummary, "Matches that you may see.")
    next = shown.text("Cursor of the next page; null on the last page.", allow_none=True)


class Position(MatchStatus):
    """The current state of a match, as you may see it."""

    version = shown.integer("Number of facts so far; the ETag begins with it.")
    legal_moves = shown.list_of(
        shown.typed_object(),
        "Every move that you can make now, ready to be sent. "
        "A kind of move with too many possibilities is listed once, as `type` and `schema`.",
    )
    labels = shown.list_of(
        fields.String(),
        "With `tell`: a short imperative sentence for each of `legal_moves`; no two are equal.",
        required=False,
    )
    scene = shown.text(
        "With `tell`: the table as a few lines of text; empty before the match starts.", required=False
    )
    names = shown.seat_names()
    view = shown.plain_object("What you may see of the game; null before the match starts.", nullable=True)
    clock = shown.nested(Clock)
    result = shown.nested(Result, allow_none=True)
    head = shown.text(
        "Hash of the last fact's record. Each record contains the hash of the one before, "
        "so it covers all facts (docs/chain.md)."
    )


class Turn(Position):
    """Your turn in a match, as a stream with `turns=true` sends it."""

    match = shown.text("Id of the match.", **shown.ID)


class Match(Position, Announcement):
    """A match, with everything that you may see of it."""

    ruleset = shown.nested(Ruleset)
    options = shown.plain_object("The chosen options, including defaults.")
    creator = shown.text("Id of the player who created the match; `house` for a match of a tournament.")
    on_timeout = shown.word(
        "What happens when a player's time is up: a harmless move is made for the seat, "
        "or the seat forfeits.",
        "bot",
        "forfeit",
    )
    autostart = shown.boolean("Whether the match starts as soon as all seats are taken.")
    required_witnesses = shown.integer("How many witnesses must cosign a checkpoint that covers the match.")
    witnesses = shown.list_of(
        fields.String(), "Public keys of the witnesses, if any must cosign, in the form of signed-note."
    )
    expires_at = shown.text(
        "When the match expires if nobody sends a command (docs/time.md); null if it does not expire.",
        allow_none=True,
        **shown.MOMENT,
    )
    chance = shown.nested(Chance)
    link_key = shown.text(
        "The key of a private match that you created: "
        "anyone who sends it as `Match-Key` may see and join the match. "
        "Otherwise null, also at a past `version`.",
        allow_none=True,
    )


class LinkKey(ResponseSchema):
    """The key of a private match."""

    link_key = shown.text("Anyone who sends it as `Match-Key` may see and join the match.")


class Receipt(ResponseSchema):
    """A signed statement of a match's version and head hash. Keep the last one: it shows later rewriting."""

    match = shown.text("Id of the match.", **shown.ID)
    version = shown.integer("Version of the match.")
    head = shown.text("Hash of the last fact's record.")
    at = shown.integer(
        "Time of the command, in milliseconds since 1970; part of what is signed.",
        examples=[1_772_366_400_000],
    )
    key = shown.text("Id of the signing key; the keys are published at `/.well-known/kontor-keys.json`.")
    signature = shown.text("Ed25519 signature in Base64; docs/chain.md specifies what is signed.")


class Effects(ResponseSchema):
    """The effect of a command."""

    first = shown.integer("Version of the first of these facts; the others follow without gaps.")
    facts = shown.list_of(
        shown.typed_object(), "The facts that the command caused, in order, as you may see them."
    )
    texts = shown.sentences()
    receipt = shown.nested(Receipt)


class CommandAnswer(Match, Effects):
    """The facts that a command caused, and the match afterwards."""
