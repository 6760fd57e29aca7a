"""The transparency log: checkpoints, tiles (C2SP tlog-tiles), proofs, and cosignatures of witnesses."""

import struct

from msgspec import convert

from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import Answer, json_response
from kontor_games.api.request import ANYONE, ApiRequest
from kontor_games.api.schemas import queries as requests
from kontor_games.domain.codec import Fault, MalformedError
from kontor_games.domain.signed_note import UnreadableNoteError
from kontor_games.service.cursor import read_cursor, write_cursor
from kontor_games.service.errors import NotFoundError
from kontor_games.service.trust import answers

routes = Routes(
    "log",
    __name__,
    description="The transparency log of all matches: checkpoints, tiles, proofs, cosignatures of witnesses.",
)
_TEXT, _BYTES = "text/plain", "application/octet-stream"
_TWO_SECONDS, _IMMUTABLE = "public, max-age=2", "public, max-age=31536000, immutable"
_CURSOR = struct.Struct(">Q")


@routes.get(
    "/v1/log/checkpoint",
    Reply(200, "The newest checkpoint.", {"type": "string"}, (_TEXT,)),
    who=ANYONE,
    problems=(404, 503),
)
def get_checkpoint(request: ApiRequest) -> Answer:
    """Get the newest checkpoint with its cosignatures, as a signed note (C2SP tlog-checkpoint).

    Store it to check later that the log was only extended; `kontor verify --checkpoint` and
    `kontor checkpoint verify` read it.
    """
    newest = request.kontor.checkpoints.latest()
    if newest is None:
        raise NotFoundError(
            "There is no checkpoint yet. The first one is created soon after the service has started."
        )
    headers = {"Cache-Control": _TWO_SECONDS}
    return Answer(newest.note.encode(), headers=headers, media_type="text/plain; charset=utf-8")


@routes.get(
    "/v1/log/tile/<level:level>/<tile:place>",
    Reply(200, "The hashes of the tile.", {"type": "string", "format": "binary"}, (_BYTES,)),
    who=ANYONE,
    problems=(503,),
)
def get_tile(request: ApiRequest, level: int, place: tuple[int, int]) -> Answer:
    """Get a tile of the Merkle tree: up to 256 hashes of 32 bytes (C2SP tlog-tiles)."""
    return _bytes(request.kontor.checkpoints.tile(level, *place))


@routes.get(
    "/v1/log/tile/entries/<tile:place>",
    Reply(200, "The entries of the bundle.", {"type": "string", "format": "binary"}, (_BYTES,)),
    who=ANYONE,
    problems=(503,),
)
def get_entries(request: ApiRequest, place: tuple[int, int]) -> Answer:
    """Get a bundle of up to 256 log entries, each preceded by its length in two bytes (C2SP tlog-tiles).

    An entry is canonical JSON: a match or tournament with its version and head, or a signing key.
    """
    return _bytes(request.kontor.checkpoints.bundle(*place))


def _bytes(content: bytes) -> Answer:
    return Answer(content, headers={"Cache-Control": _IMMUTABLE}, media_type=_BYTES)


@routes.get(
    "/v1/log/keys",
    Reply(200, "The keys and the proofs.", answers.KeyInclusions),
    who=ANYONE,
    query=requests.InclusionQuery(),
    problems=(404, 503),
)
def prove_keys(request: ApiRequest) -> Answer:
    """Prove which signing keys are in the tree of a checkpoint."""
    size = request.query["size"]
    keys = [one.plain() for one in request.kontor.checkpoints.keys(size)]
    return json_response(convert({"size": size, "keys": keys}, answers.KeyInclusions))


@routes.post(
    "/v1/log/cosignatures",
    Reply(201, "The cosignatures were added to the checkpoint.", answers.Cosigned),
    who=ANYONE,
    body=requests.Cosigning(),
    problems=(403, 404, 503),
)
def add_cosignatures(request: ApiRequest) -> Answer:
    """Submit cosignatures of a checkpoint (C2SP tlog-cosignature) by witnesses that the operator has listed.

    Sending a cosignature again changes nothing: only the first one of each witness for a checkpoint is kept.
    """
    size = request.body["size"]
    try:
        names = request.kontor.checkpoints.accept_cosignatures(size, request.body["signatures"])
    except UnreadableNoteError as error:
        raise MalformedError([Fault("/signatures", str(error))]) from error
    return json_response(answers.Cosigned(size, names), 201)


@routes.get(
    "/v1/checkpoints",
    Reply(200, "One page of checkpoints.", answers.CheckpointPage),
    query=requests.CheckpointsQuery(),
)
def list_checkpoints(request: ApiRequest) -> Answer:
    """List the signed checkpoints over all matches, newest first, with their cosignatures."""
    limit, cursor = request.query["limit"], request.query["cursor"]
    found = request.kontor.checkpoints.page(limit + 1, None if cursor is None else _read_size(cursor))
    shown = [answers.Checkpoint(one.size, one.at, one.note) for one in found[:limit]]
    more = len(found) > limit
    next_cursor = write_cursor(_CURSOR.pack(found[limit - 1].size)) if more else None
    return json_response(answers.CheckpointPage(shown, next_cursor))


@routes.get(
    "/v1/checkpoints/consistency",
    Reply(200, "The proof.", answers.Consistency),
    query=requests.ConsistencyQuery(),
    problems=(404,),
)
def prove_consistency(request: ApiRequest) -> Answer:
    """Prove that a later checkpoint extends an earlier one: no leaf was removed or changed."""
    first, second = request.query["first"], request.query["second"]
    proof = request.kontor.checkpoints.consistency(first, second)
    return json_response(answers.Consistency(first, second, proof))


def _read_size(cursor: str) -> int:
    (size,) = read_cursor(cursor, _CURSOR.unpack)
    return min(int(size), 2**63 - 1)
