"""Seeks: requests and responses."""

from marshmallow import fields

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
from kontor_games.api.schemas.request_fields import (
    game_field,
    limit_field,
    options_field,
    request_field,
    request_text,
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
    text_field,
)

SHORTEST_MS, LONGEST_MS = 10_000, 24 * 3600 * 1000
_STATUSES = ["waiting", "offered", "matched", "declined", "missed", "cancelled", "expired"]


class NewSeek(RequestSchema):
    """The match you are looking for."""

    game = game_field("The game; `GET /v1/games` lists them.")
    seats = request_field(
        StrictInteger, "Number of players, including you.", between(2, 16), schema={"examples": [2]}
    )
    opponents = request_text(
        "The opponents you accept. A rated match is either among people or among programs.",
        one_of("people", "programs", "both"),
        load_default="both",
    )
    rated = request_field(
        StrictBoolean, "Whether the result counts for the ladder (docs/ratings.md).", load_default=False
    )
    clock = fields.Nested(NewClock, load_default=lambda: {"kind": "none"})
    options = options_field("Options of the game; seeks with the same options are paired.")
    on_timeout = request_text(
        "What happens when a player's time is up, as in a new match.",
        one_of("bot", "forfeit"),
        load_default="bot",
    )
    lifetime_ms = request_field(
        StrictInteger,
        "Lifetime of the seek, in milliseconds.",
        between(SHORTEST_MS, LONGEST_MS),
        load_default=600_000,
    )


class SeeksQuery(RequestSchema):
    """Which seeks to list."""

    game = game_field("Only seeks for this game.", load_default=None)
    mine = request_field(
        QueryBoolean,
        "Only your own seeks, with those that ended in the last day; needs a token.",
        load_default=False,
    )
    limit = limit_field("Maximum number of seeks.", 50, 200)


class Seek(ResponseSchema):
    """A player who is looking for a match."""

    id = text_field("Id of the seek.", **ID)
    player = nested_field(Player, "Who looks for a match.")
    game = text_field("The game.")
    seats = integer_field("Number of players.")
    opponents = text_field("The accepted opponents: `people`, `programs` or `both`.")
    rated = boolean_field("Whether the result counts for the ladder.")
    clock = nested_field(ClockKind)
    options = object_field("Options of the game, with defaults.")
    on_timeout = text_field("What happens when a player's time is up.")
    status = extensible_enum_field(
        "`waiting`; `offered`: the match `match` waits for you to take your seat; `matched`: it has started; "
        "`declined`, `missed`: you declined it, or did not take your seat within a minute; "
        "`cancelled`; `expired`.",
        *_STATUSES,
    )
    match = text_field("The match that was offered last; null if there was none.", allow_none=True, **ID)
    created_at = text_field("Time of creation.", **MOMENT)
    expires_at = text_field("When it expires.", **MOMENT)


class SeekList(ResponseSchema):
    """Seeks, the oldest first; your own the newest first."""

    seeks = list_field(fields.Nested(Seek), "The seeks.")
