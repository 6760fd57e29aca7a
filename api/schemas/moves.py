"""Moves: requests, answers and dry runs."""

from typing import Any

from kontor_games.api.schemas import request_fields as asked
from kontor_games.api.schemas import response_fields as shown
from kontor_games.api.schemas.common import Problem
from kontor_games.api.schemas.fields import QueryBoolean, RequestSchema, ResponseSchema
from kontor_games.api.schemas.matches import Effects, Position
from kontor_games.api.schemas.patterns import KEY, MOST_COMMANDS, MOST_MOVES, SIGNATURE, UUID
from kontor_games.domain.plain import LARGEST


class ManyMovesQuery(RequestSchema):
    """How to answer moves in many matches."""

    tell = asked.tell()
    brief = asked.field(
        QueryBoolean,
        "Omit `view`, `legal_moves`, `labels`, `scene` and `names` from the answers, "
        "for clients that get their turns from a stream with `turns=true`.",
        load_default=False,
    )


class MovesQuery(RequestSchema):
    """How to make a move."""

    dry_run = asked.field(
        QueryBoolean, "Only check the move and describe its effect; nothing is stored.", load_default=False
    )
    tell = asked.tell()


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
    "properties": {"moves": {"type": "array", "items": _MOVES, "minItems": 1, "maxItems": MOST_MOVES}},
    "required": ["moves"],
    "additionalProperties": False,
}
"""Moves are read by their game, not by marshmallow, so their schemas stand here as they are."""


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
            "The version on which you based the command, as in `If-Match`.",
            {"type": "integer", "minimum": 0, "maximum": LARGEST},
        ),
        "signature": _optional(
            "Your signature over the command, as in `Kontor-Signature`.",
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
            "maxItems": MOST_COMMANDS,
        }
    },
    "required": ["commands"],
    "additionalProperties": False,
}


class MoveAnswer(Position, Effects):
    """The facts that a move caused, and everything needed to choose the next one."""


class DryRun(ResponseSchema):
    """The answer to a dry run of a legal move."""

    passes = shown.boolean(
        "Always true: an illegal move is answered with the same problem as without `dry_run`."
    )
    version = shown.integer("Version of the match for which the move was checked.")
    facts = shown.list_of(
        shown.typed_object(), "The facts that the move causes for certain, in order, as you would see them."
    )
    texts = shown.sentences()
    view = shown.plain_object("What you would see of the game after these facts.")
    complete = shown.boolean(
        "Whether these are all facts. If false, what follows depends on chance or on something "
        "that you may not know."
    )


class BriefMoveAnswer(MoveAnswer):
    """The facts caused by moves, and the new position; without `brief`, also the view and legal moves."""

    legal_moves = shown.list_of(
        shown.typed_object(),
        "Every move that you can make now, as in the answer to a single move; absent with `brief`.",
        required=False,
    )
    view = shown.plain_object(
        "What you may see of the game; absent with `brief`.", nullable=True, required=False
    )


class MatchMovesAnswer(ResponseSchema):
    """The outcome of one command of `POST /v1/moves`."""

    match = shown.text("Id of the match.", **shown.ID)
    status = shown.integer(
        "The status that `POST /v1/matches/{match_id}/moves` would have: 201, or that of the problem."
    )
    replayed = shown.boolean("Whether this repeats the answer to an earlier command with the same key.")
    answer = shown.nested(
        BriefMoveAnswer, "The facts and the new position; null if the command was refused.", allow_none=True
    )
    problem = shown.nested(Problem, "Why the command was refused; null if it was executed.", allow_none=True)


class MatchMovesAnswers(ResponseSchema):
    """The outcome of each command."""

    answers = shown.list_of(MatchMovesAnswer, "One answer for each command, in the same order.")
