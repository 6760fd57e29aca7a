"""What clients may ask for: request bodies and query strings, each name with what it means."""

from typing import Any

from marshmallow import fields

from kontor_games.api.fields import (
    Flag,
    RequestSchema,
    Whole,
    WrittenFlag,
    WrittenWhole,
    between,
    length,
    matching,
    one_of,
)
from kontor_games.domain.plain import LARGEST
from kontor_games.service.people.names import LONGEST_NAME
from kontor_games.service.people.tokens import LONGEST_MS, SCOPES

GAME_ID = r"[a-z][a-z0-9_-]{0,63}"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
CURSOR = r"[A-Za-z0-9_-]{1,8000}"
SIGNATURE_LINES = r"(— [!-*,-~]{1,255} [A-Za-z0-9+/]{8,200}={0,2}\n){1,16}"
LONGEST_WAIT_S = 60
"""How long a long poll may wait."""
MOST_MOVES = 100
"""How many moves one request may hold."""


def _says(description: str, **more: Any) -> dict[str, Any]:
    return {"description": description, **more}


def _id(description: str, **more: Any) -> fields.String:
    return fields.String(
        validate=matching(UUID, "the id of a player"), metadata=_says(description, format="uuid"), **more
    )


class NewPlayer(RequestSchema):
    """A new account."""

    name = fields.String(
        required=True,
        validate=length(1, LONGEST_NAME),
        metadata=_says(
            "Display name: visible characters, no leading or trailing space. It need not be unique.",
            examples=["Ada"],
        ),
    )
    bot = Flag(
        load_default=False,
        metadata=_says(
            "Whether the player is a program. Everyone can see this, and it cannot be changed later."
        ),
    )


class Renaming(RequestSchema):
    """A player's new name."""

    name = fields.String(
        required=True, validate=length(1, LONGEST_NAME), metadata=_says("The new name.", examples=["Ada L."])
    )


class NewToken(RequestSchema):
    """A new token."""

    label = fields.String(
        required=True,
        validate=length(1, LONGEST_NAME),
        metadata=_says("A label that helps you recognise the token.", examples=["laptop"]),
    )
    scopes = fields.List(
        fields.String(validate=one_of(*SCOPES)),
        required=True,
        validate=length(1, len(SCOPES)),
        metadata=_says(
            "What the token allows; at most what the token used for this request allows.", examples=[["play"]]
        ),
    )
    expires_in_ms = Whole(
        allow_none=True,
        load_default=None,
        validate=between(1, LONGEST_MS),
        metadata=_says(
            "Lifetime in milliseconds. By default it lasts as long as the token used for this request.",
            examples=[86_400_000],
        ),
    )


class NewSeat(RequestSchema):
    """A seat of a new match."""

    type = fields.String(
        required=True,
        validate=one_of("open", "invited", "bot", "me"),
        metadata=_says(
            "`open`: anyone may take it. `invited`: for one player. `bot`: for a house bot. `me`: yours at once."
        ),
    )
    player = _id("Id of the invited player; only with `invited`.", allow_none=True, load_default=None)
    bot = fields.String(
        allow_none=True,
        load_default=None,
        validate=length(1, 64),
        metadata=_says("Name of the house bot; only with `bot`. `GET /v1/games` lists them."),
    )


class NewClock(RequestSchema):
    """The time control of a new match."""

    kind = fields.String(
        load_default="none",
        validate=one_of("none", "per_move", "bank"),
        metadata=_says(
            "`none`; `per_move`: `ms` for each move; `bank`: `ms` for the whole match, plus `increment_ms` after each move."
        ),
    )
    ms = Whole(
        load_default=0, validate=between(0, LARGEST), metadata=_says("Milliseconds, at most thirty days.")
    )
    increment_ms = Whole(
        load_default=0, validate=between(0, LARGEST), metadata=_says("Milliseconds, at most thirty days.")
    )


