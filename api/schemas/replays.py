"""Replays: positions of a match, and the patches between their views."""

from marshmallow import fields

from kontor_games.api.schemas.fields import (
    QueryInteger,
    RequestSchema,
    ResponseSchema,
    matching,
    response_field,
)
from kontor_games.api.schemas.patterns import MOST_POSITIONS
from kontor_games.api.schemas.request_fields import (
    VERSION,
    limit_field,
    request_field,
    request_text,
    tell_field,
)
from kontor_games.api.schemas.response_fields import (
    ID,
    MOMENT,
    extensible_enum_field,
    integer_field,
    list_field,
    seat_names_field,
    sentences_field,
    text_field,
    typed_object_field,
)


class PositionsQuery(RequestSchema):
    """Which positions of a match to return, and as which viewer sees them."""

    first = request_field(
        QueryInteger,
        "The first version; by default the beginning of the match.",
        VERSION,
        load_default=1,
        data_key="from",
    )
    last = request_field(
        QueryInteger,
        "The last version; by default the newest one.",
        VERSION,
        load_default=None,
        data_key="to",
    )
    viewer = request_text(
        "Whose view to return: the number of a seat, `spectator`, or `arbiter`, who sees everything. "
        "By default your own view. "
        "Until the match is over, you can only ask for your own view and for that of a spectator.",
        matching("(spectator|arbiter|[0-9]|1[0-5])", "the number of a seat, `spectator` or `arbiter`"),
        load_default=None,
    )
    limit = limit_field("Maximum number of positions.", MOST_POSITIONS, MOST_POSITIONS)
    tell = tell_field()


class PatchOperation(ResponseSchema):
    """One operation of a JSON Patch."""

    op = extensible_enum_field("What to do with the value at `path`.", "add", "replace", "remove")
    path = text_field("JSON Pointer to the value; `-` as its last step is the end of a list.")
    value = response_field(fields.Raw, "The new value; absent with `remove`.", required=False)


class ReplayPosition(ResponseSchema):
    """A command of a match, and where the match stood after it."""

    version = integer_field("Version of the match after the command.")
    first = integer_field("Version of the first of its facts.")
    at = text_field("Time of the command.", **MOMENT)
    by = text_field("Id of the player who sent the command, or `house` for the service itself.")
    seat = integer_field("The seat that acted; null if none did.", allow_none=True)
    facts = list_field(
        typed_object_field(),
        "The facts that the command caused, in order, as the viewer could see them then.",
    )
    texts = sentences_field()
    status = extensible_enum_field("Status of the match.", "open", "running", "finished", "aborted")
    to_act = list_field(fields.Integer(), "The seats that had to move.")
    remaining_ms = response_field(
        fields.List,
        "The time that each seat had left; null in a match without a clock.",
        fields.Integer(),
        allow_none=True,
    )
    view = response_field(
        fields.Raw,
        "What the viewer could see of the game; null before the match started. Absent if there is a `patch`.",
        required=False,
        type=["object", "null"],
        additionalProperties=True,
    )
    patch = list_field(
        fields.Nested(PatchOperation),
        "JSON Patch (RFC 6902) that turns the previous view into the view of this position. "
        "Absent if there is a `view`.",
        required=False,
    )


class Replay(ResponseSchema):
    """Positions of a match, one after each command."""

    match = text_field("Id of the match.", **ID)
    status = extensible_enum_field("Current status of the match.", "open", "running", "finished", "aborted")
    version = integer_field("Current version of the match.")
    names = seat_names_field()
    positions = list_field(
        fields.Nested(ReplayPosition),
        "The positions in order. The first has a `view`, the others have a `patch` of the previous view.",
    )
    next = integer_field(
        "Send it as `from` to read on; null if there are no more positions in the range.", allow_none=True
    )
