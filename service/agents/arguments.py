"""Checks the arguments of a tool call against the tool's JSON Schema, which uses only a few keywords."""

import re
from typing import Any

from kontor_games.domain.codec import Plain

_KINDS = {"string": str, "integer": int, "boolean": bool, "object": dict}
_NAMES = {"string": "a text", "integer": "a whole number", "boolean": "true or false", "object": "an object"}


class ToolFaultError(Exception):
    """A tool cannot be called in this way; the message tells the model how to correct the call."""


def read_arguments(schema: dict[str, Any], given: Plain) -> dict[str, Any]:
    """Return the arguments without nulls; raise ToolFaultError that names every fault."""
    if not isinstance(given, dict):
        raise ToolFaultError("The arguments must be an object.")
    known, sent = schema["properties"], {name: value for name, value in given.items() if value is not None}
    faults = [f"There is no argument `{name[:50]}`." for name in sent if name not in known]
    faults += [f"The argument `{name}` is missing." for name in schema["required"] if name not in sent]
    faults += [
        f"`{name}` {fault}."
        for name, value in sent.items()
        if name in known and (fault := _fault(known[name], value))
    ]
    if faults:
        raise ToolFaultError(" ".join(faults[:5]))
    return sent


def _is_of(value: Any, kind: str) -> bool:
    return type(value) is _KINDS[kind]


def _fault(schema: dict[str, Any], value: Any) -> str | None:
    kind = schema["type"]
    if not _is_of(value, kind):
        return f"must be {_NAMES[kind]}"
    if "enum" in schema and value not in schema["enum"]:
        return "must be one of " + ", ".join(schema["enum"])
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        return "does not have the right form: copy it from an earlier answer"
    low, high = schema.get("minimum"), schema.get("maximum")
    if (low is not None and value < low) or (high is not None and value > high):
        return f"must be between {low} and {high}"
    if "maxLength" in schema and len(value) > schema["maxLength"]:
        return f"must have at most {schema['maxLength']} characters"
    return None
