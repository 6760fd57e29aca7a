"""Matches: queries, summaries, positions, and answers to commands."""

from marshmallow import fields

from kontor_games.api.schemas.fields import (
    QueryBoolean,
    QueryInteger,
    RequestSchema,
    ResponseSchema,
    matching,
    one_of,
    response_field,
)
from kontor_games.api.schemas.patterns import TAG, TAG_FORM
from kontor_games.api.schemas.request_fields import (
    GAME,
    VERSION,
    cursor_field,
    id_field,
    limit_field,
    request_field,
    request_text,
    tell_field,
)
from kontor_games.api.schemas.response_fields import (
    ID,
    MOMENT,
    boolean_field,
    extensible_enum_field,
    integer_field,
    list_field,
    nested_field,
    object_field,
    seat_names_field,
    sentences_field,
    text_field,
    typed_object_field,
)


class TellQuery(RequestSchema):
    """In which language to answer."""

    tell = tell_field()


class VersionQuery(RequestSchema):
    """Which version of a match to return."""

    version = request_field(
        QueryInteger, "Return the match as you could see it at this version.", VERSION, load_default=None
    )
    truth = request_field(
        QueryBoolean,
        "Include everything that was hidden at that version. Refused until the match is over.",
        load_default=False,
    )
    tell = tell_field()


class MatchesQuery(RequestSchema):
    """Which matches to list."""

    game = request_text("Only matches of this game.", GAME, load_default=None)
    status = request_text(
        "Only matches with this status.",
        one_of("open", "running", "finished", "aborted"),
        load_default=None,
    )
    player = id_field("Only matches in which this player takes part.", load_default=None)
    creator = id_field("Only matches that this player created.", load_default=None)
    tournament = id_field("Only matches of this tournament.", load_default=None)
    tag = request_text("Only matches with this tag.", matching(TAG, TAG_FORM), load_default=None)
    rated = request_field(QueryBoolean, "Only matches that are rated, or only others.", load_default=None)
    cursor = cursor_field()
    limit = limit_field("Maximum number of matches on a page.", 50, 200)


class SeatHolder(ResponseSchema):
    """A player at, or invited to, a seat."""

    id = text_field("Id of the player, or `house` for a house bot.")
    name = text_field("Name of the player; null if the account was deleted.", allow_none=True)
    bot = boolean_field("Whether the player is a program.")


class Seat(ResponseSchema):
    """A seat of a match."""

    seat = integer_field("Number of the seat, from 0.")
    type = extensible_enum_field("Whom the seat is for.", "open", "invited", "bot")
    player = nested_field(SeatHolder, "The player who holds the seat; null if it is free.", allow_none=True)
    invited = nested_field(SeatHolder, "The invited player, or null.", allow_none=True)
    absent = boolean_field("Whether the player has resigned or forfeited.")
    key = text_field(
        "Public key with which the player signs commands in this match; null if they are not signed.",
        allow_none=True,
    )


class Ruleset(ResponseSchema):
    """The rules of a match; fixed when it is created."""

    game = text_field("The game.")
    version = integer_field("The version of the rules.")
    data = text_field("Name of the data set.")
    data_hash = text_field("SHA-256 of the data set, with defaults written out (docs/export.md).")


class SeatClock(ResponseSchema):
    """The clock of one seat."""

    seat = integer_field("The seat.")
    remaining_ms = integer_field("Remaining time at `server_time`.")
    deadline = text_field(
        "Time at which the clock runs out if the seat does not move; null while the clock is stopped.",
        allow_none=True,
        **MOMENT,
    )


class ClockKind(ResponseSchema):
    """The time control of a match."""

    kind = extensible_enum_field(
        "`none`; `per_move`: time for each move; `bank`: time for the whole match.",
        "none",
        "per_move",
        "bank",
    )
    ms = integer_field("Milliseconds for each move, or for the whole match.")
    increment_ms = integer_field("Milliseconds added after each move (`bank` only).")


class Clock(ClockKind):
    """The clocks of a match."""

    server_time = text_field(
        "The time to which `remaining_ms` refers; absent if the match has no clock.",
        required=False,
        **MOMENT,
    )
    seats = list_field(
        fields.Nested(SeatClock), "The clock of each seat; absent if the match has no clock.", required=False
    )


class Result(ResponseSchema):
    """The result of a match."""

    places = list_field(fields.Integer(), "Place of each seat; 1 is best, and ties share a place.")
    scores = response_field(
        fields.List,
        "Points of each seat by category; null if all players but one have left.",
        fields.Dict(keys=fields.String(), values=fields.Integer()),
        allow_none=True,
    )
    reason = extensible_enum_field(
        "`played`: played to the end; `forfeit`: all players but one have left.", "played", "forfeit"
    )


class SignedCommitment(ResponseSchema):
    """The service's signature over `commitment`, to be checked and kept before you contribute to the seed."""

    at = integer_field(
        "Time of the signature, in milliseconds since 1970; it determines which key was in use."
    )
    key = text_field("Id of the signing key.")
    signature = text_field("Ed25519 signature in Base64; docs/chance.md describes the signed text.")


