"""Prompts for each field of a move that has too many variants to be listed, using its JSON Schema."""

import re
from collections.abc import Callable
from typing import Any

from kontor_games.domain.codec import Plain

Ask = Callable[[str], str]


class FormError(ValueError):
    """The text that the player typed is not valid for the field."""


def fill(move: Plain, ask: Ask) -> Plain:
    """Return the move with a value for each field of its schema; raise FormError if an answer is invalid."""
    filled: dict[str, Plain] = {"type": move["type"]}
    schema = move["schema"]
    for name, field in schema["properties"].items():
        if "const" not in field:
            answer = ask(f"{name.replace('_', ' ')} ({_hint(field)})").strip()
            if answer or name in schema.get("required", ()):
                filled[name] = _value(field, answer)
    return filled


def _hint(field: dict[str, Any]) -> str:
    if "properties" in field:
        return f"such as `2 {next(iter(field['properties']))}`; there are {', '.join(field['properties'])}"
    if field.get("type") == "array":
        return "numbers with spaces between them, or nothing"
    if "enum" in field:
        return " or ".join(map(str, field["enum"]))
    return "a number" if field.get("type") == "integer" else "text"


def _value(field: dict[str, Any], answer: str) -> Plain:
    if "properties" in field:
        return _counts(field["properties"], answer)
    if field.get("type") == "array":
        return [_value(field.get("items", {}), part) for part in re.split(r"[\s,]+", answer) if part]
    if field.get("type") == "integer":
        if not re.fullmatch(r"-?\d{1,15}", answer):
            raise FormError(f"{answer!r} is not a number.")
        return int(answer)
    return answer


def _counts(known: dict[str, Any], answer: str) -> Plain:
    """Parse `2 wool, 1 ore`; `wool` alone means 1."""
    counts: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in re.split(r",|\band\b", answer))):
        found = re.fullmatch(r"(?:(\d{1,3})\s*)?(\w+)", part)
        if found is None or found[2] not in known:
            raise FormError(f"{part!r} is not an amount; write for example `2 {next(iter(known))}`.")
        counts[found[2]] = counts.get(found[2], 0) + int(found[1] or 1)
    return counts
