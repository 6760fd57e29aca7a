"""Building blocks for the JSON Schemas of views; each has a description."""

from collections.abc import Iterable, Mapping

from kontor_games.domain.codec import Plain

Schema = dict[str, Plain]


def number(description: str, *, least: int | None = 0) -> Schema:
    """An integer; without a minimum it may be negative."""
    bound = {} if least is None else {"minimum": least}
    return {"type": "integer", **bound, "description": description}


def text(description: str) -> Schema:
    """A text, mostly an id."""
    return {"type": "string", "description": description}


def flag(description: str) -> Schema:
    """The schema of true or false."""
    return {"type": "boolean", "description": description}


def one_of(description: str, values: Iterable[str]) -> Schema:
    """One of several fixed words."""
    return {"enum": list(values), "description": description}


def seat(description: str) -> Schema:
    """The number of a seat."""
    return number(description)


def listed(description: str, items: Schema) -> Schema:
    """The schema of a list of `items`."""
    return {"type": "array", "items": items, "description": description}


def mapped(description: str, values: Schema, keys: Iterable[str] | None = None) -> Schema:
    """An object whose keys are ids; known keys are required."""
    if keys is None:
        return {"type": "object", "additionalProperties": values, "description": description}
    return parts(description, dict.fromkeys(keys, values))


def parts(
    description: str, always: Mapping[str, Schema], sometimes: Mapping[str, Schema] | None = None
) -> Schema:
    """An object with named fields, some of them optional."""
    return {
        "type": "object",
        "properties": {**always, **(sometimes or {})},
        "required": list(always),
        "additionalProperties": False,
        "description": description,
    }


def either(description: str, *choices: Schema) -> Schema:
    """The schema of a value that has one of several forms."""
    return {"anyOf": list(choices), "description": description}


def or_null(schema: Schema) -> Schema:
    """The same schema, or null; the description says when."""
    undescribed = {key: value for key, value in schema.items() if key != "description"}
    return either(schema["description"], undescribed, {"type": "null"})
