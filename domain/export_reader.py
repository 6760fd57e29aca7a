"""An export read back: its lines in the right form, and each fact bound to the one before (docs/export.md, steps 1 to 4)."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any

from kontor_games.domain.chain import COMMAND, commitment_to, salt_of
from kontor_games.domain.codec import Plain, canonical, digest
from kontor_games.domain.export import FORMAT

Form = Mapping[str, tuple[type, ...]]
"""The keys of an object, and what may stand there."""

_HEADER: Form = {
    "format": (str,),
    "match": (str,),
    "ruleset": (dict,),
    "complete": (bool,),
    "viewer": (int, NoneType),
    "exported_at": (int,),
    "keys": (list,),
}
_FACT: Form = {
    "at": (int,),
    "before": (str,),
    "by": (str,),
    "fact": (dict,),
    "hash": (str,),
    "match": (str,),
    "sealed": (dict,),
    "version": (int,),
}
_SOMETIMES: Form = {
    "command": (dict,),
    "draws": (list,),
    "key": (str,),
    "salts": (dict,),
    "sealed_command": (str,),
    "seat": (int, NoneType),
    "signature": (str,),
}
_FOOTER: Form = {
    "at": (int,),
    "end": (str,),
    "file": (str,),
    "head": (str,),
    "key": (str,),
    "result": (dict, NoneType),
    "signature": (str,),
    "version": (int,),
}
_LINE: Form = {**_FACT, **_SOMETIMES}
_RECORD = ("at", "before", "by", "match", "sealed", "sealed_command", "seat", "version")


class BrokenFileError(Exception):
    """A file that is not a good export: which line, and what is wrong with it."""

    def __init__(self, line: int, detail: str) -> None:
        """Lines count from 1."""
        super().__init__(f"line {line}: {detail}")
        self.line = line
        self.detail = detail


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file taken apart."""

    header: Plain
    facts: list[bytes]
    """The lines between, not read yet: that of version n has the number n + 1."""
    footer: Plain
    hash: str
    """Of all lines before the last."""

    @property
    def last_line(self) -> int:
        """The number of the closing line."""
        return len(self.facts) + 2


def take_apart(content: bytes) -> ExportFile:
    """Reads the first and the last line of a file; those between are read when they are checked."""
    lines = content.split(b"\n")
    if lines.pop() != b"" or len(lines) < 3:
        raise BrokenFileError(max(1, len(lines)), "the file is truncated")
    header = _outer_line(1, lines[0], _HEADER)
    if header["format"] != FORMAT:
        raise BrokenFileError(1, f"this is not a {FORMAT} file")
    footer = _outer_line(len(lines), lines[-1], _FOOTER)
    return ExportFile(header, lines[1:-1], footer, hashlib.sha256(content[: -len(lines[-1]) - 1]).hexdigest())


def _outer_line(number: int, raw: bytes, form: Form) -> Plain:
    data = read_line(number, raw)
    _check_form(number, data, form, form)
    _check_canonical(number, raw, data)
    return data


def _no_fraction(text: str) -> Any:
    raise ValueError(f"{text} is not an integer")


_DECODER = json.JSONDecoder(parse_float=_no_fraction, parse_constant=_no_fraction)


def read_line(number: int, raw: bytes) -> Plain:
    """The object on a line."""
    try:
        data = _DECODER.decode(raw.decode())
    except (ValueError, RecursionError):
        raise BrokenFileError(number, "this is not JSON") from None
    if not isinstance(data, dict):
        raise BrokenFileError(number, "this is not a JSON object")
    return data


def _check_form(number: int, data: Plain, needed: Form, known: Form) -> None:
    """The keys that must be there, those that may be, no others, and each with a value of the right type."""
    for name, value in data.items():
        if type(value) not in known.get(name, ()):
            raise BrokenFileError(
                number, f"{name!r} has the wrong type" if name in known else f"{name!r} is not allowed here"
            )
    for name in needed:
        if name not in data:
            raise BrokenFileError(number, f"{name!r} is missing")


def _check_canonical(number: int, raw: bytes, data: Plain) -> None:
    try:
        same = canonical(data) == raw
    except (ValueError, RecursionError):
        same = False
    if not same:
        raise BrokenFileError(number, "this is not canonical JSON")


def check_link(number: int, raw: bytes, match_id: str, before: str, secret: str | None) -> Plain:
    """A line that holds together by itself: its place, its hash, and that what it shows of the hidden is what was committed to.

    Without the server's secret, as long as the match runs, a hidden value that is shown comes with its salt.
    """
    line = read_line(number, raw)
    _check_form(number, line, _FACT, _LINE)
    _check_canonical(number, raw, line)
    if line["version"] != number - 1 or line["match"] != match_id:
        raise BrokenFileError(number, "facts are missing, duplicated or from another match")
    if line["before"] != before:
        raise BrokenFileError(
            number, "the hash chain is broken: `before` is not the hash of the previous line"
        )
    if ("seat" in line) != ("command" in line or "sealed_command" in line):
        raise BrokenFileError(number, "`seat` must be present exactly where a command is")
    for field, commitment, value in _shown(number, line, complete=secret is not None):
        _check_opening(number, line, field, commitment, value, secret)
    if hash_of_line(line) != line["hash"]:
        raise BrokenFileError(number, "the hash does not match the record: this line was changed")
    return line


def hash_of_line(line: Plain) -> str:
    """The hash of the record that a line holds, without what is hidden."""
    record = {name: line[name] for name in _RECORD if name in line}
    record["fact"] = {name: value for name, value in line["fact"].items() if name not in line["sealed"]}
    if "command" in line and "sealed_command" not in line:
        record["command"] = line["command"]
    return digest(record)


def _shown(number: int, line: Plain, *, complete: bool) -> Iterator[tuple[str, str, Plain]]:
    """What a line shows of the hidden: field, commitment, value."""
    sealed = {name: (commitment, line["fact"], name) for name, commitment in line["sealed"].items()}
    if "sealed_command" in line:
        sealed[COMMAND] = (line["sealed_command"], line, "command")
    for field, (commitment, holder, name) in sealed.items():
        if name in holder:
            yield field, commitment, holder[name]
        elif complete:
            raise BrokenFileError(number, f"{name} is missing from a complete export")


def _check_opening(
    number: int, line: Plain, field: str, commitment: str, value: Plain, secret: str | None
) -> None:
    try:
        salt = (
            bytes.fromhex(line["salts"][field]) if secret is None else salt_of(secret, line["version"], field)
        )
    except (KeyError, TypeError, ValueError):
        raise BrokenFileError(number, f"the salt for {field} is missing or malformed") from None
    if commitment_to(value, salt) != commitment:
        raise BrokenFileError(number, f"{field} does not match its commitment")
