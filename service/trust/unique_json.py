"""Reads JSON and refuses objects that name a key twice, which two readers could understand differently."""

import json
from typing import Any

from kontor_games.domain.codec import Plain


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:100]!r} is there twice")
    return found


def read_json(content: str | bytes) -> Plain:
    """Return the value; raise ValueError for anything that is not JSON with unique keys."""
    try:
        return json.loads(content, object_pairs_hook=_unique)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
