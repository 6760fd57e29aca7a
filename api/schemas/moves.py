"""Moves, and queries of them."""

from typing import Any

from kontor_games.api.schemas import fields as req
from kontor_games.api.schemas.fields import KEY, MAX_COMMANDS, MAX_MOVES, SIGNATURE, UUID, RequestSchema
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
