"""What clients ask for and get about seeks."""

from typing import Any

from marshmallow import fields

from kontor_games.api.fields import (
    Flag,
    RequestSchema,
    ResponseSchema,
    Whole,
    WrittenFlag,
    between,
    described,
    one_of,
)
from kontor_games.api.request_schemas import NewClock, game_field, limit_field
from kontor_games.api.response_schemas import ClockKind, Player

_ID: dict[str, Any] = {"format": "uuid", "examples": ["0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"]}
_MOMENT: dict[str, Any] = {"format": "date-time", "examples": ["2026-03-01T12:00:00.000Z"]}
SHORTEST_MS, LONGEST_MS = 10_000, 24 * 3600 * 1000
_STATUSES = ["waiting", "offered", "matched", "declined", "missed", "cancelled", "expired"]


class NewSeek(RequestSchema):
    """What you look for."""

    game = game_field("The game; `GET /v1/games` lists them.")
    seats = Whole(
        required=True,
        validate=between(2, 16),
        metadata={"description": "Number of players, you included.", "examples": [2]},
    )
    opponents = fields.String(
        load_default="both",
        validate=one_of("people", "programs", "both"),
        metadata={
            "description": "With whom you want to play. A rated match is among people or among programs."
        },
    )
    rated = Flag(
        load_default=False,
        metadata={"description": "Whether the result counts for the ladder (docs/ratings.md)."},
    )
    clock = fields.Nested(NewClock, load_default=lambda: {"kind": "none"})
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={
            "description": "Options of the game; seeks with the same options are paired.",
            "type": "object",
        },
    )
    on_timeout = fields.String(
        load_default="bot",
        validate=one_of("bot", "forfeit"),
        metadata={"description": "What happens when a player's time is up, as in a new match."},
    )
    lifetime_ms = Whole(
        load_default=600_000,
        validate=between(SHORTEST_MS, LONGEST_MS),
        metadata={"description": "After so many milliseconds the seek expires."},
    )


class SeeksQuery(RequestSchema):
    """Which seeks to list."""

    game = game_field("Only seeks for this game.", load_default=None)
    mine = WrittenFlag(
        load_default=False,
        metadata={
            "description": "Only your own seeks, with those that ended in the last day; needs a token."
        },
    )
    limit = limit_field("Maximum number of seeks.", 50, 200)


class Seek(ResponseSchema):
    """Somebody who looks for a match."""

    id = described(fields.String, "Id of the seek.", **_ID)
    player = described(fields.Nested, "Who looks for a match.", Player)
    game = described(fields.String, "The game.")
    seats = described(fields.Integer, "Number of players.")
    opponents = described(fields.String, "With whom: `people`, `programs` or `both`.")
    rated = described(fields.Boolean, "Whether the result counts for the ladder.")
    clock = described(fields.Nested, "", ClockKind)
    options = described(
        fields.Raw, "Options of the game, with defaults.", type="object", additionalProperties=True
    )
    on_timeout = described(fields.String, "What happens when a player's time is up.")
    status = fields.String(
        required=True,
        metadata={
            "description": "`waiting`; `offered`: the match `match` waits for you to take your seat; `matched`: it has begun; `declined`, `missed`: you declined it, or did not take your seat within a minute; `cancelled`; `expired`.",
            "x-extensible-enum": _STATUSES,
        },
    )
    match = described(
        fields.String, "The match that was offered last; null if there was none.", allow_none=True, **_ID
    )
    created_at = described(fields.String, "Since when the seek waits.", **_MOMENT)
    expires_at = described(fields.String, "When it expires.", **_MOMENT)


class SeekList(ResponseSchema):
    """Seeks, the oldest first; your own the newest first."""

    seeks = described(fields.List, "The seeks.", fields.Nested(Seek))
