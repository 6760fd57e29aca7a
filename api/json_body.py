"""Reads JSON strictly: a text that two parsers could understand differently is refused.

RFC 8259 leaves open what duplicate keys, huge numbers, lone surrogates or deep nesting mean. Here they are refused.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from kontor_games.api.problems import UnreadableError
from kontor_games.domain.codec import Fault, MalformedError, Plain, pointer_step
from kontor_games.domain.plain import LARGEST

DEPTH = 32
"""How deep lists and objects may be nested."""
_DIGITS = len(str(LARGEST)) + 1
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""What PostgreSQL can't store in a text: NUL, and unpaired surrogates, which UTF-8 can't encode."""


class _HugeNumberError(Exception):
    """There is a number that not every parser keeps exact."""


class _Huge:
    """A placeholder for such a number, until its pointer is known."""


_HUGE = _Huge()


def _integer(text: str) -> int:
    # Checked before the conversion, whose cost grows with the square of the length.
    if len(text) <= _DIGITS and -LARGEST <= (value := int(text)) <= LARGEST:
        return value
    raise _HugeNumberError


def _number(text: str) -> float:
    value = float(text)
    if math.isfinite(value):
        return value
    raise _HugeNumberError


def _integer_or_huge(text: str) -> int | _Huge:
    try:
        return _integer(text)
    except _HugeNumberError:
        return _HUGE


def _number_or_huge(text: str) -> float | _Huge:
    try:
        return _number(text)
    except _HugeNumberError:
        return _HUGE


def _constant(text: str) -> NoReturn:
    raise UnreadableError(f"{text} is not a JSON value.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UnreadableError(f"The key {json.dumps(twice[:50])} occurs twice in one object.")
    return made


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_constant
)
_MARKING_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer_or_huge,
    parse_float=_number_or_huge,
    parse_constant=_constant,
)
"""Puts a placeholder where a huge number is; it is used only for a text that has one."""


def read_json(raw: bytes) -> Plain:
    """The value of a JSON text.

    Raises UnreadableError if it is not JSON, MalformedError if a value cannot be stored.
    """
    try:
        text = raw.decode()
        value, needs_walk = _decode(text)
    except UnicodeDecodeError as error:
        raise UnreadableError(f"The body is not UTF-8 (byte {error.start}).") from error
    except json.JSONDecodeError as error:
        raise UnreadableError(f"{error.msg} at line {error.lineno}, column {error.colno}.") from error
    except RecursionError as error:
        raise UnreadableError(f"The body is nested deeper than {DEPTH} levels.") from error
    _check_depth(value, text)
    if needs_walk and (faults := list(_faults(value, ""))):
        raise MalformedError(faults)
    return value


def _decode(text: str) -> tuple[Plain, bool]:
    r"""The value, and whether it may hold what cannot be stored: huge numbers, or text that was written as `\u…`."""
    try:
        return _DECODER.decode(text), "\\u" in text
    except _HugeNumberError:
        return _MARKING_DECODER.decode(text), True


def _check_depth(value: Plain, text: str) -> None:
    """Refuse deep nesting. Only texts with enough brackets are walked through."""
    if text.count("[") + text.count("{") <= DEPTH:
        return
    level = [value]
    for _ in range(DEPTH):
        level = [
            item
            for part in level
            if isinstance(part, dict | list)
            for item in (part.values() if isinstance(part, dict) else part)
        ]
        if not level:
            return
    if any(isinstance(part, dict | list) for part in level):
        raise UnreadableError(f"The body is nested deeper than {DEPTH} levels.")


def _faults(value: Plain, pointer: str) -> Iterator[Fault]:
    if value is _HUGE:
        yield Fault(pointer, f"must be a number between {-LARGEST} and {LARGEST}")
    elif isinstance(value, str) and _UNSTORABLE.search(value):
        yield Fault(pointer, "must be Unicode text without NUL and without unpaired surrogates")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _faults(item, f"{pointer}/{pointer_step(name)}")
            if _UNSTORABLE.search(name):
                yield Fault(f"{pointer}/{pointer_step(name)}", "must have a name that is valid Unicode text")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _faults(item, f"{pointer}/{index}")
