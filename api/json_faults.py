"""Finds in a JSON body what the service does not accept: deep nesting, huge numbers, unstorable texts."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from kontor_games.domain.codec import Fault, Plain, pointer_step
from kontor_games.domain.plain import LARGEST

T = TypeVar("T")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that PostgreSQL cannot store in a text: NUL, and surrogates, which UTF-8 cannot encode."""


class HugeNumberError(Exception):
    """The text contains a number that not every parser represents exactly."""


class _Huge:
    """A placeholder for such a number, until its pointer is known."""


_HUGE = _Huge()


def or_huge(parse: Callable[[str], T]) -> Callable[[str], T | _Huge]:
    """Parses numbers like the given function, but puts a placeholder in place of a huge one."""

    def parse_any(text: str) -> T | _Huge:
        try:
            return parse(text)
        except HugeNumberError:
            return _HUGE

    return parse_any


def doubled_name(pairs: Sequence[tuple[str, Plain]]) -> str:
    """The first name that occurs twice among the members of an object."""
    names = [name for name, _ in pairs]
    return next(name for name in names if names.count(name) > 1)


def is_deeper(value: Plain, depth: int) -> bool:
    """Whether lists and objects are nested deeper than allowed."""
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
    """What cannot be stored, with its place."""
    if value is _HUGE:
        yield Fault(pointer, f"must be a number between {-LARGEST} and {LARGEST}")
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
