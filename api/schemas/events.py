"""Event streams and pages of events."""

from marshmallow import fields

from kontor_games.api.schemas.fields import QueryInteger, RequestSchema, ResponseSchema, between
from kontor_games.api.schemas.matches import MatchSummary
from kontor_games.api.schemas.patterns import LONGEST_WAIT_S
from kontor_games.api.schemas.request_fields import (
    cursor_field,
    limit_field,
    request_field,
    tell_field,
    turns_field,
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
from kontor_games.domain.plain import LARGEST


class EventsQuery(RequestSchema):
    """Which facts of a match to return."""

    after = request_field(
        QueryInteger,
        "Return only facts after this version. The header `Last-Event-ID` takes precedence.",
        between(0, LARGEST),
        load_default=None,
    )
    limit = limit_field("Maximum number of facts on a JSON page.", 200, 1000)
    wait = request_field(
        QueryInteger,
        "Seconds to wait for new facts (JSON), or to keep a stream open "
        "(default: as long as the service allows).",
        between(0, LONGEST_WAIT_S),
        load_default=None,
    )
    turns = turns_field()
    tell = tell_field()


class MyEventsQuery(RequestSchema):
    """Which facts of all your matches to return."""

    after = cursor_field()
    wait = EventsQuery._declared_fields["wait"]
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
