"""Creating and joining matches: requests and responses."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as asked
from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.common import Problem
from kontor_games.api.schemas.fields import (
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    StrictInteger,
    between,
    length,
    matching,
    one_of,
)
from kontor_games.api.schemas.matches import CommandAnswer
from kontor_games.api.schemas.patterns import (
    HEX_32_BYTES,
    KEY,
    MOST_NEW_MATCHES,
    MOST_TAGS,
    PUBLIC_KEY,
    TAG,
    TAG_FORM,
)
from kontor_games.domain.plain import LARGEST


class NewSeat(RequestSchema):
    """A seat of a new match."""

    type = asked.text(
        "`open`: anyone may take it. `invited`: for one player, possibly you. `bot`: for a house bot. "
        "`me`: yours at once, without a contribution to the seed.",
        one_of("open", "invited", "bot", "me"),
    )
    player = asked.id_of("Id of the invited player; only with `invited`.", **asked.NULLABLE)
    bot = asked.text(
        "Name of the house bot; only with `bot`. `GET /v1/games` lists them.", length(1, 64), **asked.NULLABLE
    )


class NewClock(RequestSchema):
    """The time control of a new match."""

    kind = asked.text(
        "`none`; `per_move`: `ms` for each move; `bank`: `ms` for the whole match, "
        "plus `increment_ms` after each move.",
        one_of("none", "per_move", "bank"),
        load_default="none",
    )
    ms = asked.field(
        StrictInteger,
        "Milliseconds, at most thirty days. With a clock at least 5,000, "
        "unless the operator has set another limit.",
        between(0, LARGEST),
        load_default=0,
    )
    increment_ms = asked.field(
        StrictInteger, "Milliseconds, at most thirty days.", between(0, LARGEST), load_default=0
    )


class NewMatch(RequestSchema):
    """A new match."""

    game = asked.text("Id of the game; `GET /v1/games` lists them.", asked.GAME)
    seats = fields.List(
        fields.Nested(NewSeat),
        required=True,
        validate=length(1, 16),
        metadata={"description": "The seats, in order of play."},
    )
    options = asked.options("Options of the game, as described by `GET /v1/games/{game}`.")
    clock = fields.Nested(NewClock, load_default=lambda: {"kind": "none"})
    on_timeout = asked.text(
        "What happens when a player's time is up. `bot`: a harmless move is made for the seat; "
        "`forfeit`: the seat forfeits.",
        one_of("bot", "forfeit"),
        load_default="bot",
    )
    autostart = asked.field(
        StrictBoolean, "Whether the match starts as soon as all seats are taken.", load_default=True
    )
    private = asked.field(
        StrictBoolean,
        "Whether the match is in no list, and visible only to you, to invited and seated players, "
        "and to anyone who sends its `link_key` as `Match-Key`.",
        load_default=False,
    )
    meet_bots = asked.field(StrictBoolean, "Whether programs of other players may join.", load_default=True)
    seed = asked.text(
        "An open seed, for practice or duplicate play: everyone who knows it can compute the deal.",
        length(1, 200),
        **asked.NULLABLE,
    )
    sealed = asked.field(
        StrictBoolean,
        "Whether contributions are sealed: players send the SHA-256 of theirs when they join, "
        "and the value itself when all seats are taken.",
        load_default=False,
    )
    practice = asked.field(
        StrictBoolean,
        "Whether players may create branches while the match runs; "
        "in these, everything hidden is drawn again at random.",
        load_default=False,
    )
    required_witnesses = asked.field(
        StrictInteger,
        "How many witnesses of the service must cosign a checkpoint that covers the match "
        "for it to be accepted.",
        between(0, 16),
        load_default=0,
    )
    signed = asked.field(
        StrictBoolean,
        "Whether every player must play with a key and sign their commands.",
        load_default=False,
    )
    rated = asked.field(
        StrictBoolean,
        "Whether the result counts for the ladder of the game. "
        "Not allowed with house bots, `seed`, `practice` or `private`.",
        load_default=False,
    )
    tags = asked.field(
        fields.List,
        "Words for finding the match in lists. They are part of the record and can never be erased.",
        length(0, MOST_TAGS),
        cls_or_instance=fields.String(validate=matching(TAG, TAG_FORM)),
        load_default=list,
    )


class KeyedMatch(NewMatch):
    """A new match with a key of its own."""

    key = asked.text(
        "Idempotency-Key of this match.", matching(KEY, "1 to 255 visible ASCII characters"), **asked.NULLABLE
    )


class NewMatches(RequestSchema):
    """Many new matches."""

    matches = fields.List(
        fields.Nested(KeyedMatch),
        required=True,
        validate=length(1, MOST_NEW_MATCHES),
        metadata={"description": "The matches; each is created or refused independently."},
    )


class Joining(RequestSchema):
    """How to join a match."""

    seat = asked.field(
        StrictInteger,
        "Number of the seat; by default the first one that is free for you.",
        between(0, 15),
        **asked.NULLABLE,
    )
    contribution = asked.text(
        "Your contribution to the seed, so that nobody else determines the deal alone: "
        "32 random bytes in hex. Check and keep `chance.signed` of the match first.",
        matching(f"({HEX_32_BYTES})?", "64 hex digits in lower case: 32 random bytes"),
        load_default="",
    )
    key = asked.text(
        "Your registered public key, if you have one: you then sign this request and every later command.",
        matching(PUBLIC_KEY, "an Ed25519 public key, 32 bytes in Base64"),
        **asked.NULLABLE,
    )


class Opening(RequestSchema):
    """The value of a sealed contribution."""

    value = asked.text(
        "The value whose SHA-256, over its 64 hex digits, you sent when you joined.", asked.HEX
    )


class NewBranch(RequestSchema):
    """A new match that starts in a position of another one."""

    version = asked.field(
        StrictInteger,
        "Version of the match at which the branch starts; "
        "a version within a command stands for the version before that command.",
        asked.VERSION,
        schema={"examples": [17]},
    )
    seat = asked.field(
        StrictInteger,
        "Your seat; by default your seat in the original match, or the first one.",
        between(0, 15),
        **asked.NULLABLE,
    )
    bot = asked.text(
        "The house bot for all other seats; by default the last one that the game lists.",
        length(1, 64),
        **asked.NULLABLE,
    )


class NewMatchAnswer(ResponseSchema):
    """The outcome for one match of many, as `POST /v1/matches` would have answered."""

    status = shown.integer("Status code: 201 if the match was created, otherwise that of the problem.")
    replayed = shown.boolean("Whether the match had been created before, under the same key.")
    answer = shown.nested(CommandAnswer, "The match; null if it was refused.", allow_none=True)
    problem = shown.nested(Problem, "Why it was refused; null if it was created.", allow_none=True)


class NewMatchAnswers(ResponseSchema):
    """The outcome for each match."""

    answers = shown.list_of(NewMatchAnswer, "One answer for each match, in the same order.")
