"""The log of checkpoints: queries and cosignatures."""

from kontor_games.api.schemas.fields import QueryInteger, RequestSchema, StrictInteger, matching
from kontor_games.api.schemas.patterns import SIGNATURE_LINES
from kontor_games.api.schemas.request_fields import (
    VERSION,
    cursor_field,
    limit_field,
    request_field,
    request_text,
)


class CheckpointsQuery(RequestSchema):
    """Which checkpoints to list."""

    cursor = cursor_field()
    limit = limit_field("Maximum number of checkpoints on a page.", 50, 200)


class ConsistencyQuery(RequestSchema):
    """The two trees to compare."""

    first = request_field(QueryInteger, "Size of the earlier tree: that of the checkpoint you kept.", VERSION)
    second = request_field(QueryInteger, "Size of the later tree.", VERSION)


class InclusionQuery(RequestSchema):
    """The tree for which to prove inclusion."""

    size = request_field(QueryInteger, "Size of the tree: that of a checkpoint.", VERSION)


class Cosigning(RequestSchema):
    """Cosignatures of a checkpoint, as a witness makes them (C2SP tlog-cosignature)."""

    size = request_field(StrictInteger, "Size of the checkpoint.", VERSION)
    signatures = request_text(
        "Signature lines of a note, each with its line break: `— name Base64`.",
        matching(SIGNATURE_LINES, "signature lines of a note, each with its line break"),
    )
