"""Seeks, and queries of them."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas.fields import RequestSchema, between, one_of
from kontor_games.api.schemas.new_matches import ClockRequest

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
