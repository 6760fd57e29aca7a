"""Moves: requests, answers and dry runs."""

from typing import Any

from kontor_games.api.schemas import request_fields as req
from kontor_games.api.schemas import response_fields as res
from kontor_games.api.schemas.common import Problem
from kontor_games.api.schemas.fields import RequestSchema, ResponseSchema
from kontor_games.api.schemas.matches import Effects, Position
from kontor_games.api.schemas.patterns import KEY, MAX_COMMANDS, MAX_MOVES, SIGNATURE, UUID
from kontor_games.domain.plain import MAX_INTEGER


class ManyMovesQuery(RequestSchema):
    """What the response to moves in many matches contains."""

    tell = req.tell()
    brief = req.query_flag(
        "Omit `view`, `legal_moves`, `labels`, `scene` and `names` from the answers, "
        "for clients that get their turns from a stream with `turns=true`."
    )


Move = {
    "type": "object",
    "description": "A move: one of `legal_moves` unchanged, or as described by `GET /v1/games/{game}`.",
    "properties": {"type": {"type": "string", "minLength": 1, "maxLength": 64}},
    "required": ["type"],
    "additionalProperties": True,
}
_MOVES = {"$ref": "#/components/schemas/Move"}
Moves = {
    "type": "object",
    "description": "Several moves that are made together: all of them or none.",
    "properties": {"moves": {"type": "array", "items": _MOVES, "minItems": 1, "maxItems": MAX_MOVES}},
    "required": ["moves"],
    "additionalProperties": False,
}
"""Games parse moves themselves, without marshmallow, so these schemas are plain JSON Schema."""


def _optional(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "type": [schema["type"], "null"], "description": description}


MatchMoves = {
    "type": "object",
    "description": "A command of `POST /v1/moves`. It has `move` or `moves`, "
    "and is equivalent to a command sent to `POST /v1/matches/{match_id}/moves`.",
    "properties": {
        "match": {
            "type": "string",
            "format": "uuid",
            "pattern": f"^{UUID}$",
            "description": "Id of the match.",
        },
        "move": _MOVES,
        "moves": {
            **Moves["properties"]["moves"],  # type: ignore[index]
            "description": "Several moves that are made together: all of them or none.",
        },
        "key": _optional("Idempotency-Key of this command.", {"type": "string", "pattern": f"^{KEY}$"}),
        "version": _optional(
            "Execute the command only if the match is still at this version, as with `If-Match`.",
            {"type": "integer", "minimum": 0, "maximum": MAX_INTEGER},
        ),
        "signature": _optional(
            "Your signature of the command, as in `Kontor-Signature`.",
            {"type": "string", "pattern": f"^{SIGNATURE}$"},
        ),
    },
    "required": ["match"],
    "oneOf": [{"required": ["move"]}, {"required": ["moves"]}],
    "additionalProperties": False,
}
MatchMovesList = {
    "type": "object",
    "description": "Commands for many matches. Each is executed or refused independently.",
    "properties": {
        "commands": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/MatchMoves"},
            "minItems": 1,
            "maxItems": MAX_COMMANDS,
        }
    },
    "required": ["commands"],
    "additionalProperties": False,
}


class MoveAnswer(Position, Effects):
    """The facts that a move caused, and the new position with your legal moves."""


class DryRun(ResponseSchema):
    """The answer to a dry run of a legal move."""

    passes = res.boolean(
        "Always true: an illegal move is refused with the problem that making it would cause."
    )
    version = res.integer("Version of the match for which the move was checked.")
    facts = res.list_of(
        res.typed_object(), "The facts that the move is certain to cause, in order, as you would see them."
    )
    texts = res.sentences()
    label = res.text("With `tell`: the move in words, also of one that is not listed.", required=False)
    view = res.plain_object("What you would see of the game after these facts.")
    complete = res.boolean(
        "Whether `facts` has all facts that the move causes. If false, further facts depend on chance or on "
        "information that is hidden from you."
    )


class BriefMoveAnswer(MoveAnswer):
    """The facts caused by moves, and the new position; without `brief`, also the view and legal moves."""

    legal_moves = res.list_of(
        res.typed_object(),
        "Every move that you can make now, as in the answer to a single move; absent with `brief`.",
        required=False,
    )
    view = res.plain_object(
        "What you may see of the game; absent with `brief`.", nullable=True, required=False
    )


class MatchMovesAnswer(ResponseSchema):
    """The outcome of one command of `POST /v1/moves`."""

    match = res.text("Id of the match.", **res.ID)
    status = res.integer(
        "The HTTP status with which `POST /v1/matches/{match_id}/moves` would have answered: "
        "201, or that of the problem."
    )
    replayed = res.boolean("Whether this repeats the answer to an earlier command with the same key.")
    answer = res.nested(
        BriefMoveAnswer, "The facts and the new position; null if the command was refused.", allow_none=True
    )
    problem = res.nested(Problem, "Why the command was refused; null if it was executed.", allow_none=True)


class MatchMovesAnswers(ResponseSchema):
    """The outcome of each command."""

    answers = res.list_of(MatchMovesAnswer, "One answer for each command, in the same order.")