class Chance(ResponseSchema):
    """How the random numbers of a match are determined (docs/chance.md)."""

    commitment = text_field("SHA-256 of the server's secret, recorded in the first fact of the match.")
    signed = nested_field(
        SignedCommitment, "The signed commitment; null once the match has started.", allow_none=True
    )
    sealed = boolean_field(
        "Whether contributions are sealed: players send a hash when they join, "
        "and the value when all seats are taken."
    )
    due = text_field(
        "Deadline for opening sealed contributions; null unless they are being opened now.",
        allow_none=True,
        **MOMENT,
    )
    open_seed = text_field(
        "The open seed, if the match was created with one; otherwise null.", allow_none=True
    )
    in_block = boolean_field(
        "Whether the match belongs to a block of a tournament: the seed of the tournament fixes the deal, and"
        " contributions to this match do not count."
    )
    server_secret = text_field("The server's secret; null until the match is over.", allow_none=True)


class MatchStatus(ResponseSchema):
    """The status of a match."""

    id = text_field("Id of the match.", **ID)
    status = extensible_enum_field("Status of the match.", "open", "running", "finished", "aborted")
    version = integer_field("Number of facts so far.")
    at = text_field("Time of the last fact.", **MOMENT)
    you = integer_field("Your seat; null if you have none.", allow_none=True)
    to_act = list_field(fields.Integer(), "The seats that have to move.")


class Announcement(ResponseSchema):
    """The settings that both a match and its list entry show."""

    game = text_field("Id of the game.")
    seats = list_field(fields.Nested(Seat), "The seats, in order of play.")
    private = boolean_field("Whether only the creator and its invited or seated players can see the match.")
    meet_bots = boolean_field("Whether programs of other players may join.")
    practice = boolean_field("Whether its players may create branches while the match runs.")
    branch = boolean_field(
        "Whether the match started in a position of another match; branches are never rated."
    )
    signed = boolean_field("Whether every player must sign their commands.")
    rated = boolean_field("Whether the result counts for the ladder of the game (docs/ratings.md).")
    tags = list_field(fields.String(), "Words for finding the match in lists.")


class MatchSummary(MatchStatus, Announcement):
    """A match in a list."""

    clock = nested_field(ClockKind)
    result = nested_field(
        Result, "The result of a finished match; null before, and if it was aborted.", allow_none=True
    )


class MatchPage(ResponseSchema):
    """One page of matches, newest first."""

    matches = list_field(fields.Nested(MatchSummary), "Matches that you may see.")
    next = text_field("Cursor of the next page; null on the last page.", allow_none=True)


class Position(MatchStatus):
    """The current state of a match, as you may see it."""

    version = integer_field("Number of facts so far; the ETag begins with it.")
    legal_moves = list_field(
        typed_object_field(),
        "Every move that you can make now, ready to be sent. "
        "A kind of move with too many possibilities is listed once, as `type` and `schema`.",
    )
    labels = list_field(
        fields.String(),
        "With `tell`: a short imperative sentence for each of `legal_moves`; no two are equal.",
        required=False,
    )
    scene = text_field(
        "With `tell`: the table as a few lines of text; empty before the match starts.", required=False
    )
    names = seat_names_field()
    view = object_field("What you may see of the game; null before the match starts.", nullable=True)
    clock = nested_field(Clock)
    result = nested_field(Result, allow_none=True)
    head = text_field(
        "Hash of the last fact's record. Each record contains the hash of the one before, "
        "so it covers all facts (docs/chain.md)."
    )


class Turn(Position):
    """Your turn in a match, as a stream with `turns=true` sends it."""

    match = text_field("Id of the match.", **ID)


class Match(Position, Announcement):
    """A match, with everything that you may see of it."""

    ruleset = nested_field(Ruleset)
    options = object_field("The chosen options, including defaults.")
    creator = text_field("Id of the player who created the match; `house` for a match of a tournament.")
    on_timeout = extensible_enum_field(
        "What happens when a player's time is up: a harmless move is made for the seat, "
        "or the seat forfeits.",
        "bot",
        "forfeit",
    )
    autostart = boolean_field("Whether the match starts as soon as all seats are taken.")
    required_witnesses = integer_field("How many witnesses must cosign a checkpoint that covers the match.")
    witnesses = list_field(
        fields.String(), "Public keys of the witnesses, if any must cosign, in the form of signed-note."
    )
    expires_at = text_field(
        "When the match expires if nobody sends a command (docs/time.md); null if it does not expire.",
        allow_none=True,
        **MOMENT,
    )
    chance = nested_field(Chance)
    link_key = text_field(
        "The key of a private match that you created: "
        "anyone who sends it as `Match-Key` may see and join the match. "
        "Otherwise null, also at a past `version`.",
        allow_none=True,
    )


class LinkKey(ResponseSchema):
    """The key of a private match."""

    link_key = text_field("Anyone who sends it as `Match-Key` may see and join the match.")


class Receipt(ResponseSchema):
    """A signed statement of a match's version and head hash. Keep the last one: it shows later rewriting."""

    match = text_field("Id of the match.", **ID)
    version = integer_field("Version of the match.")
    head = text_field("Hash of the last fact's record.")
    at = integer_field(
        "Time of the command, in milliseconds since 1970; part of what is signed.",
        examples=[1_772_366_400_000],
    )
    key = text_field("Id of the signing key; the keys are published at `/.well-known/kontor-keys.json`.")
    signature = text_field("Ed25519 signature in Base64; docs/chain.md specifies what is signed.")


class Effects(ResponseSchema):
    """The effect of a command."""

    first = integer_field("Version of the first of these facts; the others follow without gaps.")
    facts = list_field(
        typed_object_field(), "The facts that the command caused, in order, as you may see them."
    )
    texts = sentences_field()
    receipt = nested_field(Receipt)


class CommandAnswer(Match, Effects):
    """The facts that a command caused, and the match afterwards."""
