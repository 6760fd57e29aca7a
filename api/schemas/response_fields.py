"""Fields that several response schemas share."""

from functools import partial
from typing import Any

from marshmallow import fields

from kontor_games.api.schemas.fields import ResponseSchema, response_field

ID: dict[str, Any] = {"format": "uuid", "examples": ["0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"]}
MOMENT: dict[str, Any] = {"format": "date-time", "examples": ["2026-03-01T12:00:00.000Z"]}
text_field = partial(response_field, fields.String)
integer_field = partial(response_field, fields.Integer)
boolean_field = partial(response_field, fields.Boolean)
number_field = partial(response_field, fields.Float)


def list_field(inner: Any, description: str, **options: Any) -> fields.List[Any]:
    """A list of fields."""
    return response_field(fields.List, description, inner, **options)


def nested_field(
    shape: type[ResponseSchema], description: str = "", *, allow_none: bool = False
) -> fields.Nested:
    """An object with its own schema."""
    return response_field(fields.Nested, description, shape, allow_none=allow_none)


def object_field(description: str, *, nullable: bool = False, required: bool = True) -> fields.Raw:
    """An object whose members its game describes."""
    kind = ["object", "null"] if nullable else "object"
    return response_field(fields.Raw, description, required=required, type=kind, additionalProperties=True)


def typed_object_field() -> fields.Raw:
    """A move or a fact: it has a type, and its game describes the rest."""
    shape = {
        "type": "object",
        "properties": {"type": {"type": "string"}},
        "required": ["type"],
        "additionalProperties": True,
    }
    return fields.Raw(metadata=shape)


def extensible_enum_field(description: str, *known: str) -> fields.String:
    """A word with its known values; clients must accept new ones."""
    metadata = {"description": description, "x-extensible-enum": list(known)}
    return fields.String(required=True, metadata=metadata)


def sentences_field() -> fields.List[Any]:
    """A sentence for each fact."""
    description = "With `tell`: a sentence about each of `facts`; null where there is nothing to say."
    return list_field(fields.String(allow_none=True), description, required=False)


def seat_names_field() -> fields.List[Any]:
    """The names of the seats in sentences and labels."""
    description = "With `tell`: the names of the seats in sentences and labels; no two are equal."
    return list_field(fields.String(), description, required=False)
