"""Queries of ladders and lists of players."""

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas.fields import QueryBoolean, RequestSchema, one_of
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
