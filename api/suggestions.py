"""Suggestions for names and paths that do not exist: the nearest ones that do."""

from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from urllib.parse import quote

from werkzeug.routing import Map

_MAX_LENGTH = 100
"""Longer names and paths are not compared; comparing takes quadratic time."""
_MAX_LISTED = 20
_SIMILAR = 0.7
PATHS = "`/docs` and `/openapi.json` list all paths."


def near_name(name: str, known: Sequence[str]) -> str:
    """What to add to the statement that a name is unknown: the nearest known one, or all if they are few."""
    if len(name) <= _MAX_LENGTH and (near := get_close_matches(name, known, 1, _SIMILAR)):
        return f"; did you mean `{near[0]}`?"
    if not known:
        return "; there are none here"
    listed = ", ".join(known[:_MAX_LISTED])
    return f"; known are {listed}" + (" and others" if len(known) > _MAX_LISTED else "")


def near_path(paths: Map, path: str) -> str:
    """The detail of the problem that a path leads nowhere, with the path that was probably meant."""
    near = _nearest(_templates(paths), path) if len(path) <= _MAX_LENGTH else None
    meant = f" Did you mean `{near}`?" if near else ""
    return f"There is no resource at this path.{meant} {PATHS}"


@lru_cache(maxsize=4)
def _templates(paths: Map) -> list[list[str]]:
    """The paths of the operations, with `*` for their parameters; files of the page are left out."""
    split = [rule.rule.split("/") for rule in paths.iter_rules()]
    return [
        ["*" if part.startswith("<") else part for part in parts]
        for parts in split
        if not any("path:" in part or "." in part for part in parts)
    ]


def _nearest(templates: list[list[str]], path: str) -> str | None:
    """The path of an operation that is most like another path, with the same parameters."""
    trimmed = "/" + path.strip("/")
    for wanted in (trimmed, f"/v1{trimmed}"):
        parts = wanted.split("/")
        found = [(_likeness(own, parts), own) for own in templates if len(own) == len(parts)]
        likeness, own = max(found, default=(0.0, []))
        if likeness:
            pairs = zip(own, parts, strict=True)
            return quote("/".join(part if name == "*" else name for name, part in pairs))
    return None


def _likeness(own: list[str], parts: list[str]) -> float:
    """How alike the fixed parts of two paths are, from 0 to 1; 0 if any of them is too different."""
    product = 1.0
    for name, part in zip(own, parts, strict=True):
        if name not in ("*", part):
            ratio = SequenceMatcher(None, name, part).ratio()
            product *= ratio if ratio >= _SIMILAR else 0.0
        if not product or (name == "*" and not part):
            return 0.0
    return product
