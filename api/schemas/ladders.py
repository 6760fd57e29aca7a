"""Ladders, ratings and lists of players: requests and responses."""

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import QueryBoolean, RequestSchema, ResponseSchema, one_of
from kontor_games.api.schemas.players import Player
from kontor_games.domain.ladders import KINDS


class RatingsQuery(RequestSchema):
    """Which ladder to return."""

    game = req.game("The game.")
    kind = req.text("The ladder of people or of programs.", one_of(*KINDS), load_default="people")
    cursor = req.cursor()
    limit = req.limit("Maximum number of players on a page.", 50, 200)


class PlayersQuery(RequestSchema):
    """Which players to list."""

    q = req.text(
        "Only players whose names begin with this text; case does not matter.", req.NAME, load_default=None
    )
    online = req.query_flag(
        "Only players who sent a request in the last five minutes or have an open stream."
    )
    bot = req.field(QueryBoolean, "`true`: only programs; `false`: only people.", **req.NULLABLE)
    cursor = req.cursor()
    limit = req.limit("Maximum number of players on a page.", 50, 200)


class LadderFigures(ResponseSchema):
    """The position of a player in a ladder (docs/ratings.md)."""

    rank = res.integer("Rank by `conservative`, from 1; players with equal values share a rank.")
    mean = res.number("Estimated strength; 25 for a new player.")
    deviation = res.number("Standard deviation of the estimate.")
    conservative = res.number("The rating: `mean` minus three times `deviation`.")
    matches = res.integer("Number of rated matches.")
    at = res.moment("Time at which the last rated match ended.")


class LadderEntry(LadderFigures):
    """One line of a ladder."""

    player = res.nested(Player)


class LadderPage(ResponseSchema):
    """One page of a ladder, the strongest first."""

    game = res.text("The game.")
    kind = res.text("The ladder: people or programs.")
    ratings = res.list_of(LadderEntry, "The players.")
    next = res.text("Cursor of the next page; null on the last page.", allow_none=True)


class RatingPoint(ResponseSchema):
    """The rating of a player after a match."""

    match = res.text("Id of the match.", **res.ID)
    at = res.moment("Time at which the match ended.")
    place = res.integer("Place of the player in the match; 1 is best.")
    mean = res.number("Estimated strength after the match.")
    deviation = res.number("Standard deviation of the estimate.")


class PlayerRating(LadderFigures):
    """A player in one ladder."""

    game = res.text("The game.")
    kind = res.text("The ladder: people or programs.")
    history = res.list_of(RatingPoint, "The last 200 rated matches, oldest first.")


class ListedPlayer(Player):
    """A player in a list."""

    online = res.boolean("Whether the player sent a request in the last five minutes or has an open stream.")


class PlayerProfile(ListedPlayer):
    """A player with their ratings."""

    ratings = res.list_of(PlayerRating, "Ratings by game.")


class PlayerPage(ResponseSchema):
    """One page of players, in the order of their names."""

    players = res.list_of(ListedPlayer, "The players.")
    next = res.text("Cursor of the next page; null on the last page.", allow_none=True)
