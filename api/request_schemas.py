"""What clients may ask for: request bodies and query strings, each name with what it means."""

from typing import Any

from marshmallow import fields

from kontor_games.api.fields import Flag, Form, Whole, WrittenFlag, WrittenWhole, between, length, matching, one_of
from kontor_games.domain.plain import LARGEST
from kontor_games.service.people.names import LONGEST_NAME
from kontor_games.service.people.tokens import LONGEST_MS, SCOPES

GAME_ID = r"[a-z][a-z0-9_-]{0,63}"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
CURSOR = r"[A-Za-z0-9_-]{1,8000}"
LONGEST_WAIT_S = 60
"""How long a long poll may wait."""
MOST_MOVES = 100
"""How many moves one request may hold."""


def _says(description: str, **more: Any) -> dict[str, Any]:
    return {"description": description, **more}


def _id(description: str, **more: Any) -> fields.String:
    return fields.String(validate=matching(UUID, "the id of a player"), metadata=_says(description, format="uuid"), **more)


class NewPlayer(Form):
    """A player to be."""

    name = fields.String(
        required=True,
        validate=length(1, LONGEST_NAME),
        metadata=_says("What others see: visible characters, no space at either end. Need not be unique.", examples=["Ada"]),
    )
    bot = Flag(load_default=False, metadata=_says("Whether a program will play. It can't be changed later, and everyone sees it."))


class Renaming(Form):
    """A player's new name."""

    name = fields.String(required=True, validate=length(1, LONGEST_NAME), metadata=_says("The new name.", examples=["Ada L."]))


class NewToken(Form):
    """A token to be."""

    label = fields.String(
        required=True, validate=length(1, LONGEST_NAME), metadata=_says("By which you will know it again.", examples=["laptop"])
    )
    scopes = fields.List(
        fields.String(validate=one_of(*SCOPES)),
        required=True,
        validate=length(1, len(SCOPES)),
        metadata=_says("What it may be used for; never more than the token that asks for it.", examples=[["play"]]),
    )
    expires_in_ms = Whole(
        allow_none=True,
        load_default=None,
        validate=between(1, LONGEST_MS),
        metadata=_says("How long it lasts. Without this it lasts as long as the token that asks for it.", examples=[86_400_000]),
    )


class NewSeat(Form):
    """What a seat of a new match is kept for."""

    type = fields.String(
        required=True,
        validate=one_of("open", "invited", "bot", "me"),
        metadata=_says("`open`: for whoever comes first. `invited`: for one player. `bot`: for a house bot. `me`: for you, at once."),
    )
    player = _id("The invited player, with `invited` only.", allow_none=True, load_default=None)
    bot = fields.String(
        allow_none=True,
        load_default=None,
        validate=length(1, 64),
        metadata=_says("Which house bot, with `bot` only; `GET /v1/games` lists them."),
    )


class NewClock(Form):
    """The time that players have."""

    kind = fields.String(
        load_default="none",
        validate=one_of("none", "per_move", "bank"),
        metadata=_says("`none`, `per_move`: `ms` for each move, or `bank`: `ms` for the whole match and `increment_ms` after each move."),
    )
    ms = Whole(load_default=0, validate=between(0, LARGEST), metadata=_says("Milliseconds, at most thirty days."))
    increment_ms = Whole(load_default=0, validate=between(0, LARGEST), metadata=_says("Milliseconds, at most thirty days."))


class NewMatch(Form):
    """A match to be."""

    game = fields.String(
        required=True, validate=matching(GAME_ID, "the id of a game"), metadata=_says("Which game; `GET /v1/games` lists them.")
    )
    seats = fields.List(fields.Nested(NewSeat), required=True, validate=length(1, 16), metadata=_says("The seats, in order of play."))
    options = fields.Dict(
        keys=fields.String(), load_default=dict, metadata=_says("As `GET /v1/games/{game}` describes them.", type="object")
    )
    clock = fields.Nested(NewClock, load_default=lambda: {"kind": "none"})
    on_timeout = fields.String(
        load_default="bot",
        validate=one_of("bot", "forfeit"),
        metadata=_says("What follows when a player's time is up: a house bot makes a harmless move, or the seat forfeits."),
    )
    autostart = Flag(load_default=True, metadata=_says("Whether the match starts by itself when all seats are taken."))
    private = Flag(load_default=False, metadata=_says("Whether only those who have part in it may see it."))
    meet_bots = Flag(load_default=True, metadata=_says("Whether programs of other players may sit down too."))
    seed = fields.String(
        allow_none=True,
        load_default=None,
        validate=length(1, 200),
        metadata=_says("An open seed for practice or duplicate play: whoever knows it can know the whole deal."),
    )
    sealed = Flag(
        load_default=False,
        metadata=_says("Whether contributions are sealed: players put in the SHA-256 of theirs, and open it when all seats are taken."),
    )
    practice = Flag(
        load_default=False,
        metadata=_says("Whether players may practise from positions of the match while it runs, with all that is hidden drawn anew."),
    )
    contribution = fields.String(
        load_default="", validate=length(0, 200), metadata=_says("Your own share of the seed, with a seat of type `me`.")
    )


