"""Finds values in a JSON body that are refused: deep nesting, huge numbers, text that can't be stored."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from kontor_games.domain.codec import Fault, Plain, pointer_step
from kontor_games.domain.plain import MAX_INTEGER

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that PostgreSQL cannot store in a text: NUL, and surrogates, which UTF-8 cannot encode."""


class HugeNumberError(Exception):
    """The text contains a number that not every parser represents exactly."""


def duplicate_key(pairs: Sequence[tuple[str, Plain]]) -> str:
    """Return the first key that occurs twice in an object."""
    counts = Counter(name for name, _ in pairs)
    return next(name for name, count in counts.items() if count > 1)


def is_deeper(value: Plain, depth: int) -> bool:
    """Return whether lists and objects are nested deeper than `depth` levels."""
    level = [value]
    for _ in range(depth):
        level = [
            item
            for part in level
            if isinstance(part, dict | list)
            for item in (part.values() if isinstance(part, dict) else part)
        ]
        if not level:
            return False
    return any(isinstance(part, dict | list) for part in level)


def faults_in(value: Plain, pointer: str = "") -> Iterator[Fault]:
    """Yield a fault, with its JSON Pointer, for every value that cannot be stored.

    Numbers that are too large must have been parsed as infinite.
    """
    if isinstance(value, float) and math.isinf(value):
        yield Fault(pointer, f"must be a number between {-MAX_INTEGER} and {MAX_INTEGER}")
    elif isinstance(value, str) and _UNSTORABLE.search(value):
        yield Fault(pointer, "must be Unicode text without NUL and without unpaired surrogates")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from faults_in(item, f"{pointer}/{pointer_step(name)}")
            if _UNSTORABLE.search(name):
                yield Fault(f"{pointer}/{pointer_step(name)}", "must have a name that is valid Unicode text")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from faults_in(item, f"{pointer}/{index}")
