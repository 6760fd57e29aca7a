"""Queries of the log, and cosignatures."""

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas.fields import RequestSchema, matching
from kontor_games.api.schemas.patterns import SIGNATURE_LINES


class CheckpointsQuery(RequestSchema):
    """Which checkpoints to list."""

    cursor = req.cursor()
    limit = req.limit("Maximum number of checkpoints on a page.", 50, 200)


class ConsistencyQuery(RequestSchema):
    """The two trees to compare."""

    first = req.query_integer(
        "Size of the earlier tree, such as that of a checkpoint you stored.", req.VERSION
    )
    second = req.query_integer("Size of the later tree.", req.VERSION)


class InclusionQuery(RequestSchema):
    """The tree for which to prove inclusion."""

    size = req.query_integer("Size of the tree, taken from a checkpoint.", req.VERSION)


class Cosigning(RequestSchema):
    """Cosignatures of a checkpoint, as a witness makes them (C2SP tlog-cosignature)."""

    size = req.integer("Size of the checkpoint.", req.VERSION)
    signatures = req.text(
        "Signature lines of a signed note, each ending with a line break: `— name Base64`.",
        matching(SIGNATURE_LINES, "signature lines of a note, each with its line break"),
    )
