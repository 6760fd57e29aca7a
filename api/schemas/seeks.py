"""Seeks: requests and responses."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema, between, one_of
from kontor_games.api.schemas.matches import ClockKind
from kontor_games.api.schemas.new_matches import ClockRequest
from kontor_games.api.schemas.players import Player

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


class Seek(ResponseSchema):
    """A player who is looking for a match."""

    id = res.text("Id of the seek.", **res.ID)
    player = res.nested(Player, "The player who is looking for a match.")
    game = res.text("The game.")
    seats = res.integer("Number of players.")
    opponents = res.text("The accepted opponents: `people`, `programs` or `both`.")
    rated = res.boolean("Whether the result counts for the ladder.")
    clock = res.nested(ClockKind)
    options = res.plain_object("Options of the game, with defaults.")
    on_timeout = res.text("What happens when a player's time is up, as in a new match.")
    status = res.word(
        "`waiting`: no match has been found yet; `offered`: `match` is waiting for you to take your seat; "
        "`matched`: the match has started; `declined`: you declined the match; "
        "`missed`: you did not take your seat within a minute; `cancelled`; `expired`.",
        *_STATUSES,
    )
    match = res.text(
        "Id of the match that was offered last; null if there was none.", allow_none=True, **res.ID
    )
    created_at = res.moment("Time of creation.")
    expires_at = res.moment("Time at which the seek expires.")


class SeekList(ResponseSchema):
    """Seeks: waiting ones oldest first, your own newest first."""

    seeks = res.list_of(Seek, "The seeks.")