class Joining(Form):
    """How to sit down."""

    seat = Whole(
        allow_none=True,
        load_default=None,
        validate=between(0, 15),
        metadata=_says("Which seat; without it the first that is free for you."),
    )
    contribution = fields.String(
        load_default="", validate=length(0, 200), metadata=_says("Your own share of the seed, so that nobody alone decides the deal.")
    )


class Opening(Form):
    """What was sealed."""

    value = fields.String(required=True, validate=length(0, 200), metadata=_says("The value whose SHA-256 you put in when you sat down."))


class NewBranch(Form):
    """A match that goes on from a position of another."""

    version = Whole(
        required=True,
        validate=between(1, LARGEST),
        metadata=_says("From where: at this version, or at the last decision before it.", examples=[17]),
    )
    seat = Whole(
        allow_none=True,
        load_default=None,
        validate=between(0, 15),
        metadata=_says("Your seat; without it your own in that match, or else the first."),
    )
    bot = fields.String(
        allow_none=True,
        load_default=None,
        validate=length(1, 64),
        metadata=_says("The house bot on all other seats; without it the game's last one."),
    )


class Nothing(Form):
    """Nothing to say: no body, or an empty object."""


class VersionQuery(Form):
    """Which version of a match."""

    version = WrittenWhole(
        load_default=None, validate=between(1, LARGEST), metadata=_says("The match as it stood then, as you could see it then.")
    )
    truth = WrittenFlag(load_default=False, metadata=_says("With all that was hidden then, once the match is over; before that refused."))


class MovesQuery(Form):
    """How to make a move."""

    dry_run = WrittenFlag(load_default=False, metadata=_says("Only tells whether the move would pass; nothing is stored."))


class EventsQuery(Form):
    """Which part of a match's log."""

    after = WrittenWhole(
        load_default=None,
        validate=between(0, LARGEST),
        metadata=_says("Only facts beyond this version. A `Last-Event-ID` header takes its place."),
    )
    limit = WrittenWhole(load_default=200, validate=between(1, 1000), metadata=_says("Facts on a JSON page.", default=200))
    wait = WrittenWhole(
        load_default=None,
        validate=between(0, LONGEST_WAIT_S),
        metadata=_says(
            "Seconds to wait for something new on a JSON page, or to keep a stream open (without it: as long as this service allows)."
        ),
    )


class MyEventsQuery(Form):
    """Which part of the log of all my matches."""

    after = fields.String(
        load_default=None, validate=matching(CURSOR, "a cursor that this service gave"), metadata=_says("`next` of the page before.")
    )
    wait = EventsQuery._declared_fields["wait"]


class MatchesQuery(Form):
    """Which matches."""

    game = fields.String(load_default=None, validate=matching(GAME_ID, "the id of a game"), metadata=_says("Only matches of this game."))
    status = fields.String(
        load_default=None, validate=one_of("open", "running", "finished", "aborted"), metadata=_says("Only matches in this state.")
    )
    player = _id("Only matches that this player has part in.", load_default=None)
    cursor = fields.String(
        load_default=None, validate=matching(CURSOR, "a cursor that this service gave"), metadata=_says("`next` of the page before.")
    )
    limit = WrittenWhole(load_default=50, validate=between(1, 200), metadata=_says("Matches on a page.", default=50))


class CheckpointsQuery(Form):
    """Which checkpoints."""

    cursor = fields.String(
        load_default=None, validate=matching(CURSOR, "a cursor that this service gave"), metadata=_says("`next` of the page before.")
    )
    limit = WrittenWhole(load_default=50, validate=between(1, 200), metadata=_says("Checkpoints on a page.", default=50))


class ConsistencyQuery(Form):
    """Which two trees."""

    first = WrittenWhole(
        required=True, validate=between(1, LARGEST), metadata=_says("Size of the earlier tree: of the checkpoint you kept.")
    )
    second = WrittenWhole(required=True, validate=between(1, LARGEST), metadata=_says("Size of the later tree."))


class InclusionQuery(Form):
    """Which tree."""

    size = WrittenWhole(required=True, validate=between(1, LARGEST), metadata=_says("Size of the tree: of a checkpoint."))


Move = {
    "type": "object",
    "description": "A move as `GET /v1/games/{game}` describes it, or one of `legal_moves` as it stands.",
    "properties": {"type": {"type": "string", "minLength": 1, "maxLength": 64}},
    "required": ["type"],
    "additionalProperties": True,
}
Moves = {
    "type": "object",
    "description": "Several moves that are made as one: all or none.",
    "properties": {"moves": {"type": "array", "items": {"$ref": "#/components/schemas/Move"}, "minItems": 1, "maxItems": MOST_MOVES}},
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
