"""Matches: queries, summaries, positions, and answers to commands."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema, matching, one_of
from kontor_games.api.schemas.patterns import TAG, TAG_FORM


class TellQuery(RequestSchema):
    """Whether the response contains texts, and in which language."""

    tell = req.tell()


class VersionQuery(RequestSchema):
    """Which version of a match to return."""

    version = req.query_integer(
        "Return the match as you could see it at this version.", req.VERSION, load_default=None
    )
    truth = req.query_flag(
        "Include everything that was hidden at that version. Refused while the match is not over."
    )
    tell = req.tell()


class MatchesQuery(RequestSchema):
    """Which matches to list."""

    game = req.text("Only matches of this game.", req.GAME, load_default=None)
    status = req.text(
        "Only matches with this status.", one_of("open", "running", "finished", "aborted"), load_default=None
    )
    player = req.id_of("Only matches in which this player takes part.", load_default=None)
    creator = req.id_of("Only matches that this player created.", load_default=None)
    tournament = req.id_of("Only matches of this tournament.", load_default=None)
    tag = req.text("Only matches with this tag.", matching(TAG, TAG_FORM), load_default=None)
    rated = req.query_flag("`true`: only rated matches; `false`: only unrated ones.", default=None)
    cursor = req.cursor()
    limit = req.limit("Maximum number of matches on a page.", 50, 200)


class SeatHolder(ResponseSchema):
    """A player who holds a seat or is invited to it."""

    id = res.text("Id of the player, or `house` for a house bot.")
    name = res.text("Name of the player; null if the account was deleted.", allow_none=True)
    bot = res.boolean("Whether the player is a program.")


class Seat(ResponseSchema):
    """A seat of a match."""

    seat = res.integer("Number of the seat, from 0.")
    type = res.word(
        "Who can take the seat: anyone (`open`), one player (`invited`), or a house bot (`bot`).",
        "open",
        "invited",
        "bot",
    )
    player = res.nested(SeatHolder, "The player who holds the seat; null if it is free.", allow_none=True)
    invited = res.nested(SeatHolder, "The invited player, or null.", allow_none=True)
    absent = res.boolean("Whether the player has resigned or forfeited.")
    key = res.text(
        "Public key with which the player signs commands in this match; null if they are not signed.",
        allow_none=True,
    )


class Ruleset(ResponseSchema):
    """The rules of a match; fixed when it is created."""

    game = res.text("The game.")
    version = res.integer("The version of the rules.")
    data = res.text("Name of the data set.")
    data_hash = res.text("SHA-256 of the data set, with defaults written out (docs/export.md).")


class SeatClock(ResponseSchema):
    """The clock of one seat."""

    seat = res.integer("The seat.")
    remaining_ms = res.integer("Remaining time at `server_time`, in milliseconds.")
    deadline = res.moment(
        "Time at which the clock runs out if the seat does not move; null while the clock is stopped.",
        allow_none=True,
    )


class ClockKind(ResponseSchema):
    """The time control of a match."""

    kind = res.word(
        "`none`; `per_move`: time for each move; `bank`: time for the whole match.",
        "none",
        "per_move",
        "bank",
    )
    ms = res.integer("Milliseconds for each move, or for the whole match.")
    increment_ms = res.integer("Milliseconds added after each move (`bank` only).")


class Clock(ClockKind):
    """The clocks of a match."""

    server_time = res.moment(
        "The time to which `remaining_ms` refers; absent if the match has no clock.", required=False
    )
    seats = res.list_of(
        SeatClock, "The clock of each seat; absent if the match has no clock.", required=False
    )


class Result(ResponseSchema):
    """The result of a match."""

    places = res.list_of(fields.Integer(), "Place of each seat; 1 is best, and ties share a place.")
    scores = res.list_of(
        fields.Dict(keys=fields.String(), values=fields.Integer()),
        "Points of each seat by category; null if the match ended by forfeit.",
        allow_none=True,
    )
    reason = res.word(
        "`played`: played to the end; `forfeit`: all players but one resigned or forfeited.",
        "played",
        "forfeit",
    )


class SignedCommitment(ResponseSchema):
    """The service's signature of `commitment`. Check and store it before you contribute to the seed."""

    at = res.integer("Time of the signature, in milliseconds since 1970; it determines which key was in use.")
    key = res.text("Id of the signing key.")
    signature = res.text("Ed25519 signature in Base64; docs/chance.md describes the signed text.")


class Chance(ResponseSchema):
    """How the random numbers of a match are determined (docs/chance.md)."""

    commitment = res.text("SHA-256 of the server's secret, recorded in the first fact of the match.")
    signed = res.nested(
        SignedCommitment, "The signed commitment; null once the match has started.", allow_none=True
    )
    sealed = res.boolean(
        "Whether contributions are sealed: players send a hash when they join, "
        "and the value when all seats are taken."
    )
    due = res.moment(
        "Deadline for opening sealed contributions; null unless they are being opened now.", allow_none=True
    )
    open_seed = res.text("The open seed, if the match was created with one; otherwise null.", allow_none=True)
    in_block = res.boolean(
        "Whether the match belongs to a tournament with rotated deals: the seed of the tournament determines "
        "the deal, and contributions to this match are ignored."
    )
    server_secret = res.text("The server's secret; null until the match is over.", allow_none=True)


