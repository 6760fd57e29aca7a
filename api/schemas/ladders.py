"""Ladders, ratings and lists of players: requests and responses."""

from kontor_games.api.schemas import request_fields as asked
from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.fields import QueryBoolean, RequestSchema, ResponseSchema, one_of
from kontor_games.api.schemas.players import Player
from kontor_games.domain.ladders import KINDS


class RatingsQuery(RequestSchema):
    """Which ladder to return."""

    game = asked.game("The game.")
    kind = asked.text("The ladder of people or of programs.", one_of(*KINDS), load_default="people")
    cursor = asked.cursor()
    limit = asked.limit("Maximum number of players on a page.", 50, 200)


class PlayersQuery(RequestSchema):
    """Which players to list."""

    q = asked.text(
        "Only players whose names begin with this text; case does not matter.", asked.NAME, load_default=None
    )
    online = asked.field(
        QueryBoolean,
        "Only players with a call in the last five minutes or an open stream.",
        load_default=False,
    )
    bot = asked.field(QueryBoolean, "Only programs, or only people.", **asked.NULLABLE)
    cursor = asked.cursor()
    limit = asked.limit("Maximum number of players on a page.", 50, 200)


class LadderFigures(ResponseSchema):
    """The position of a player in a ladder (docs/ratings.md)."""

    rank = shown.integer("Rank by `conservative`, from 1; equal figures share a rank.")
    mean = shown.number("Estimated strength; 25 for a new player.")
    deviation = shown.number("Standard deviation of the estimate.")
    conservative = shown.number("`mean` minus three times `deviation`.")
    matches = shown.integer("How many matches count.")
    at = shown.text("When the last of them ended.", **shown.MOMENT)


class LadderEntry(LadderFigures):
    """One line of a ladder."""

    player = shown.nested(Player)


class LadderPage(ResponseSchema):
    """One page of a ladder, the strongest first."""

    game = shown.text("The game.")
    kind = shown.text("The ladder: people or programs.")
    ratings = shown.list_of(LadderEntry, "The players.")
    next = shown.text("Cursor of the next page; null on the last page.", allow_none=True)


class RatingPoint(ResponseSchema):
    """The rating of a player after a match."""

    match = shown.text("Id of the match.", **shown.ID)
    at = shown.text("When the match ended.", **shown.MOMENT)
    place = shown.integer("The place of the player.")
    mean = shown.number("Estimated strength after the match.")
    deviation = shown.number("Its standard deviation.")


class PlayerRating(LadderFigures):
    """A player in one ladder."""

    game = shown.text("The game.")
    kind = shown.text("The ladder: people or programs.")
    history = shown.list_of(RatingPoint, "The last 200 matches that count, oldest first.")


class ListedPlayer(Player):
    """A player in a list."""

    online = shown.boolean("Whether the player made a call in the last five minutes or has an open stream.")


class PlayerProfile(ListedPlayer):
    """A player with their ratings."""

    ratings = shown.list_of(PlayerRating, "Ratings by game.")


class PlayerPage(ResponseSchema):
    """One page of players, in the order of their names."""

    players = shown.list_of(ListedPlayer, "The players.")
    next = shown.text("Cursor of the next page; null on the last page.", allow_none=True)
