"""Reads JSON bodies strictly: refuses what parsers may read in different ways or what cannot be stored."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NoReturn

from kontor_games.api.problems import UnreadableError
from kontor_games.domain.codec import Fault, MalformedError, Plain, pointer_step
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


DEPTH = 32
"""How deep lists and objects may be nested."""
_DIGITS = len(str(MAX_INTEGER)) + 1


def _integer(text: str) -> int:
    # The length is checked before the conversion, whose cost is quadratic in it.
    if len(text) <= _DIGITS and -MAX_INTEGER <= (value := int(text)) <= MAX_INTEGER:
        return value
    raise HugeNumberError


def _integer_or_infinity(text: str) -> float:
    try:
        return _integer(text)
    except HugeNumberError:
        return math.inf


def _number(text: str) -> float:
    value = float(text)
    if math.isfinite(value):
        return value
    raise HugeNumberError


def _constant(text: str) -> NoReturn:
    raise UnreadableError(f"{text} is not a JSON value.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise UnreadableError(f"The key {json.dumps(duplicate_key(pairs)[:50])} occurs twice in one object.")
    return made


_decoder = partial(json.JSONDecoder, object_pairs_hook=_object, parse_constant=_constant)
_DECODER = _decoder(parse_int=_integer, parse_float=_number)
_LENIENT_DECODER = _decoder(parse_int=_integer_or_infinity)
"""A decoder that returns infinity for a huge number; used only for texts that contain one."""


def read_json(raw: bytes) -> Plain:
    """Parse a JSON text; raise UnreadableError if it is not JSON, MalformedError if a value is refused."""
    try:
        text = raw.decode()
        value, needs_walk = _decode(text)
    except UnicodeDecodeError as error:
        raise UnreadableError(f"The body is not UTF-8 (byte {error.start}).") from error
    except json.JSONDecodeError as error:
        raise UnreadableError(f"{error.msg} at line {error.lineno}, column {error.colno}.") from error
    except RecursionError as error:
        raise UnreadableError(f"The body is nested deeper than {DEPTH} levels.") from error
    if text.count("[") + text.count("{") > DEPTH and is_deeper(value, DEPTH):
        raise UnreadableError(f"The body is nested deeper than {DEPTH} levels.")
    if needs_walk and (faults := list(faults_in(value))):
        raise MalformedError(faults)
    return value


def _decode(text: str) -> tuple[Plain, bool]:
    r"""Return the value, and whether it can contain values that cannot be stored (huge numbers, `\u…`)."""
    try:
        return _DECODER.decode(text), "\\u" in text
    except HugeNumberError:
        return _LENIENT_DECODER.decode(text), True
