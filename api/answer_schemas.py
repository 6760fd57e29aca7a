"""The schemas of responses in the contract, derived from the answers: their fields, types and docstrings."""

import ast
from collections.abc import Iterable
from inspect import getsource
from itertools import pairwise
from textwrap import dedent
from typing import Any

import msgspec
from msgspec.structs import FieldInfo, fields

from kontor_games.api.render import answers_in, marks
from kontor_games.service.answer_fields import INLINE, INTERNAL, Moment

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"
_NULL = {"type": "null"}


def answer_schemas(answers: Iterable[type[msgspec.Struct]]) -> dict[str, Schema]:
    """The schemas of answers, and of all answers that are parts of them, by name."""
    kinds = {kind.__name__: kind for answer in answers for kind in answers_in(answer)}
    _, found = msgspec.json.schema_components(
        kinds.values(), schema_hook=_schema_of_other, ref_template=REFERENCE
    )
    return {name: _object(kind, found) for name, kind in kinds.items()}


def _schema_of_other(kind: type) -> Schema:
    if kind is not Moment:
        raise NotImplementedError(kind)
    return {"type": "string", "format": "date-time", "examples": ["2026-03-01T12:00:00.000Z"]}


def _object(kind: type[msgspec.Struct], known: dict[str, Schema]) -> Schema:
    """The schema of an answer, with the fields of the answers that are inline."""
    properties, required, texts = dict[str, Schema](), list[str](), _descriptions(kind)
    for field in fields(kind):
        if INLINE in marks(field):
            part = _object(answers_in(field.type)[0], known)
            properties |= part["properties"]
            required += part["required"]
        elif INTERNAL not in marks(field):
            schema = _simplified(known[kind.__name__]["properties"][field.encode_name])
            properties[field.encode_name] = _described(schema, texts.get(field.name), field)
            required += [field.encode_name] if field.required else []
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _described(schema: Schema, text: str | None, field: FieldInfo) -> Schema:
    """A schema with its description; only other answers, which are described themselves, need none."""
    if text is None and not answers_in(field.type):
        raise LookupError(f"The field {field.name} has no docstring: {field.type}.")
    return schema if text is None else {**schema, "description": text}


def _descriptions(kind: type) -> dict[str, str]:
    """The docstrings of the fields of a class and its bases, without line breaks."""
    found = dict[str, str]()
    for base in reversed(kind.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found |= _docstrings(base)
    return found


def _docstrings(kind: type) -> dict[str, str]:
    [known] = ast.parse(dedent(getsource(kind))).body
    pairs = pairwise(known.body) if isinstance(known, ast.ClassDef) else ()
    return {
        ast.unparse(field.target): " ".join(str(ast.literal_eval(text.value)).split())
        for field, text in pairs
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr)
    }


def _simplified(node: Any) -> Any:
    """A schema as readers of the contract expect it: null is one more type, and words may get new values."""
    if isinstance(node, list):
        return [_simplified(item) for item in node]
    if not isinstance(node, dict):
        return node
    schema = {name: _simplified(inner) for name, inner in node.items()}
    if "enum" in schema:
        schema |= {"type": "string", "x-extensible-enum": schema.pop("enum")}
    if _NULL in schema.get("anyOf", ()):
        [other] = [one for one in schema.pop("anyOf") if one != _NULL]
        either = {**other, "type": [other["type"], "null"]} if "type" in other else {"anyOf": [other, _NULL]}
        schema |= either
    return schema
