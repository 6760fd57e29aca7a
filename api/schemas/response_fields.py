"""Fields that several response schemas share."""

from functools import partial
from typing import Any, TypeVar

from marshmallow import fields

from kontor_games.api.schemas.fields import ResponseSchema

F = TypeVar("F", bound=fields.Field[Any])
ID: dict[str, Any] = {"format": "uuid", "examples": ["0b5c1c9e-6a1f-4d0e-9a57-3f6f4f1f2f11"]}


def field(
    kind: type[F], text: str, *inner: Any, required: bool = True, allow_none: bool = False, **schema: Any
) -> F:
    """A field with its description and inner fields; `schema` extends its JSON Schema."""
    metadata = {"description": text, **schema} if text else schema
    return kind(*inner, required=required, allow_none=allow_none, metadata=metadata)


text = partial(field, fields.String)
integer = partial(field, fields.Integer)
boolean = partial(field, fields.Boolean)
number = partial(field, fields.Float)
moment = partial(text, format="date-time", examples=["2026-03-01T12:00:00.000Z"])


def list_of(inner: Any, description: str, **options: Any) -> fields.List[Any]:
    """A list of fields, or of objects with a schema of their own."""
    one = inner if isinstance(inner, fields.Field) else fields.Nested(inner)
    return field(fields.List, description, one, **options)


def nested(shape: type[ResponseSchema], description: str = "", *, allow_none: bool = False) -> fields.Nested:
    """An object with its own schema."""
    return field(fields.Nested, description, shape, allow_none=allow_none)


def plain_object(description: str, *, nullable: bool = False, required: bool = True) -> fields.Raw:
    """An object whose members are documented by the game, not by this schema."""
    kind = ["object", "null"] if nullable else "object"
    return field(fields.Raw, description, required=required, type=kind, additionalProperties=True)


def typed_object() -> fields.Raw:
    """A move or a fact: it has a `type`; the game documents all other members."""
    shape = {
        "type": "object",
        "properties": {"type": {"type": "string"}},
        "required": ["type"],
        "additionalProperties": True,
    }
    return fields.Raw(metadata=shape)


def word(description: str, *known: str) -> fields.String:
    """A text with its known values; clients must accept unknown ones."""
    metadata = {"description": description, "x-extensible-enum": list(known)}
    return fields.String(required=True, metadata=metadata)


def sentences() -> fields.List[Any]:
    """A sentence for each fact."""
    description = "With `tell`: a sentence for each of `facts`; null for facts without a description."
    return list_of(fields.String(allow_none=True), description, required=False)


def seat_names() -> fields.List[Any]:
    """The names of the seats in sentences and labels."""
    description = "With `tell`: the name of each seat in sentences and labels; no two are equal."
    return list_of(fields.String(), description, required=False)
