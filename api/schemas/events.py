"""Queries of event streams and of pages of events."""

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas.fields import RequestSchema


class EventsQuery(RequestSchema):
    """Which facts of a match to return."""

    after = req.after()
    limit = req.limit("Maximum number of facts on a JSON page.", 200, 1000)
    wait = req.wait()
    turns = req.turns()
    records = req.records()
    tell = req.tell()


class MyEventsQuery(RequestSchema):
    """Which facts of all your matches to return."""

    after = req.cursor()
    wait = req.wait()
    turns = req.turns()
    tell = req.tell()
