"""Moves: the one call that matters most. No schema library on its way: the game reads its moves itself."""

from flask import Response

from kontor_games.api import response_schemas as schemas
from kontor_games.api.contract import Reply, Routes
from kontor_games.api.json_body import pointer_step
from kontor_games.api.links import LINKS
from kontor_games.api.render import UNSTORED, encode, json_response, receipt, turn
from kontor_games.api.request import ApiRequest
from kontor_games.api.request_schemas import MOST_MOVES, MovesQuery
from kontor_games.domain.codec import Fault, MalformedError, Plain
from kontor_games.service.people.tokens import PLAY

routes = Routes("moves", __name__, description="Make moves.")
_EITHER = {"oneOf": [{"$ref": "#/components/schemas/MoveList"}, {"$ref": "#/components/schemas/Move"}]}


@routes.post(
    "/v1/matches/<id:match_id>/moves",
    Reply(
        201,
        "What happened, and what you can do next.",
        schemas.MoveAnswer,
        headers=("ETag", "Idempotency-Replayed"),
        links=LINKS["play_moves"],
    ),
    Reply(200, "With `dry_run`: the move would pass.", schemas.DryRun, headers=("ETag",)),
    who=PLAY,
    cost="move",
    query=MovesQuery(),
    body=_EITHER,
    versioned=True,
    problems=(409,),
)
def play_moves(call: ApiRequest, match_id: str) -> Response:
    """Makes a move, or several as one: all or none.

    Send one of `legal_moves` as it stands, or `{"moves": […]}`. With `dry_run=true` nothing is stored.
    """
    moves, at = _moves(call.body)
    if call.query["dry_run"]:
        return _dry_run(call, match_id, moves, at)
    answer = call.kontor.matches.play(call.player, match_id, moves, call.key, call.digest, call.if_version, at)
    headers = {"Cache-Control": UNSTORED, "ETag": f'"{answer.match.version}"'}
    if answer.replayed:
        headers["Idempotency-Replayed"] = "true"
    return Response(encode({**turn(answer), **receipt(call.kontor, answer)}), 201, headers, content_type="application/json")


def _dry_run(call: ApiRequest, match_id: str, moves: list[Plain], at: str) -> Response:
    if len(moves) > 1:
        # Whether the second passes can depend on what chance brings after the first: nobody may try that out.
        raise MalformedError([Fault("/moves", "must be one move for a dry run")])
    trial = call.kontor.matches.dry_run(call.player, match_id, moves, call.if_version, at)
    response = json_response({"passes": True, "version": trial.match.version})
    response.headers["ETag"] = f'"{trial.match.version}"'
    return response


def _moves(body: Plain) -> tuple[list[Plain], str]:
    """The moves of a request, and where they stand in it."""
    if not isinstance(body, dict) or "moves" not in body or "type" in body:
        return [body], ""
    moves = body["moves"]
    faults = [Fault(f"/{pointer_step(name)}", "is not known here") for name in body if name != "moves"]
    if not isinstance(moves, list) or not 1 <= len(moves) <= MOST_MOVES:
        faults.append(Fault("/moves", f"must be a list of 1 to {MOST_MOVES} moves"))
    if faults:
        raise MalformedError(faults)
    return moves, "/moves"
