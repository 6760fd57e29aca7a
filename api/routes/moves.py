"""Moves: the one call that matters most. No schema library on its way: the game reads its moves itself."""

from flask import Response

from kontor_games.api import response_schemas as schemas
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.render import json_response, replay_header, turn
from kontor_games.api.request import ApiRequest
from kontor_games.api.request_schemas import MOST_MOVES, MovesQuery
from kontor_games.domain.codec import Fault, MalformedError, Plain, pointer_step
from kontor_games.service.people.tokens import PLAY

routes = Routes("moves", __name__, description="Make moves.")
_EITHER = {"oneOf": [{"$ref": "#/components/schemas/MoveList"}, {"$ref": "#/components/schemas/Move"}]}


@routes.post(
    "/v1/matches/<id:match_id>/moves",
    Reply(
        201,
        "The facts that the move caused, and your next legal moves.",
        schemas.MoveAnswer,
        headers=("ETag", "Idempotency-Replayed"),
    ),
    Reply(200, "With `dry_run`: the move is legal.", schemas.DryRun, headers=("ETag",)),
    who=PLAY,
    cost="move",
    query=MovesQuery(),
    body=_EITHER,
    versioned=True,
    problems=(409,),
)
def play_moves(request: ApiRequest, match_id: str) -> Response:
    """Make a move, or several moves together: all of them or none.

    Send one of `legal_moves` unchanged, or `{"moves": […]}`. With `dry_run=true` the move is only checked,
    and nothing is stored.
    """
    moves, pointer = _moves(request.body)
    if request.query["dry_run"]:
        return _dry_run(request, match_id, moves, pointer)
    answer = request.kontor.matches.play(request.call, match_id, moves, pointer)
    headers = {"ETag": f'"{answer.position.version}"', **replay_header(replayed=answer.replayed)}
    return json_response(turn(answer), 201, headers=headers)


def _dry_run(request: ApiRequest, match_id: str, moves: list[Plain], pointer: str) -> Response:
    if len(moves) > 1:
        # Whether the second passes can depend on what chance brings after the first: nobody may try that out.
        raise MalformedError([Fault("/moves", "must contain exactly one move for a dry run")])
    version = request.kontor.matches.dry_run(request.call, match_id, moves, pointer)
    return json_response({"passes": True, "version": version}, headers={"ETag": f'"{version}"'})


def _moves(body: Plain) -> tuple[list[Plain], str]:
    """The moves of a request, and where they stand in it."""
    if not isinstance(body, dict) or "moves" not in body or "type" in body:
        return [body], ""
    moves = body["moves"]
    faults = [Fault(f"/{pointer_step(name)}", "is not a known field") for name in body if name != "moves"]
    if not isinstance(moves, list) or not 1 <= len(moves) <= MOST_MOVES:
        faults.append(Fault("/moves", f"must be a list of 1 to {MOST_MOVES} moves"))
    if faults:
        raise MalformedError(faults)
    return moves, "/moves"
