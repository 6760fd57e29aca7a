"""Event streams and pages of events."""

from marshmallow import fields

from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema
from kontor_games.api.schemas.matches import MatchSummary
from kontor_games.api.schemas.request_fields import (
    after_field,
    cursor_field,
    limit_field,
    tell_field,
    turns_field,
    wait_field,
)
from kontor_games.api.schemas.response_fields import (
    ID,
    MOMENT,
    extensible_enum_field,
    integer_field,
    list_field,
    object_field,
    text_field,
)


class EventsQuery(RequestSchema):
    """Which facts of a match to return."""

    after = after_field()
    limit = limit_field("Maximum number of facts on a JSON page.", 200, 1000)
    wait = wait_field()
    turns = turns_field()
    tell = tell_field()


class MyEventsQuery(RequestSchema):
    """Which facts of all your matches to return."""

    after = cursor_field()
    wait = wait_field()
    turns = turns_field()
    tell = tell_field()


class Event(ResponseSchema):
    """A fact of a match."""

    version = integer_field("Version of the fact: its number within the match, from 1.")
    at = text_field("Time of the fact.", **MOMENT)
    by = text_field("Id of the player whose command caused the fact, or `house` for the service itself.")
    fact = object_field("The fact as you may see it now.")
    text = text_field(
        "With `tell`: a sentence about the fact; null where there is nothing to say.",
        required=False,
        allow_none=True,
    )


class EventPage(ResponseSchema):
    """Some facts of a match."""

    match = text_field("Id of the match.", **ID)
    status = extensible_enum_field("Status of the match.", "open", "running", "finished", "aborted")
    version = integer_field("Current version of the match.")
    events = list_field(fields.Nested(Event), "The facts, in order.")
    next = integer_field(
        "Send it as `after` to read on; null if the match is over and there are no more facts.",
        allow_none=True,
    )


class MyEvent(Event):
    """A fact of one of your matches."""

    match = text_field("Id of the match.", **ID)


class MyEventPage(ResponseSchema):
    """New facts of your matches."""

    matches = list_field(fields.Nested(MatchSummary), "Your matches that are not over.")
    events = list_field(fields.Nested(MyEvent), "The facts, in order within each match.")
    next = text_field("Send it as `after` to read on.")
