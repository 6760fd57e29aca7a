"""Replays: positions of a match, and the patches between their views."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as asked
from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.fields import QueryInteger, RequestSchema, ResponseSchema, matching
from kontor_games.api.schemas.patterns import MOST_POSITIONS


class PositionsQuery(RequestSchema):
    """Which positions of a match to return, and as which viewer sees them."""

    first = asked.field(
        QueryInteger,
        "The first version; by default the beginning of the match.",
        asked.VERSION,
        load_default=1,
        data_key="from",
    )
    last = asked.field(
        QueryInteger,
        "The last version; by default the newest one.",
        asked.VERSION,
        load_default=None,
        data_key="to",
    )
    viewer = asked.text(
        "Whose view to return: the number of a seat, `spectator`, or `arbiter`, who sees everything. "
        "By default your own view. "
        "Until the match is over, you can only ask for your own view and for that of a spectator.",
        matching("(spectator|arbiter|[0-9]|1[0-5])", "the number of a seat, `spectator` or `arbiter`"),
        load_default=None,
    )
    limit = asked.limit("Maximum number of positions.", MOST_POSITIONS, MOST_POSITIONS)
    tell = asked.tell()


class PatchOperation(ResponseSchema):
    """One operation of a JSON Patch."""

    op = shown.word("What to do with the value at `path`.", "add", "replace", "remove")
    path = shown.text("JSON Pointer to the value; `-` as its last step is the end of a list.")
    value = shown.field(fields.Raw, "The new value; absent with `remove`.", required=False)


class ReplayPosition(ResponseSchema):
    """A command of a match, and where the match stood after it."""

    version = shown.integer("Version of the match after the command.")
    first = shown.integer("Version of the first of its facts.")
    at = shown.text("Time of the command.", **shown.MOMENT)
    by = shown.text("Id of the player who sent the command, or `house` for the service itself.")
    seat = shown.integer("The seat that acted; null if none did.", allow_none=True)
    facts = shown.list_of(
        shown.typed_object(),
        "The facts that the command caused, in order, as the viewer could see them then.",
    )
    texts = shown.sentences()
    status = shown.word("Status of the match.", "open", "running", "finished", "aborted")
    to_act = shown.list_of(fields.Integer(), "The seats that had to move.")
    remaining_ms = shown.field(
        fields.List,
        "The time that each seat had left; null in a match without a clock.",
        fields.Integer(),
        allow_none=True,
    )
    view = shown.field(
        fields.Raw,
        "What the viewer could see of the game; null before the match started. Absent if there is a `patch`.",
        required=False,
        type=["object", "null"],
        additionalProperties=True,
    )
    patch = shown.list_of(
        PatchOperation,
        "JSON Patch (RFC 6902) that turns the previous view into the view of this position. "
        "Absent if there is a `view`.",
        required=False,
    )


class Replay(ResponseSchema):
    """Positions of a match, one after each command."""

    match = shown.text("Id of the match.", **shown.ID)
    status = shown.word("Current status of the match.", "open", "running", "finished", "aborted")
    version = shown.integer("Current version of the match.")
    names = shown.seat_names()
    positions = shown.list_of(
        ReplayPosition,
        "The positions in order. The first has a `view`, the others have a `patch` of the previous view.",
    )
    next = shown.integer(
        "Send it as `from` to read on; null if there are no more positions in the range.", allow_none=True
    )
