"""Creating, joining and looking for matches."""

from marshmallow import fields

from kontor_games.api.schemas import fields as req
from kontor_games.api.schemas.fields import (
    HEX_32_BYTES,
    KEY,
    MAX_NEW_MATCHES,
    MAX_TAGS,
    PUBLIC_KEY,
    TAG,
    TAG_FORM,
    RequestSchema,
    between,
    length,
    matching,
    one_of,
)
from kontor_games.domain.plain import MAX_INTEGER


class SeatRequest(RequestSchema):
    """A seat of a new match."""

    type = req.text(
        "`open`: anyone may take it. `invited`: reserved for one player, who may be you. "
        "`bot`: for a house bot. `me`: you take it immediately, without a contribution to the seed.",
        one_of("open", "invited", "bot", "me"),
    )
    player = req.id_of("Id of the invited player; only with `invited`.", **req.NULLABLE)
    bot = req.text(
        "Name of the house bot; only with `bot`. `GET /v1/games` lists them.", length(1, 64), **req.NULLABLE
    )


class ClockRequest(RequestSchema):
    """The time control of a new match."""

    kind = req.text(
        "`none`; `per_move`: `ms` for each move; `bank`: `ms` for the whole match, "
        "plus `increment_ms` after each move.",
        one_of("none", "per_move", "bank"),
        load_default="none",
    )
    ms = req.integer(
        "Milliseconds, at most thirty days. With a clock, at least 5,000 "
        "unless the operator has set another minimum.",
        between(0, MAX_INTEGER),
        load_default=0,
    )
    increment_ms = req.integer("Milliseconds, at most thirty days.", between(0, MAX_INTEGER), load_default=0)


class MatchRequest(RequestSchema):
    """A new match."""

    game = req.text("Id of the game; `GET /v1/games` lists them.", req.GAME)
    seats = req.list_of(fields.Nested(SeatRequest), "The seats, in order of play.", length(1, 16))
    options = req.options("Options of the game, as described by `GET /v1/games/{game}`.")
    clock = fields.Nested(ClockRequest, load_default=lambda: {"kind": "none"})
    on_timeout = req.text(
        "What happens when a player's time is up. `bot`: the service makes a quiet move for the seat "
        "(a harmless one, drawn at random); `forfeit`: the seat forfeits.",
        one_of("bot", "forfeit"),
        load_default="bot",
    )
    autostart = req.flag("Whether the match starts as soon as all seats are taken.", default=True)
    private = req.flag(
        "Whether the match is private: not listed for others, and visible only to you, to invited and seated "
        "players, and to anyone who sends its `link_key` as `Match-Key`."
    )
    meet_bots = req.flag("Whether programs of other players may join.", default=True)
    seed = req.text(
        "An open seed, for practice or duplicate play: the deal depends on nothing else, so everyone who "
        "knows the seed can compute it.",
        length(1, 200),
        **req.NULLABLE,
    )
    sealed = req.flag(
        "Whether contributions are sealed: players send the SHA-256 of theirs when they join, "
        "and the value itself when all seats are taken."
    )
    practice = req.flag(
        "Whether players may create branches while the match is running; "
        "in a branch, everything hidden from its creator is drawn again at random."
    )
    required_witnesses = req.integer(
        "How many witnesses of the service must cosign a checkpoint that covers the match before verifiers "
        "accept the match.",
        between(0, 16),
        load_default=0,
    )
    max_returned_ms = req.integer(
        "The most time, in ms, that outages of the service can give back to clocks and to the deadline for "
        "opening contributions, in all. 0: none; null: 24 hours.",
        between(0, 10 * 365 * 24 * 3600 * 1000),
        **req.NULLABLE,
    )
    spectator_delay = req.integer(
        "While the match runs, all who do not play see the position of so many seconds ago, in every answer; "
        "for finals. The creator, too, if they have no seat.",
        between(0, 3600),
        load_default=0,
    )
    signed = req.flag("Whether every player must join with a key and sign their commands.")
    rated = req.flag(
        "Whether the result counts for the ladder of the game. "
        "Not allowed with house bots, `seed`, `practice` or `private`."
    )
    tags = req.list_of(
        fields.String(validate=matching(TAG, TAG_FORM)),
        "Tags, by which lists of matches can be filtered. "
        "They are part of the record and can never be erased.",
        length(0, MAX_TAGS),
        load_default=list,
    )


