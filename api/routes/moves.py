"""Moves: the most frequent operations. Games parse their moves themselves, without a schema library."""

from kontor_games.api.answers import MatchMovesAnswers
from kontor_games.api.batch_body import read_commands
from kontor_games.api.contract import COMMAND_HEADERS, Reply, Routes
from kontor_games.api.render import Answer, json_response, replay_header
from kontor_games.api.request import ApiRequest, charge
from kontor_games.api.schemas.fields import MAX_MOVES
from kontor_games.api.schemas.moves import ManyMovesQuery
from kontor_games.api.schemas.queries import TellQuery
from kontor_games.api.shared_moves import play_across_processes
from kontor_games.domain.codec import Fault, MalformedError, Plain
from kontor_games.service.matches.answers import DryRun, MoveAnswer, ObstacleList
from kontor_games.service.people.tokens import PLAY

routes = Routes("moves", __name__, description="Make moves.")
_ONE = {"$ref": "#/components/schemas/Move"}
_EITHER = {"oneOf": [{"$ref": "#/components/schemas/MoveList"}, _ONE]}
_MANY = {"$ref": "#/components/schemas/MatchMovesList"}


@routes.post(
    "/v1/matches/<id:match_id>/moves",
    Reply(
        201, "The facts that the move caused, and your next legal moves.", MoveAnswer, headers=COMMAND_HEADERS
    ),
    who=PLAY,
    cost="move",
    query=TellQuery(),
    body=_EITHER,
    versioned=True,
)
def play_moves(request: ApiRequest, match_id: str) -> Answer:
    """Make a move, or several moves together: all of them or none.

    Send one of `legal_moves` unchanged, or several moves as `{"moves": […]}`.
    """
    moves, pointer = _moves(request.body)
    answer = request.kontor.matches.play(request.call, match_id, moves, pointer)
    headers = {"ETag": f'"{answer.position.version}"', **replay_header(replayed=answer.replayed)}
    return json_response(answer, 201, headers=headers)


def _moves(body: Plain) -> tuple[list[Plain], str]:
    """Return the moves of a request, and the JSON Pointer to them for error messages."""
    if not isinstance(body, dict) or "moves" not in body or "type" in body:
        return [_move(body, ("type", "moves"))], ""
    moves = body["moves"]
    faults = [Fault.unknown("", name, ("moves",)) for name in body if name != "moves"]
    if not isinstance(moves, list) or not 1 <= len(moves) <= MAX_MOVES:
        faults.append(Fault("/moves", f"must be a list of 1 to {MAX_MOVES} moves"))
    if faults:
        raise MalformedError(faults)
    return moves, "/moves/"


def _move(body: Plain, known: tuple[str, ...]) -> Plain:
    """Return a move that has a type; without one, its other fields mean nothing, so they are unknown."""
    if isinstance(body, dict) and body and "type" not in body:
        missing = Fault("/type", "is missing: send one of `legal_moves` unchanged")
        raise MalformedError([*(Fault.unknown("", name, known) for name in body), missing])
    return body


@routes.post(
    "/v1/matches/<id:match_id>/dry-runs",
    Reply(200, "The move is legal, and the response describes its effect.", DryRun, headers=("ETag",)),
    who=PLAY,
    cost="move",
    query=TellQuery(),
    body=_EITHER,
    versioned=True,
)
def dry_run_moves(request: ApiRequest, match_id: str) -> Answer:
    """Check one or several moves and describe their effect, as far as you may know it; nothing is stored.

    An illegal move is refused with the problem that making it would cause. Several moves, as
    `{"moves": […]}`, are checked as they would be made together: none may follow one that reveals something.
    """
    moves, pointer = _moves(request.body)
    tried = request.kontor.matches.dry_run(request.call, match_id, moves, pointer)
    return json_response(tried, headers={"ETag": f'"{tried.version}"'})


@routes.get(
    "/v1/matches/<id:match_id>/obstacles",
    Reply(200, "What you lack.", ObstacleList),
    query=TellQuery(),
    headers=("Match-Key",),
)
def list_obstacles(request: ApiRequest, match_id: str) -> Answer:
    """Find out why you can make no move of some kinds now, such as building a route.

    Each obstacle is what you lack, with the number of its rule. It is the same whatever is hidden from you. A
    kind of move without obstacles is possible, or not made in this phase. `tell` chooses the language.
    """
    found = request.kontor.queries.obstacles(request.reader, match_id, request.query["tell"])
    return json_response(found)


@routes.post(
    "/v1/moves",
    Reply(200, "The outcome of each command.", MatchMovesAnswers),
    who=PLAY,
    cost="move",
    query=ManyMovesQuery(),
    body=_MANY,
)
def play_many_moves(request: ApiRequest) -> Answer:
    """Make moves in many matches with one request.

    Each command is executed or refused independently, as if it had been sent to
    `POST /v1/matches/{match_id}/moves`, and has its own answer. All of them are stored together, so this is
    much cheaper than single requests. A command without a `key` gets one from the header `Idempotency-Key`:
    that key, a dot, and the index of the command. Each command counts as one request against the rate limit,
    even if the request is refused with 429. With `brief=true`, the answers have neither `view` nor
    `legal_moves`. If the request itself is malformed, no command is executed.
    """
    commands = read_commands(request.body, request.player, request.key, **request.query)
    if len(commands) > 1:
        charge(request, "move", len(commands) - 1, count_refused=True)
    return json_response(MatchMovesAnswers(play_across_processes(request.kontor, commands)))
