"""Event streams and pages of events."""

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema
from kontor_games.api.schemas.matches import MatchSummary


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


class Event(ResponseSchema):
    """A fact of a match."""

    version = res.integer("Version of the fact: its number within the match, from 1.")
    at = res.moment("Time of the fact.")
    by = res.text("Id of the player whose command caused the fact; `house` for the service.")
    fact = res.plain_object("The fact as you may see it now.")
    text = res.text(
        "With `tell`: a sentence that describes the fact; null for facts without a description.",
        required=False,
        allow_none=True,
    )


class RecordedEvent(Event):
    """A fact of a match, with its record if requested."""

    record = res.plain_object(
        "With `records=true`: the line of the fact in your export (docs/export.md) without a receipt. From it"
        " you can compute the hash chain up to `head`, and check the hidden values that you may see.",
        required=False,
    )


class EventPage(ResponseSchema):
    """Some facts of a match."""

    match = res.text("Id of the match.", **res.ID)
    status = res.word("Status of the match.", "open", "running", "finished", "aborted")
    version = res.integer("Current version of the match.")
    events = res.list_of(RecordedEvent, "The facts, in order.")
    next = res.integer(
        "The value of `after` for the next page; null if the match is over and there are no more facts.",
        allow_none=True,
    )


class MyEvent(Event):
    """A fact of one of your matches."""

    match = res.text("Id of the match.", **res.ID)


class MyEventPage(ResponseSchema):
    """New facts of your matches."""

    matches = res.list_of(MatchSummary, "Your matches that are not over.")
    events = res.list_of(MyEvent, "The facts, in order within each match.")
    next = res.text("The value of `after` for the next page.")