class KeyedMatchRequest(MatchRequest):
    """A new match with its own Idempotency-Key."""

    key = req.text(
        "Idempotency-Key of this match.", matching(KEY, "1 to 255 visible ASCII characters"), **req.NULLABLE
    )


class MatchesRequest(RequestSchema):
    """Many new matches."""

    matches = req.list_of(
        fields.Nested(KeyedMatchRequest),
        "The matches; each is created or refused independently.",
        length(1, MAX_NEW_MATCHES),
    )


class Joining(RequestSchema):
    """How to join a match."""

    seat = req.integer(
        "Number of the seat; by default the first one that you may take.", between(0, 15), **req.NULLABLE
    )
    contribution = req.text(
        "Your contribution to the seed, so that nobody else determines the deal alone: "
        "32 random bytes in hex. Check and keep `chance.signed` of the match first.",
        matching(f"({HEX_32_BYTES})?", "64 hex digits in lower case: 32 random bytes"),
        load_default="",
    )
    key = req.text(
        "Your registered public key. If you send it, you must sign this request and every later command in "
        "the match.",
        matching(PUBLIC_KEY, "an Ed25519 public key, 32 bytes in Base64"),
        **req.NULLABLE,
    )


class SeatingBot(RequestSchema):
    """Which house bot takes which seat."""

    seat = req.integer("Number of the free seat.", between(0, 15))
    bot = req.text("Name of the house bot. `GET /v1/games` lists them.", length(1, 64))
    bot_version = req.integer(
        "Version of the bot, from `bot_versions` of `GET /v1/games`. It is part of the command that you "
        "sign if you have a seat with a key; otherwise it can be left out.",
        between(1, 1_000_000),
        **req.NULLABLE,
    )


class Opening(RequestSchema):
    """The value of a sealed contribution."""

    value = req.text(
        "The value, 64 hex digits, whose SHA-256 you sent when you joined. "
        "The hash is computed over the 64 characters.",
        req.HEX,
    )


class BranchRequest(RequestSchema):
    """A new match that starts in a position of another one."""

    version = req.integer(
        "Version of the match at which the branch starts. If a command caused several facts, a version "
        "between them means the version before the command.",
        req.VERSION,
        schema={"examples": [17]},
    )
    seat = req.integer(
        "Your seat; by default your seat in the original match, or the first one.",
        between(0, 15),
        **req.NULLABLE,
    )
    bot = req.text(
        "The house bot for all other seats; by default the last one that the game lists.",
        length(1, 64),
        **req.NULLABLE,
    )


MIN_SEEK_MS, MAX_SEEK_MS = 10_000, 24 * 3600 * 1000
_STATUSES = ["waiting", "offered", "matched", "declined", "missed", "cancelled", "expired"]


class SeekRequest(RequestSchema):
    """The match you are looking for."""

    game = req.game("The game; `GET /v1/games` lists them.")
    seats = req.integer("Number of players, including you.", between(2, 16), schema={"examples": [2]})
    opponents = req.text(
        "Which opponents you accept. In a rated match, people meet only people, and programs only programs.",
        one_of("people", "programs", "both"),
        load_default="both",
    )
    rated = req.flag("Whether the result counts for the ladder (docs/ratings.md).")
    clock = fields.Nested(ClockRequest, load_default=lambda: {"kind": "none"})
    options = req.options("Options of the game; only seeks with the same options are paired.")
    on_timeout = req.text(
        "What happens when a player's time is up, as in a new match.",
        one_of("bot", "forfeit"),
        load_default="bot",
    )
    lifetime_ms = req.integer(
        "Lifetime of the seek, in milliseconds.", between(MIN_SEEK_MS, MAX_SEEK_MS), load_default=600_000
    )


class SeeksQuery(RequestSchema):
    """Which seeks to list."""

    game = req.game("Only seeks for this game.", load_default=None)
    mine = req.query_flag(
        "Only your own seeks, including those that ended within the last day; needs a token."
    )
    limit = req.limit("Maximum number of seeks.", 50, 200)
