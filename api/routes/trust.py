"""Evidence: keys, exports, checkpoints with their proofs, and what the audits of everything have found."""

import struct

from flask import Response

from kontor_games.api import trust_response_schemas as schemas
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import PRIVATE, json_response, moment
from kontor_games.api.request import ANYONE, JSON, ApiRequest
from kontor_games.api.request_schemas import CheckpointsQuery, ConsistencyQuery, InclusionQuery
from kontor_games.service.cursor import read_cursor, write_cursor
from kontor_games.service.errors import NotFoundError
from kontor_games.service.trust.fairness_page import fairness_page, page_policy

routes = Routes(
    "trust",
    __name__,
    description="Evidence: signing keys, exports, checkpoints with proofs, results of audits.",
)
_NDJSON, _HTML = "application/x-ndjson", "text/html"
_BRIEFLY = "public, max-age=60"
_CURSOR = struct.Struct(">Q")


@routes.get(
    "/.well-known/kontor-keys.json",
    Reply(200, "All signing keys, past and present.", schemas.KeyList),
    who=ANYONE,
    problems=(503,),
)
def list_keys(request: ApiRequest) -> Response:
    """List the public keys for checking receipts, exports and checkpoints."""
    return json_response(
        {"keys": [key.plain() for key in request.kontor.signer.public_keys()]}, cache_control=_BRIEFLY
    )


@routes.get(
    "/v1/matches/<id:match_id>/export",
    Reply(
        200,
        "The export file; docs/export.md describes it.",
        {"type": "string"},
        (_NDJSON,),
        headers=("Content-Disposition",),
    ),
    cost="stream",
)
def export_match(request: ApiRequest, match_id: str) -> Response:
    """Export a match as one self-contained file, for `kontor verify` or your own verifier.

    If the match is over, the file is complete and the same for everyone who may see the match. If it is
    running, the file contains what you may see, and commitments to the rest.
    """
    content = request.kontor.exports.export(request.caller, match_id)
    response = Response(content, content_type=_NDJSON)
    response.headers["Content-Disposition"] = f'attachment; filename="kontor-{match_id}.ndjson"'
    response.headers["Cache-Control"] = PRIVATE
    response.vary.add("Authorization")
    return response


@routes.get(
    "/v1/matches/<id:match_id>/inclusion",
    Reply(200, "The leaf and the proof.", schemas.Inclusion),
    query=InclusionQuery(),
)
def prove_inclusion(request: ApiRequest, match_id: str) -> Response:
    """Prove that a match is in the tree of a checkpoint: its newest leaf there, with an inclusion proof."""
    request.kontor.queries.require_visible(request.caller, match_id)
    size = request.query["size"]
    leaf, index, proof = request.kontor.checkpoints.inclusion(match_id, size)
    shown = {"match": leaf.match, "version": leaf.version, "head": leaf.head}
    return json_response({"size": size, "index": index, "leaf": shown, "proof": proof}, cache_control=PRIVATE)


@routes.get(
    "/v1/checkpoints",
    Reply(200, "One page of checkpoints.", schemas.CheckpointPage),
    query=CheckpointsQuery(),
)
def list_checkpoints(request: ApiRequest) -> Response:
    """List the signed checkpoints over all matches, newest first. Keep one to detect changes later."""
    limit, cursor = request.query["limit"], request.query["cursor"]
    found = request.kontor.checkpoints.page(limit + 1, None if cursor is None else _read_size(cursor))
    more = len(found) > limit
    page = [checkpoint.plain() for checkpoint in found[:limit]]
    return json_response(
        {"checkpoints": page, "next": write_cursor(_CURSOR.pack(found[limit - 1].size)) if more else None}
    )


@routes.get(
    "/v1/checkpoints/latest",
    Reply(200, "The newest checkpoint.", schemas.Checkpoint),
    problems=(404,),
)
def get_latest_checkpoint(request: ApiRequest) -> Response:
    """Get the newest checkpoint, in the form that `kontor checkpoint verify` reads."""
    newest = request.kontor.checkpoints.latest()
    if newest is None:
        raise NotFoundError(
            "There is no checkpoint yet. The first one is created soon after the first match."
        )
    return json_response(newest.plain())


@routes.get(
    "/v1/checkpoints/consistency",
    Reply(200, "The proof.", schemas.Consistency),
    query=ConsistencyQuery(),
    problems=(404,),
)
def prove_consistency(request: ApiRequest) -> Response:
    """Prove that a later checkpoint extends an earlier one: no leaf was removed or changed."""
    first, second = request.query["first"], request.query["second"]
    return json_response(
        {"first": first, "second": second, "proof": request.kontor.checkpoints.consistency(first, second)}
    )


@routes.get("/v1/fairness", Reply(200, "The report.", schemas.Fairness, (JSON, _HTML)))
def get_fairness(request: ApiRequest) -> Response:
    """Get the audit results of all matches that are over, with statistical tests of all random values.

    `Accept: text/html` returns a page for people.
    """
    report = request.kontor.audits.fairness()
    if request.media_type == JSON:
        response = json_response(report.plain(), cache_control=_BRIEFLY)
    else:
        now = moment(request.kontor.clock())
        made = f"All matches of this service that are over, as of {now}. The same data is available as JSON."
        response = Response(fairness_page(report, "Fairness", made), content_type="text/html; charset=utf-8")
        response.headers["Content-Security-Policy"] = f"{page_policy()}; frame-ancestors 'none'"
        response.headers["Cache-Control"] = _BRIEFLY
    response.vary.add("Accept")
    return response


def _read_size(cursor: str) -> int:
    (size,) = read_cursor(cursor, "/cursor", _CURSOR.unpack)
    return min(int(size), 2**63 - 1)