class NewMatch(RequestSchema):
    """A new match."""

    game = fields.String(
        required=True,
        validate=matching(GAME_ID, "the id of a game"),
        metadata=_says("Id of the game; `GET /v1/games` lists them."),
    )
    seats = fields.List(
        fields.Nested(NewSeat),
        required=True,
        validate=length(1, 16),
        metadata=_says("The seats, in order of play."),
    )
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata=_says("Options of the game, as described by `GET /v1/games/{game}`.", type="object"),
    )
    clock = fields.Nested(NewClock, load_default=lambda: {"kind": "none"})
    on_timeout = fields.String(
        load_default="bot",
        validate=one_of("bot", "forfeit"),
        metadata=_says(
            "What happens when a player's time is up. `bot`: a harmless move is made for the seat; `forfeit`: the seat forfeits."
        ),
    )
    autostart = Flag(
        load_default=True, metadata=_says("Whether the match starts as soon as all seats are taken.")
    )
    private = Flag(
        load_default=False,
        metadata=_says("Whether only you and the invited or seated players can see the match."),
    )
    meet_bots = Flag(load_default=True, metadata=_says("Whether programs of other players may join."))
    seed = fields.String(
        allow_none=True,
        load_default=None,
        validate=length(1, 200),
        metadata=_says(
            "An open seed, for practice or duplicate play: everyone who knows it can compute the deal."
        ),
    )
    sealed = Flag(
        load_default=False,
        metadata=_says(
            "Whether contributions are sealed: players send the SHA-256 of theirs when they join, and the value itself when all seats are taken."
        ),
    )
    practice = Flag(
        load_default=False,
        metadata=_says(
            "Whether players may create branches while the match runs; in these, everything hidden is drawn again at random."
        ),
    )
    contribution = fields.String(
        load_default="",
        validate=length(0, 200),
        metadata=_says("Your contribution to the seed, if you take a seat of type `me`."),
    )


class Joining(RequestSchema):
    """How to join a match."""

    seat = Whole(
        allow_none=True,
        load_default=None,
        validate=between(0, 15),
        metadata=_says("Number of the seat; by default the first one that is free for you."),
    )
    contribution = fields.String(
        load_default="",
        validate=length(0, 200),
        metadata=_says("Your contribution to the seed, so that nobody else determines the deal alone."),
    )


class Opening(RequestSchema):
    """The value of a sealed contribution."""

    value = fields.String(
        required=True,
        validate=length(0, 200),
        metadata=_says("The value whose SHA-256 you sent when you joined."),
    )


class NewBranch(RequestSchema):
    """A new match that starts in a position of another one."""

    version = Whole(
        required=True,
        validate=between(1, LARGEST),
        metadata=_says(
            "Version of the match at which the branch starts; if it lies within a command, the version before that command.",
            examples=[17],
        ),
    )
    seat = Whole(
        allow_none=True,
        load_default=None,
        validate=between(0, 15),
        metadata=_says("Your seat; by default your seat in the original match, or the first one."),
    )
    bot = fields.String(
        allow_none=True,
        load_default=None,
        validate=length(1, 64),
        metadata=_says("The house bot for all other seats; by default the last one that the game lists."),
    )


class Nothing(RequestSchema):
    """No body, or an empty object."""


class VersionQuery(RequestSchema):
    """Which version of a match to return."""

    version = WrittenWhole(
        load_default=None,
        validate=between(1, LARGEST),
        metadata=_says("Return the match as you could see it at this version."),
    )
    truth = WrittenFlag(
        load_default=False,
        metadata=_says(
            "Include everything that was hidden at that version. Refused until the match is over."
        ),
    )


class MovesQuery(RequestSchema):
    """How to make a move."""

    dry_run = WrittenFlag(
        load_default=False, metadata=_says("Only check whether the move is legal; nothing is stored.")
    )


class EventsQuery(RequestSchema):
    """Which facts of a match to return."""

    after = WrittenWhole(
        load_default=None,
        validate=between(0, LARGEST),
        metadata=_says("Return only facts after this version. The header `Last-Event-ID` takes precedence."),
    )
    limit = WrittenWhole(
        load_default=200,
        validate=between(1, 1000),
        metadata=_says("Maximum number of facts on a JSON page.", default=200),
    )
    wait = WrittenWhole(
        load_default=None,
        validate=between(0, LONGEST_WAIT_S),
        metadata=_says(
            "Seconds to wait for new facts (JSON), or to keep a stream open (default: as long as the service allows)."
        ),
    )