class MatchStatus(ResponseSchema):
    """The status of a match."""

    id = res.text("Id of the match.", **res.ID)
    status = res.word("Status of the match.", "open", "running", "finished", "aborted")
    version = res.integer("Number of facts so far.")
    at = res.moment("Time of the last fact.")
    you = res.integer("Your seat; null if you have none.", allow_none=True)
    to_act = res.list_of(fields.Integer(), "The seats that have to move now.")


class Announcement(ResponseSchema):
    """The settings of a match that lists also contain."""

    game = res.text("Id of the game.")
    seats = res.list_of(Seat, "The seats, in order of play.")
    private = res.boolean(
        "Whether only its creator, invited and seated players, and anyone who sends its `link_key` can see "
        "the match."
    )
    meet_bots = res.boolean("Whether programs of other players may join.")
    practice = res.boolean("Whether its players may create branches while the match is running.")
    branch = res.boolean(
        "Whether the match started in a position of another match; branches are never rated."
    )
    signed = res.boolean("Whether every player must sign their commands.")
    rated = res.boolean("Whether the result counts for the ladder of the game (docs/ratings.md).")
    tags = res.list_of(fields.String(), "Tags, by which lists of matches can be filtered.")


class MatchSummary(MatchStatus, Announcement):
    """A match in a list."""

    clock = res.nested(ClockKind)
    result = res.nested(Result, "The result; null unless the match is finished.", allow_none=True)


class MatchPage(ResponseSchema):
    """One page of matches, newest first."""

    matches = res.list_of(MatchSummary, "Matches that you may see.")
    next = res.text("Cursor of the next page; null on the last page.", allow_none=True)


class Position(MatchStatus):
    """The current state of a match, as you may see it."""

    version = res.integer("Number of facts so far; the ETag begins with it.")
    legal_moves = res.list_of(
        res.typed_object(),
        "Every move that you can make now, in the form in which you send it. A kind of move with too many "
        "possibilities is listed once, with its `type` and the JSON Schema of such moves as `schema`.",
    )
    labels = res.list_of(
        fields.String(),
        "With `tell`: a short imperative sentence for each of `legal_moves`; no two are equal.",
        required=False,
    )
    scene = res.text(
        "With `tell`: the position in a few lines of text; empty before the match starts.", required=False
    )
    names = res.seat_names()
    view = res.plain_object("What you may see of the game; null before the match starts.", nullable=True)
    clock = res.nested(Clock)
    result = res.nested(Result, allow_none=True)
    head = res.text(
        "Hash of the last fact's record. Each record contains the hash of the one before, "
        "so it covers all facts (docs/chain.md)."
    )


class Turn(Position):
    """Your position when it is your turn, as sent in a stream with `turns=true`."""

    match = res.text("Id of the match.", **res.ID)


class Match(Position, Announcement):
    """A match, with everything that you may see of it."""

    ruleset = res.nested(Ruleset)
    options = res.plain_object("The chosen options, including defaults.")
    creator = res.text("Id of the player who created the match; `house` for a match of a tournament.")
    on_timeout = res.word(
        "What happens when a player's time is up. `bot`: the service makes a quiet move for the seat "
        "(a harmless one, drawn at random); `forfeit`: the seat forfeits.",
        "bot",
        "forfeit",
    )
    autostart = res.boolean("Whether the match starts as soon as all seats are taken.")
    max_returned_ms = res.integer(
        "The most time that outages of the service can give back to clocks in all; null: no limit.",
        allow_none=True,
    )
    required_witnesses = res.integer("How many witnesses must cosign a checkpoint that covers the match.")
    witnesses = res.list_of(
        fields.String(), "Public keys of these witnesses, in the C2SP signed-note format; empty if none."
    )
    expires_at = res.moment(
        "Time at which the match expires if nobody sends a command (docs/time.md); null if it does not "
        "expire.",
        allow_none=True,
    )
    chance = res.nested(Chance)
    link_key = res.text(
        "The key of a private match that you created: "
        "anyone who sends it as `Match-Key` may see and join the match. "
        "Null for all other matches, and at a past `version`.",
        allow_none=True,
    )


class LinkKey(ResponseSchema):
    """The key of a private match."""

    link_key = res.text("Anyone who sends it as `Match-Key` may see and join the match.")


class Receipt(ResponseSchema):
    """A signed statement of a match's version and head. Keep the last one: it proves any later rewriting."""

    match = res.text("Id of the match.", **res.ID)
    version = res.integer("Version of the match.")
    head = res.text("Hash of the last fact's record.")
    at = res.integer(
        "Time of the command, in milliseconds since 1970; part of what is signed.",
        examples=[1_772_366_400_000],
    )
    key = res.text("Id of the signing key; the keys are published at `/.well-known/kontor-keys.json`.")
    signature = res.text("Ed25519 signature in Base64; docs/chain.md specifies what is signed.")


class Effects(ResponseSchema):
    """The effect of a command."""

    first = res.integer("Version of the first of `facts`; the others follow without gaps.")
    facts = res.list_of(
        res.typed_object(), "The facts that the command caused, in order, as you may see them."
    )
    texts = res.sentences()
    receipt = res.nested(Receipt)


class CommandAnswer(Match, Effects):
    """The facts that a command caused, and the match afterwards."""
