"""JSON as it is read from strangers: every reader of the same bytes must understand the same thing, or nobody does.

RFC 8259 leaves open what duplicate keys, huge numbers, lone surrogates or deep nesting mean. Here they mean a refusal.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from kontor_games.domain.codec import Fault, MalformedError, Plain
from kontor_games.domain.plain import LARGEST

DEPTH = 32
"""How deep lists and objects may be nested: no request needs a tenth of it."""
_DIGITS = len(str(LARGEST)) + 1
_SUSPICIOUS = re.compile(r"\\u|\d{16}|\d[eE]")
r"""What a text must hold to be walked through: NUL and half surrogates are written `\u…`, huge numbers with many digits or an exponent."""


class UnreadableError(ValueError):
    """The request body is not valid JSON."""


class _Huge:
    """Stands for a number that not every reader keeps exact, until its place in the document is known."""


_HUGE = _Huge()


def _integer(text: str) -> Any:
    # Checked before the conversion, whose cost grows with the square of the length.
    return int(text) if len(text) <= _DIGITS and abs(int(text)) <= LARGEST else _HUGE


def _number(text: str) -> Any:
    value = float(text)
    return value if math.isfinite(value) else _HUGE


def _constant(text: str) -> Any:
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


def read_json(raw: bytes) -> Plain:
    """The value of a JSON text; UnreadableError for what is none, MalformedError for values nobody could store or send back."""
    try:
        text = raw.decode()
        value = _DECODER.decode(text)
    except UnicodeDecodeError as error:
        raise UnreadableError(f"The body is not UTF-8 (byte {error.start}).") from error
    except json.JSONDecodeError as error:
        raise UnreadableError(f"{error.msg} at line {error.lineno}, column {error.colno}.") from error
    except RecursionError as error:
        raise UnreadableError(f"The body is nested deeper than {DEPTH} levels.") from error
    _check_depth(value, text)
    faults = list(_faults(value, "")) if _SUSPICIOUS.search(text) else []
    if faults:
        raise MalformedError(faults)
    return value


def _check_depth(value: Plain, text: str) -> None:
    """Few texts have enough brackets to be too deep, so few are walked through."""
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
    if any(isinstance(part, dict | list) for part in level):
        raise UnreadableError(f"The body is nested deeper than {DEPTH} levels.")


def _faults(value: Plain, at: str) -> Iterator[Fault]:
    if value is _HUGE:
        yield Fault(at, f"must be a number between {-LARGEST} and {LARGEST}")
    elif isinstance(value, str) and not _storable(value):
        yield Fault(at, "must be Unicode text without NUL and without unpaired surrogates")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _faults(item, f"{at}/{pointer_step(name)}")
            if not _storable(name):
                yield Fault(f"{at}/{pointer_step(name)}", "must have a name that is valid Unicode text")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _faults(item, f"{at}/{index}")


def _storable(text: str) -> bool:
    """PostgreSQL keeps no NUL, and half a surrogate pair has no UTF-8."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def pointer_step(name: str) -> str:
    """A key as one step of a JSON Pointer (RFC 6901), fit to be sent back."""
    text = name.encode(errors="replace").decode().replace("\0", "?")
    return text.replace("~", "~0").replace("/", "~1")
