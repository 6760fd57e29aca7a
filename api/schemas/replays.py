"""Queries of replays."""

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas.fields import RequestSchema, matching
from kontor_games.api.schemas.patterns import MAX_POSITIONS


class PositionsQuery(RequestSchema):
    """Which positions of a match to return, and for which viewer."""

    first = req.query_integer(
        "The first version; by default the beginning of the match.",
        req.VERSION,
        load_default=1,
        data_key="from",
    )
    last = req.query_integer(
        "The last version; by default the newest one.", req.VERSION, load_default=None, data_key="to"
    )
    viewer = req.text(
        "Whose view to return: the number of a seat, `spectator`, or `arbiter`, who sees everything. "
        "By default your own view. "
        "Until the match is over, only your own view and that of a spectator are available.",
        matching("(spectator|arbiter|[0-9]|1[0-5])", "the number of a seat, `spectator` or `arbiter`"),
        load_default=None,
    )
    limit = req.limit("Maximum number of positions.", MAX_POSITIONS, MAX_POSITIONS)
    tell = req.tell()
