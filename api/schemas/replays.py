"""Replays: positions of a match, and the patches between their views."""

from marshmallow import fields

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema, matching
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


class PatchOperation(ResponseSchema):
    """One operation of a JSON Patch."""

    op = res.word("What to do with the value at `path`.", "add", "replace", "remove")
    path = res.text("JSON Pointer to the value; a last step `-` means the end of a list.")
    value = res.field(fields.Raw, "The new value; absent with `remove`.", required=False)


class ReplayPosition(ResponseSchema):
    """A command of a match, and the position after it."""

    version = res.integer("Version of the match after the command.")
    first = res.integer("Version of the first of its facts.")
    at = res.moment("Time of the command.")
    by = res.text("Id of the player who sent the command; `house` for the service.")
    seat = res.integer("The seat that acted; null if none did.", allow_none=True)
    facts = res.list_of(
        res.typed_object(),
        "The facts that the command caused, in order, as the viewer could see them then.",
    )
    texts = res.sentences()
    status = res.word("Status of the match.", "open", "running", "finished", "aborted")
    to_act = res.list_of(fields.Integer(), "The seats that had to move next.")
    remaining_ms = res.list_of(
        fields.Integer(),
        "Remaining time of each seat, in milliseconds; null in a match without a clock.",
        allow_none=True,
    )
    view = res.plain_object(
        "What the viewer could see of the game; null before the match started. Absent if there is a `patch`.",
        nullable=True,
        required=False,
    )
    patch = res.list_of(
        PatchOperation,
        "JSON Patch (RFC 6902) that turns the previous view into the view of this position. "
        "Absent if there is a `view`.",
        required=False,
    )


class Replay(ResponseSchema):
    """Positions of a match, one after each command."""

    match = res.text("Id of the match.", **res.ID)
    status = res.word("Current status of the match.", "open", "running", "finished", "aborted")
    version = res.integer("Current version of the match.")
    names = res.seat_names()
    positions = res.list_of(
        ReplayPosition,
        "The positions in order. The first has a `view`, the others have a `patch` to the previous view.",
    )
    next = res.integer(
        "The value of `from` for the next page; null if there are no more positions in the range.",
        allow_none=True,
    )
