"""Evidence: keys, exports, checkpoints with their proofs, and what the audits of everything have found."""

import struct

from flask import Response

from kontor_games.api import trust_response_schemas as schemas
from kontor_games.api.contract import ANYONE, JSON, Reply, Routes
from kontor_games.api.links import LINKS
from kontor_games.api.render import PRIVATE, json_response, moment
from kontor_games.api.request import ApiRequest
from kontor_games.api.request_schemas import CheckpointsQuery, ConsistencyQuery, InclusionQuery
from kontor_games.service.cursor import read_cursor, write_cursor
from kontor_games.service.errors import NotFoundError
from kontor_games.service.trust.fairness_page import fairness_page, page_policy

routes = Routes("trust", __name__, description="Hold the service to its word.")
_NDJSON, _HTML = "application/x-ndjson", "text/html"
_BRIEFLY = "public, max-age=60"
_CURSOR = struct.Struct(">Q")


@routes.get("/.well-known/kontor-keys.json", Reply(200, "All keys that ever signed.", schemas.KeyList), who=ANYONE, problems=(503,))
def list_keys(call: ApiRequest) -> Response:
    """Lists the public keys by which receipts, exports and checkpoints are checked."""
    return json_response({"keys": [key.plain() for key in call.kontor.signer.public_keys()]}, cache_control=_BRIEFLY)


@routes.get(
    "/v1/matches/<id:match_id>/export",
    Reply(200, "The file, described in docs/export.md.", {"type": "string"}, (_NDJSON,), headers=("Content-Disposition",)),
    cost="stream",
)
def export_match(call: ApiRequest, match_id: str) -> Response:
    """Gives a match as one self-contained file, for `kontor verify` or a verifier of your own.

    Of a match that is over it holds everything, for everyone who may see it; of a running one what you may know, and commitments to the rest.
    """
    content = call.kontor.exports.export(call.caller, match_id)
    response = Response(content, content_type=_NDJSON)
    response.headers["Content-Disposition"] = f'attachment; filename="kontor-{match_id}.ndjson"'
    response.headers["Cache-Control"] = PRIVATE
    response.vary.add("Authorization")
    return response


@routes.get(
    "/v1/matches/<id:match_id>/inclusion",
    Reply(200, "The leaf, and the proof.", schemas.Inclusion),
    query=InclusionQuery(),
)
def prove_inclusion(call: ApiRequest, match_id: str) -> Response:
    """Proves that a match is in the tree of a checkpoint, at the version it had come to."""
    call.kontor.matches.look(call.caller, match_id)
    size = call.query["size"]
    leaf, index, proof = call.kontor.checkpoints.inclusion(match_id, size)
    shown = {"match": leaf.match, "version": leaf.version, "head": leaf.head}
    return json_response({"size": size, "index": index, "leaf": shown, "proof": proof}, cache_control=PRIVATE)


@routes.get(
    "/v1/checkpoints",
    Reply(200, "Some checkpoints.", schemas.CheckpointPage, links=LINKS["list_checkpoints"]),
    query=CheckpointsQuery(),
)
def list_checkpoints(call: ApiRequest) -> Response:
    """Lists the signed checkpoints over all matches, the newest first. Keep one."""
    limit, cursor = call.query["limit"], call.query["cursor"]
    found = call.kontor.checkpoints.page(limit + 1, None if cursor is None else _read_size(cursor))
    more = len(found) > limit
    page = [checkpoint.plain() for checkpoint in found[:limit]]
    return json_response({"checkpoints": page, "next": write_cursor(_CURSOR.pack(found[limit - 1].size)) if more else None})


@routes.get(
    "/v1/checkpoints/latest",
    Reply(200, "The newest checkpoint.", schemas.Checkpoint, links=LINKS["get_latest_checkpoint"]),
    problems=(404,),
)
def get_latest_checkpoint(call: ApiRequest) -> Response:
    """Gives the newest checkpoint, ready to be kept: `kontor checkpoint verify` takes it as it stands."""
    newest = call.kontor.checkpoints.latest()
    if newest is None:
        raise NotFoundError("there is no checkpoint yet; the first is taken soon after the first match was announced")
    return json_response(newest.plain())


@routes.get(
    "/v1/checkpoints/consistency",
    Reply(200, "The proof.", schemas.Consistency),
    query=ConsistencyQuery(),
    problems=(404,),
)
def prove_consistency(call: ApiRequest) -> Response:
    """Proves that the tree of one checkpoint grew into that of another, so that nothing was taken away or changed."""
    first, second = call.query["first"], call.query["second"]
    return json_response({"first": first, "second": second, "proof": call.kontor.checkpoints.consistency(first, second)})


@routes.get("/v1/fairness", Reply(200, "The report.", schemas.Fairness, (JSON, _HTML)))
def get_fairness(call: ApiRequest) -> Response:
    """Tells what the audits of all matches that are over have found, and whether chance looks like chance.

    `Accept: text/html` gives a page for people.
    """
    report = call.kontor.audits.fairness()
    if call.media_type == JSON:
        response = json_response(report.plain(), cache_control=_BRIEFLY)
    else:
        made = f"All matches of this service that are over, as of {moment(call.kontor.clock())}. The same figures are given as JSON."
        response = Response(fairness_page(report, "Fairness", made), content_type="text/html; charset=utf-8")
        response.headers["Content-Security-Policy"] = f"{page_policy()}; frame-ancestors 'none'"
        response.headers["Cache-Control"] = _BRIEFLY
    response.vary.add("Accept")
    return response


def _read_size(cursor: str) -> int:
    (size,) = read_cursor(cursor, "/cursor", _CURSOR.unpack)
    return min(int(size), 2**63 - 1)
