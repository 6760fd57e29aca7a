"""Seeks: requests and responses."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as asked
from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.fields import (
    QueryBoolean,
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    StrictInteger,
    between,
    one_of,
)
from kontor_games.api.schemas.matches import ClockKind
from kontor_games.api.schemas.new_matches import NewClock
from kontor_games.api.schemas.players import Player

SHORTEST_MS, LONGEST_MS = 10_000, 24 * 3600 * 1000
_STATUSES = ["waiting", "offered", "matched", "declined", "missed", "cancelled", "expired"]


class NewSeek(RequestSchema):
    """The match you are looking for."""

    game = asked.game("The game; `GET /v1/games` lists them.")
    seats = asked.field(
        StrictInteger, "Number of players, including you.", between(2, 16), schema={"examples": [2]}
    )
    opponents = asked.text(
        "The opponents you accept. A rated match is either among people or among programs.",
        one_of("people", "programs", "both"),
        load_default="both",
    )
    rated = asked.field(
        StrictBoolean, "Whether the result counts for the ladder (docs/ratings.md).", load_default=False
    )
    clock = fields.Nested(NewClock, load_default=lambda: {"kind": "none"})
    options = asked.options("Options of the game; seeks with the same options are paired.")
    on_timeout = asked.text(
        "What happens when a player's time is up, as in a new match.",
        one_of("bot", "forfeit"),
        load_default="bot",
    )
    lifetime_ms = asked.field(
        StrictInteger,
        "Lifetime of the seek, in milliseconds.",
        between(SHORTEST_MS, LONGEST_MS),
        load_default=600_000,
    )


class SeeksQuery(RequestSchema):
    """Which seeks to list."""

    game = asked.game("Only seeks for this game.", load_default=None)
    mine = asked.field(
        QueryBoolean,
        "Only your own seeks, with those that ended in the last day; needs a token.",
        load_default=False,
    )
    limit = asked.limit("Maximum number of seeks.", 50, 200)


class Seek(ResponseSchema):
    """A player who is looking for a match."""

    id = shown.text("Id of the seek.", **shown.ID)
    player = shown.nested(Player, "Who looks for a match.")
    game = shown.text("The game.")
    seats = shown.integer("Number of players.")
    opponents = shown.text("The accepted opponents: `people`, `programs` or `both`.")
    rated = shown.boolean("Whether the result counts for the ladder.")
    clock = shown.nested(ClockKind)
    options = shown.plain_object("Options of the game, with defaults.")
    on_timeout = shown.text("What happens when a player's time is up.")
    status = shown.word(
        "`waiting`; `offered`: the match `match` waits for you to take your seat; `matched`: it has started; "
        "`declined`, `missed`: you declined it, or did not take your seat within a minute; "
        "`cancelled`; `expired`.",
        *_STATUSES,
    )
    match = shown.text(
        "The match that was offered last; null if there was none.", allow_none=True, **shown.ID
    )
    created_at = shown.text("Time of creation.", **shown.MOMENT)
    expires_at = shown.text("When it expires.", **shown.MOMENT)


class SeekList(ResponseSchema):
    """Seeks, the oldest first; your own the newest first."""

    seeks = shown.list_of(Seek, "The seeks.")