class MyEventsQuery(RequestSchema):
    """Which facts of all your matches to return."""

    after = fields.String(
        load_default=None,
        validate=matching(CURSOR, "a cursor that this service gave"),
        metadata=_says("The value of `next` of the previous page."),
    )
    wait = EventsQuery._declared_fields["wait"]


class MatchesQuery(RequestSchema):
    """Which matches to list."""

    game = fields.String(
        load_default=None,
        validate=matching(GAME_ID, "the id of a game"),
        metadata=_says("Only matches of this game."),
    )
    status = fields.String(
        load_default=None,
        validate=one_of("open", "running", "finished", "aborted"),
        metadata=_says("Only matches with this status."),
    )
    player = _id("Only matches in which this player takes part.", load_default=None)
    cursor = fields.String(
        load_default=None,
        validate=matching(CURSOR, "a cursor that this service gave"),
        metadata=_says("The value of `next` of the previous page."),
    )
    limit = WrittenWhole(
        load_default=50,
        validate=between(1, 200),
        metadata=_says("Maximum number of matches on a page.", default=50),
    )


class CheckpointsQuery(RequestSchema):
    """Which checkpoints to list."""

    cursor = fields.String(
        load_default=None,
        validate=matching(CURSOR, "a cursor that this service gave"),
        metadata=_says("The value of `next` of the previous page."),
    )
    limit = WrittenWhole(
        load_default=50,
        validate=between(1, 200),
        metadata=_says("Maximum number of checkpoints on a page.", default=50),
    )


class ConsistencyQuery(RequestSchema):
    """The two trees to compare."""

    first = WrittenWhole(
        required=True,
        validate=between(1, LARGEST),
        metadata=_says("Size of the earlier tree: that of the checkpoint you kept."),
    )
    second = WrittenWhole(
        required=True, validate=between(1, LARGEST), metadata=_says("Size of the later tree.")
    )


class InclusionQuery(RequestSchema):
    """The tree for which to prove inclusion."""

    size = WrittenWhole(
        required=True, validate=between(1, LARGEST), metadata=_says("Size of the tree: that of a checkpoint.")
    )


class Cosigning(RequestSchema):
    """Cosignatures of a checkpoint, as a witness makes them (C2SP tlog-cosignature)."""

    size = Whole(required=True, validate=between(1, LARGEST), metadata=_says("Size of the checkpoint."))
    signatures = fields.String(
        required=True,
        validate=matching(SIGNATURE_LINES, "signature lines of a note, each with its line break"),
        metadata=_says("Signature lines of a note, each with its line break: `— name Base64`."),
    )


Move = {
    "type": "object",
    "description": "A move: one of `legal_moves` unchanged, or as described by `GET /v1/games/{game}`.",
    "properties": {"type": {"type": "string", "minLength": 1, "maxLength": 64}},
    "required": ["type"],
    "additionalProperties": True,
}
Moves = {
    "type": "object",
    "description": "Several moves that are carried out together: all of them or none.",
    "properties": {
        "moves": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/Move"},
            "minItems": 1,
            "maxItems": MOST_MOVES,
        }
    },
    "required": ["moves"],
    "additionalProperties": False,
}
"""Moves are read by their game, not by marshmallow, so their schemas stand here as they are."""

__all__ = [
    "CURSOR",
    "GAME_ID",
    "LONGEST_WAIT_S",
    "MOST_MOVES",
    "UUID",
    "CheckpointsQuery",
    "ConsistencyQuery",
    "Cosigning",
    "EventsQuery",
    "InclusionQuery",
    "Joining",
    "MatchesQuery",
    "Move",
    "Moves",
    "MovesQuery",
    "MyEventsQuery",
    "NewBranch",
    "NewMatch",
    "NewPlayer",
    "NewToken",
    "Nothing",
    "Opening",
    "Renaming",
    "VersionQuery",
]
