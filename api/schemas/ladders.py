"""Ladders, ratings and lists of players: requests and responses."""

from marshmallow import fields

from kontor_games.api.schemas.fields import QueryBoolean, RequestSchema, ResponseSchema, one_of
from kontor_games.api.schemas.players import Player
from kontor_games.api.schemas.request_fields import (
    NAME,
    NULLABLE,
    cursor_field,
    game_field,
    limit_field,
    request_field,
    request_text,
)
from kontor_games.api.schemas.response_fields import (
    ID,
    MOMENT,
    boolean_field,
    integer_field,
    list_field,
    nested_field,
    number_field,
    text_field,
)
from kontor_games.domain.ladders import KINDS


class RatingsQuery(RequestSchema):
    """Which ladder to return."""

    game = game_field("The game.")
    kind = request_text("The ladder of people or of programs.", one_of(*KINDS), load_default="people")
    cursor = cursor_field()
    limit = limit_field("Maximum number of players on a page.", 50, 200)


class PlayersQuery(RequestSchema):
    """Which players to list."""

    q = request_text(
        "Only players whose names begin with this text; case does not matter.", NAME, load_default=None
    )
    online = request_field(
        QueryBoolean,
        "Only players with a call in the last five minutes or an open stream.",
        load_default=False,
    )
    bot = request_field(QueryBoolean, "Only programs, or only people.", **NULLABLE)
    cursor = cursor_field()
    limit = limit_field("Maximum number of players on a page.", 50, 200)


class LadderFigures(ResponseSchema):
    """The position of a player in a ladder (docs/ratings.md)."""

    rank = integer_field("Rank by `conservative`, from 1; equal figures share a rank.")
    mean = number_field("Estimated strength; 25 for a new player.")
    deviation = number_field("Standard deviation of the estimate.")
    conservative = number_field("`mean` minus three times `deviation`.")
    matches = integer_field("How many matches count.")
    at = text_field("When the last of them ended.", **MOMENT)


class LadderEntry(LadderFigures):
    """One line of a ladder."""

    player = nested_field(Player)


class LadderPage(ResponseSchema):
    """One page of a ladder, the strongest first."""

    game = text_field("The game.")
    kind = text_field("The ladder: people or programs.")
    ratings = list_field(fields.Nested(LadderEntry), "The players.")
    next = text_field("Cursor of the next page; null on the last page.", allow_none=True)


class RatingPoint(ResponseSchema):
    """The rating of a player after a match."""

    match = text_field("Id of the match.", **ID)
    at = text_field("When the match ended.", **MOMENT)
    place = integer_field("The place of the player.")
    mean = number_field("Estimated strength after the match.")
    deviation = number_field("Its standard deviation.")


class PlayerRating(LadderFigures):
    """A player in one ladder."""

    game = text_field("The game.")
    kind = text_field("The ladder: people or programs.")
    history = list_field(fields.Nested(RatingPoint), "The last 200 matches that count, oldest first.")


class ListedPlayer(Player):
    """A player in a list."""

    online = boolean_field("Whether the player made a call in the last five minutes or has an open stream.")


class PlayerProfile(ListedPlayer):
    """A player with their ratings."""

    ratings = list_field(fields.Nested(PlayerRating), "Ratings by game.")


class PlayerPage(ResponseSchema):
    """One page of players, in the order of their names."""

    players = list_field(fields.Nested(ListedPlayer), "The players.")
    next = text_field("Cursor of the next page; null on the last page.", allow_none=True)
