"""Queries of matches."""

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas.fields import RequestSchema, matching, one_of
from kontor_games.api.schemas.patterns import TAG, TAG_FORM


class TellQuery(RequestSchema):
    """Whether the response contains texts, and in which language."""

    tell = req.tell()


class VersionQuery(RequestSchema):
    """Which version of a match to return."""

    version = req.query_integer(
        "Return the match as you could see it at this version.", req.VERSION, load_default=None
    )
    truth = req.query_flag(
        "Include everything that was hidden at that version. Refused while the match is not over."
    )
    tell = req.tell()


class MatchesQuery(RequestSchema):
    """Which matches to list."""

    game = req.text("Only matches of this game.", req.GAME, load_default=None)
    status = req.text(
        "Only matches with this status.", one_of("open", "running", "finished", "aborted"), load_default=None
    )
    player = req.id_of("Only matches in which this player takes part.", load_default=None)
    creator = req.id_of("Only matches that this player created.", load_default=None)
    tournament = req.id_of("Only matches of this tournament.", load_default=None)
    tag = req.text("Only matches with this tag.", matching(TAG, TAG_FORM), load_default=None)
    rated = req.query_flag("`true`: only rated matches; `false`: only unrated ones.", default=None)
    cursor = req.cursor()
    limit = req.limit("Maximum number of matches on a page.", 50, 200)
