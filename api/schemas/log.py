"""The log of checkpoints: queries and cosignatures."""

from kontor_games.api.schemas import request_fields as asked
from kontor_games.api.schemas.fields import QueryInteger, RequestSchema, StrictInteger, matching
from kontor_games.api.schemas.patterns import SIGNATURE_LINES


class CheckpointsQuery(RequestSchema):
    """Which checkpoints to list."""

    cursor = asked.cursor()
    limit = asked.limit("Maximum number of checkpoints on a page.", 50, 200)


class ConsistencyQuery(RequestSchema):
    """The two trees to compare."""

    first = asked.field(
        QueryInteger, "Size of the earlier tree: that of the checkpoint you kept.", asked.VERSION
    )
    second = asked.field(QueryInteger, "Size of the later tree.", asked.VERSION)


class InclusionQuery(RequestSchema):
    """The tree for which to prove inclusion."""

    size = asked.field(QueryInteger, "Size of the tree: that of a checkpoint.", asked.VERSION)


class Cosigning(RequestSchema):
    """Cosignatures of a checkpoint, as a witness makes them (C2SP tlog-cosignature)."""

    size = asked.field(StrictInteger, "Size of the checkpoint.", asked.VERSION)
    signatures = asked.text(
        "Signature lines of a note, each with its line break: `— name Base64`.",
        matching(SIGNATURE_LINES, "signature lines of a note, each with its line break"),
    )
