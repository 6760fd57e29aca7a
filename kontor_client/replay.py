"""Positions of a match, for replaying it: the service sends most views as JSON Patches."""

from collections.abc import Iterator
from typing import Any

from kontor_client.model import Json


class Position:
    """The position after one command; `data` is the position as sent by the service."""

    def __init__(self, data: Json, view: Json | None) -> None:
        self.data = data
        self.version: int = data["version"]
        self.seat: int | None = data["seat"]  # that acted
        self.facts: list[Json] = data["facts"]  # that the command caused
        self.status: str = data["status"]
        self.to_act: list[int] = data["to_act"]
        self.view = view  # what the viewer could see of the game

    def __repr__(self) -> str:
        return f"Position(version={self.version}, {self.status!r})"


def read_positions(lines: list[Json]) -> Iterator[Position]:
    """Yield the positions of one response, with their full views."""
    view = None
    for data in lines:
        view = patched(view, data["patch"]) if "patch" in data else data["view"]
        yield Position(data, view)


def patched(value: Any, patch: list[Json]) -> Any:
    """Apply a JSON Patch (RFC 6902: `add`, `replace`, `remove`) to a copy of a value, and return the copy."""
    for operation in patch:
        steps = [step.replace("~1", "/").replace("~0", "~") for step in operation["path"].split("/")[1:]]
        value = _changed(value, steps, operation)
    return value


def _changed(value: Any, steps: list[str], operation: Json) -> Any:
    """Return a changed copy of a value; unchanged parts are shared."""
    if not steps:
        return operation["value"]
    copy: Any = value.copy()
    is_list = isinstance(copy, list)
    step = len(copy) if steps[0] == "-" and is_list else int(steps[0]) if is_list else steps[0]
    if len(steps) > 1 or operation["op"] == "replace":
        copy[step] = _changed(copy[step], steps[1:], operation)
    elif operation["op"] == "remove":
        del copy[step]
    elif is_list:
        copy.insert(step, operation["value"])
    else:
        copy[step] = operation["value"]
    return copy
