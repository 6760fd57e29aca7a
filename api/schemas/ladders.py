"""Ladders, ratings and lists of players: requests and responses."""

from marshmallow import fields

from kontor_games.api.schemas.fields import (
    QueryBoolean,
    RequestSchema,
    ResponseSchema,
    length,
    one_of,
    response_field,
)
from kontor_games.api.schemas.patterns import WITHOUT_NUL
from kontor_games.api.schemas.players import Player
from kontor_games.api.schemas.request_fields import cursor_field, game_field, limit_field
from kontor_games.api.schemas.response_fields import ID, MOMENT
from kontor_games.domain.ladders import KINDS
from kontor_games.service.people.names import LONGEST_NAME


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
        metadata={
            "description": "Only players whose names begin with this text; case does not matter.",
            "pattern": WITHOUT_NUL,
        },
    )
    online = QueryBoolean(
        load_default=False,
        metadata={"description": "Only players with a call in the last five minutes or an open stream."},
    )
    bot = QueryBoolean(
        load_default=None, metadata={"description": "Only programs, or only people."}, allow_none=True
    )
    cursor = cursor_field()
    limit = limit_field("Maximum number of players on a page.", 50, 200)


class LadderFigures(ResponseSchema):
    """The position of a player in a ladder (docs/ratings.md)."""

    rank = response_field(fields.Integer, "Rank by `conservative`, from 1; equal figures share a rank.")
    mean = response_field(fields.Float, "Estimated strength; 25 for a new player.")
    deviation = response_field(fields.Float, "Standard deviation of the estimate.")
    conservative = response_field(fields.Float, "`mean` minus three times `deviation`.")
    matches = response_field(fields.Integer, "How many matches count.")
    at = response_field(fields.String, "When the last of them ended.", **MOMENT)


class LadderEntry(LadderFigures):
    """One line of a ladder."""

    player = response_field(fields.Nested, "", Player)


class LadderPage(ResponseSchema):
    """One page of a ladder, the strongest first."""

    game = response_field(fields.String, "The game.")
    kind = response_field(fields.String, "The ladder: people or programs.")
    ratings = response_field(fields.List, "The players.", fields.Nested(LadderEntry))
    next = response_field(fields.String, "Cursor of the next page; null on the last page.", allow_none=True)


class RatingPoint(ResponseSchema):
    """The rating of a player after a match."""

    match = response_field(fields.String, "Id of the match.", **ID)
    at = response_field(fields.String, "When the match ended.", **MOMENT)
    place = response_field(fields.Integer, "The place of the player.")
    mean = response_field(fields.Float, "Estimated strength after the match.")
    deviation = response_field(fields.Float, "Its standard deviation.")


class PlayerRating(LadderFigures):
    """A player in one ladder."""

    game = response_field(fields.String, "The game.")
    kind = response_field(fields.String, "The ladder: people or programs.")
    history = response_field(
        fields.List, "The last 200 matches that count, oldest first.", fields.Nested(RatingPoint)
    )


class ListedPlayer(Player):
    """A player in a list."""

    online = response_field(
        fields.Boolean, "Whether the player made a call in the last five minutes or has an open stream."
    )


class PlayerProfile(ListedPlayer):
    """A player with their ratings."""

    ratings = response_field(fields.List, "Ratings by game.", fields.Nested(PlayerRating))


class PlayerPage(ResponseSchema):
    """One page of players, in the order of their names."""

    players = response_field(fields.List, "The players.", fields.Nested(ListedPlayer))
    next = response_field(fields.String, "Cursor of the next page; null on the last page.", allow_none=True)
