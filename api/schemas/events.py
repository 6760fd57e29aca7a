"""Event streams and pages of events."""

from kontor_games.api.schemas import request_fields as asked
from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema
from kontor_games.api.schemas.matches import MatchSummary


class EventsQuery(RequestSchema):
    """Which facts of a match to return."""

    after = asked.after()
    limit = asked.limit("Maximum number of facts on a JSON page.", 200, 1000)
    wait = asked.wait()
    turns = asked.turns()
    tell = asked.tell()


class MyEventsQuery(RequestSchema):
    """Which facts of all your matches to return."""

    after = asked.cursor()
    wait = asked.wait()
    turns = asked.turns()
    tell = asked.tell()


class Event(ResponseSchema):
    """A fact of a match."""

    version = shown.integer("Version of the fact: its number within the match, from 1.")
    at = shown.text("Time of the fact.", **shown.MOMENT)
    by = shown.text("Id of the player whose command caused the fact, or `house` for the service itself.")
    fact = shown.plain_object("The fact as you may see it now.")
    text = shown.text(
        "With `tell`: a sentence about the fact; null where there is nothing to say.",
        required=False,
        allow_none=True,
    )


class EventPage(ResponseSchema):
    """Some facts of a match."""

    match = shown.text("Id of the match.", **shown.ID)
    status = shown.word("Status of the match.", "open", "running", "finished", "aborted")
    version = shown.integer("Current version of the match.")
    events = shown.list_of(Event, "The facts, in order.")
    next = shown.integer(
        "Send it as `after` to read on; null if the match is over and there are no more facts.",
        allow_none=True,
    )


class MyEvent(Event):
    """A fact of one of your matches."""

    match = shown.text("Id of the match.", **shown.ID)


class MyEventPage(ResponseSchema):
    """New facts of your matches."""

    matches = shown.list_of(MatchSummary, "Your matches that are not over.")
    events = shown.list_of(MyEvent, "The facts, in order within each match.")
    next = shown.text("Send it as `after` to read on.")
