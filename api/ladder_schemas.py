"""What clients ask for and get about ratings, players and seeks."""

from typing import Any

from marshmallow import fields

from kontor_games.api.fields import RequestSchema, ResponseSchema, WrittenFlag, described, length, one_of
from kontor_games.api.request_schemas import cursor_field, game_field, limit_field
from kontor_games.api.response_schemas import Player
from kontor_games.domain.ladders import KINDS
from kontor_games.service.people.names import LONGEST_NAME

_ID: dict[str, Any] = {"format": "uuid", "examples": ["0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"]}
_MOMENT: dict[str, Any] = {"format": "date-time", "examples": ["2026-03-01T12:00:00.000Z"]}


class RatingsQuery(RequestSchema):
    """Which ladder to return."""

    game = game_field("The game.")
    kind = fields.String(
        load_default="people",
        validate=one_of(*KINDS),
        metadata={"description": "The ladder of people or of programs."},
    )
    cursor = cursor_field()
    limit = limit_field("Maximum number of players on a page.", 50, 200)


class PlayersQuery(RequestSchema):
    """Which players to list."""

    q = fields.String(
        load_default=None,
        validate=length(1, LONGEST_NAME),
        metadata={"description": "Only players whose names begin with this text; case does not matter."},
    )
    online = WrittenFlag(
        load_default=False,
        metadata={"description": "Only players who called in the last five minutes or hold a stream."},
    )
    bot = WrittenFlag(
        load_default=None, metadata={"description": "Only programs, or only people."}, allow_none=True
    )
    cursor = cursor_field()
    limit = limit_field("Maximum number of players on a page.", 50, 200)


class Standing(ResponseSchema):
    """Where a player stands in a ladder (docs/ratings.md)."""

    rank = described(fields.Integer, "Rank by `conservative`, from 1; equal figures share a rank.")
    mean = described(fields.Float, "Estimated strength; 25 for a beginner.")
    deviation = described(fields.Float, "Standard deviation of the estimate.")
    conservative = described(fields.Float, "`mean` minus three times `deviation`.")
    matches = described(fields.Integer, "How many matches count.")
    at = described(fields.String, "When the last of them ended.", **_MOMENT)


class LadderEntry(Standing):
    """One line of a ladder."""

    player = described(fields.Nested, "", Player)


class LadderPage(ResponseSchema):
    """One page of a ladder, the strongest first."""

    game = described(fields.String, "The game.")
    kind = described(fields.String, "The ladder: people or programs.")
    ratings = described(fields.List, "The players.", fields.Nested(LadderEntry))
    next = described(fields.String, "Cursor of the next page; null on the last page.", allow_none=True)


class RatingPoint(ResponseSchema):
    """The rating of a player after a match."""

    match = described(fields.String, "Id of the match.", **_ID)
    at = described(fields.String, "When the match ended.", **_MOMENT)
    place = described(fields.Integer, "The place of the player.")
    mean = described(fields.Float, "Estimated strength after the match.")
    deviation = described(fields.Float, "Its standard deviation.")


class PlayerRating(Standing):
    """A player in one ladder."""

    game = described(fields.String, "The game.")
    kind = described(fields.String, "The ladder: people or programs.")
    history = described(
        fields.List, "The last 200 matches that count, oldest first.", fields.Nested(RatingPoint)
    )


class ListedPlayer(Player):
    """A player in a list."""

    online = described(
        fields.Boolean, "Whether the player called in the last five minutes or holds a stream."
    )


class PlayerProfile(ListedPlayer):
    """A player with their ratings."""

    ratings = described(fields.List, "Ratings by game.", fields.Nested(PlayerRating))


class PlayerPage(ResponseSchema):
    """One page of players, in the order of their names."""

    players = described(fields.List, "The players.", fields.Nested(ListedPlayer))
    next = described(fields.String, "Cursor of the next page; null on the last page.", allow_none=True)
