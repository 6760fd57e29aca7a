"""Reads an export: checks the form of its lines and the hash chain (docs/export.md, steps 1 to 4)."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any

from kontor_games.domain.chain import COMMAND, commitment_to
from kontor_games.domain.codec import Plain, canonical, digest
from kontor_games.domain.match_stream import MATCHES
from kontor_games.domain.seed import Salts

KeyTypes = Mapping[str, tuple[type, ...]]
"""The keys of an object, and the types that their values may have."""

_HEADER: KeyTypes = {
    "format": (str,),
    "match": (str,),
    "ruleset": (dict,),
    "complete": (bool,),
    "viewer": (int, NoneType),
    "exported_at": (int,),
    "keys": (list,),
}
_FACT: KeyTypes = {
    "at": (int,),
    "before": (str,),
    "by": (str,),
    "fact": (dict,),
    "hash": (str,),
    "match": (str,),
    "sealed": (dict,),
    "version": (int,),
}
_OPTIONAL: KeyTypes = {
    "command": (dict,),
    "draws": (list,),
    "key": (str,),
    "salts": (dict,),
    "sealed_command": (str,),
    "seat": (int, NoneType),
    "signature": (str,),
}
_FOOTER: KeyTypes = {
    "at": (int,),
    "end": (str,),
    "file": (str,),
    "head": (str,),
    "key": (str,),
    "result": (dict, NoneType),
    "signature": (str,),
    "version": (int,),
}
_LINE: KeyTypes = {**_FACT, **_OPTIONAL}
_RECORD = ("at", "before", "by", "match", "sealed", "sealed_command", "seat", "version")


class BrokenFileError(Exception):
    """The file is not a valid export; names the line and the error."""

    def __init__(self, line: int, detail: str) -> None:
        """Lines count from 1."""
        super().__init__(f"line {line}: {detail}")
        self.line = line
        self.detail = detail


@dataclass(frozen=True, slots=True)
class ExportFile:
    """An export, split into header, facts and footer."""

    header: Plain
    facts: list[bytes]
    """The lines between them, not parsed yet; the fact with version n is on line n + 1."""
    footer: Plain
    hash: str
    """SHA-256 of all lines before the last."""

    @property
    def last_line(self) -> int:
        """The number of the closing line."""
        return len(self.facts) + 2


def split_export(content: bytes) -> ExportFile:
    """Split a file into lines and parse the first and the last; the others are parsed when checked."""
    if other := other_kind(content):
        raise BrokenFileError(1, other)
    lines = content.split(b"\n")
    if lines.pop() != b"" or len(lines) < 3:
        raise BrokenFileError(max(1, len(lines)), "the file is truncated")
    header = _read_checked(1, lines[0], _HEADER, _HEADER)
    if header["format"] != MATCHES.format:
        raise BrokenFileError(1, f"this is not a {MATCHES.format} file")
    footer = _read_checked(len(lines), lines[-1], _FOOTER, _FOOTER)
    return ExportFile(header, lines[1:-1], footer, hashlib.sha256(content[: -len(lines[-1]) - 1]).hexdigest())


_OTHER_KINDS = (
    ("legal_moves", _ANSWER := "this is an answer of the service about a match, not its export"),
    ("receipt", _ANSWER),
    ("seats", _ANSWER),
    ("leaf_index", "this is a proof of inclusion: it belongs to --proof"),
    ("proof", "this is a proof of inclusion: it belongs to --proof"),
    ("public_key", "these are keys, not an export"),
    ("keys", "these are the keys of a service: they belong to --keys"),
)
"""Other files of the service, by a key of their JSON object."""
_MAX_OTHER = 1_000_000
_TOURNAMENT = b'"format":"kontor.tournament.'


def other_kind(content: bytes) -> str | None:
    """What a file is, if it is clearly no export of a match, not even a damaged one."""
    if not content.strip():
        return "the file is empty"
    first, _, rest = content.partition(b"\n")
    if b'"format":"kontor.' in first[:_MAX_OTHER]:
        return "this is the export of a tournament, not of a match" if _TOURNAMENT in first else None
    try:
        data = json.loads(content) if len(content) <= _MAX_OTHER else None
    except (ValueError, RecursionError):
        return None if rest.count(b"\n") > 1 else "this is neither an export nor other JSON of the service"
    if not isinstance(data, dict):
        return "this is JSON, but not an export"
    if "status" in data and "code" in data:
        return f"this is an error of the service, not an export: {str(data.get('detail'))[:200]}"
    return next((kind for key, kind in _OTHER_KINDS if key in data), "this is JSON, but not an export")


def _refuse_non_integer(text: str) -> Any:
    raise ValueError(f"{text} is not an integer")


_DECODER = json.JSONDecoder(parse_float=_refuse_non_integer, parse_constant=_refuse_non_integer)


def read_line(number: int, raw: bytes) -> Plain:
    """Parse a line as a JSON object."""
    try:
        data = _DECODER.decode(raw.decode())
    except (ValueError, RecursionError):
        raise BrokenFileError(number, "this is not JSON") from None
    if not isinstance(data, dict):
        raise BrokenFileError(number, "this is not a JSON object")
    return data


def read_canonical(number: int, raw: bytes) -> Plain:
    """Parse a line as a JSON object in canonical form."""
    return _canonical(number, raw, read_line(number, raw))


def _canonical(number: int, raw: bytes, data: Plain) -> Plain:
    try:
        same = canonical(data) == raw
    except (ValueError, RecursionError):
        same = False
    if not same:
        raise BrokenFileError(number, "this is not canonical JSON")
    return data


def _read_checked(number: int, raw: bytes, needed: KeyTypes, known: KeyTypes) -> Plain:
    """Parse a line in canonical form that has all needed keys, no unknown one, and only right types."""
    data = read_line(number, raw)
    for name, value in data.items():
        if type(value) not in known.get(name, ()):
            raise BrokenFileError(
                number, f"{name!r} has the wrong type" if name in known else f"{name!r} is not allowed here"
            )
    for name in needed:
        if name not in data:
            raise BrokenFileError(number, f"{name!r} is missing")
    return _canonical(number, raw, data)


def check_link(number: int, raw: bytes, match_id: str, before: str, salts: Salts | None) -> Plain:
    """Check the version, the chain, the hash and the opened commitments of one line, and return it.

    Without the salts of the match, whose secret is unknown while it runs, the line itself holds the salts of
    the values that it opens.
    """
    line = _read_checked(number, raw, _FACT, _LINE)
    if line["version"] != number - 1 or line["match"] != match_id:
        raise BrokenFileError(number, "facts are missing, duplicated or from another match")
    if line["before"] != before:
        raise BrokenFileError(
            number, "the hash chain is broken: `before` is not the hash of the previous line"
        )
    if ("seat" in line) != ("command" in line or "sealed_command" in line):
        raise BrokenFileError(number, "`seat` must be present exactly where a command is")
    for field, commitment, value in _shown(number, line, complete=salts is not None):
        _check_opening(number, line, field, commitment, value, salts)
    if hash_of_line(line) != line["hash"]:
        raise BrokenFileError(number, "the hash does not match the record: this line was changed")
    return line


def hash_of_line(line: Plain) -> str:
    """The hash of the record of a line, without hidden fields."""
    record = {name: line[name] for name in _RECORD if name in line}
    record["fact"] = {name: value for name, value in line["fact"].items() if name not in line["sealed"]}
    if "command" in line and "sealed_command" not in line:
        record["command"] = line["command"]
    return digest(record)


def _shown(number: int, line: Plain, *, complete: bool) -> Iterator[tuple[str, str, Plain]]:
    """Yield the values of sealed fields that a line discloses: field, commitment, value."""
    sealed = {name: (commitment, line["fact"], name) for name, commitment in line["sealed"].items()}
    if "sealed_command" in line:
        sealed[COMMAND] = (line["sealed_command"], line, "command")
    for field, (commitment, holder, name) in sealed.items():
        if name in holder:
            yield field, commitment, holder[name]
        elif complete:
            raise BrokenFileError(number, f"{name} is missing from a complete export")


def _check_opening(
    number: int, line: Plain, field: str, commitment: str, value: Plain, salts: Salts | None
) -> None:
    try:
        salt = bytes.fromhex(line["salts"][field]) if salts is None else salts.of(line["version"], field)
    except (KeyError, TypeError, ValueError):
        raise BrokenFileError(number, f"the salt for {field} is missing or malformed") from None
    if commitment_to(value, salt) != commitment:
        raise BrokenFileError(number, f"{field} does not match its commitment")
