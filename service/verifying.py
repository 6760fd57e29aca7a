"""The offline verifier: takes the export of a match and checks it, with no service and no database.

Every byte counts, since all lines are hashed and signed as a whole; and every fact must follow from the commands by the pinned
rules, every draw from the seed, every hash from the record. The first broken place is named in words.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.audit import Auditor, BrokenRecordError
from domain.chain import GENESIS, commitment_to, hash_of, receipt_text
from domain.codec import MalformedError, Plain, canonical
from domain.entry import Entry, read_facts
from domain.export import FOOTER_PREFIX, FORMAT, export_footer
from domain.match import Match
from service.signatures import is_signed

CHECKS = ("form", "chain", "signatures", "commitment", "draws", "moves and facts", "clocks", "result")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was checked of a good file."""

    match: str
    game: str
    complete: bool
    facts: int
    entries: int
    draws: int
    status: str
    places: tuple[int, ...] | None
    keys: tuple[str, ...]
    checked: tuple[str, ...]


@dataclass(slots=True)
class _File:
    """A file taken apart: its parsed lines, and the raw ones they came from."""

    header: Plain
    facts: list[Plain]
    footer: Plain
    raw: list[bytes]
    keys: dict[str, str] = field(default_factory=dict)


class BrokenFileError(Exception):
    """A file that is not a good export: which line, and what is wrong with it."""

    def __init__(self, line: int, detail: str) -> None:
        """Lines count from 1."""
        super().__init__(f"line {line}: {detail}")
        self.line = line
        self.detail = detail


def verify(content: bytes, trusted_keys: Sequence[str] = ()) -> Verdict:
    """Checks an export; BrokenFileError says where it breaks first. With trusted keys given, only their signatures count."""
    file = _take_apart(content)
    _check_keys(file, trusted_keys)
    _check_closing(file)
    _check_chain(file)
    draws = 0
    if file.header["complete"]:
        draws = _play_again(file)
    return Verdict(
        match=file.header["match"],
        game=file.header["ruleset"]["game"],
        complete=file.header["complete"],
        facts=len(file.facts),
        entries=sum("command" in line for line in file.facts),
        draws=draws,
        status=file.footer["end"],
        places=tuple(file.footer["result"]["places"]) if file.footer["result"] else None,
        keys=tuple(sorted({line["key"] for line in (*file.facts, file.footer) if "key" in line})),
        checked=CHECKS if file.header["complete"] else CHECKS[:3],
    )


def _take_apart(content: bytes) -> _File:
    raw = content.split(b"\n")
    if len(raw) < 4 or raw.pop() != b"":
        raise BrokenFileError(max(1, len(raw)), "the file is cut off")
    lines = [_read_line(number, line) for number, line in enumerate(raw, 1)]
    header = lines[0]
    if header.get("format") != FORMAT:
        raise BrokenFileError(1, f"this is no {FORMAT} file")
    return _File(header, lines[1:-1], lines[-1], raw)


def _read_line(number: int, line: bytes) -> Plain:
    try:
        data = json.loads(line)
    except ValueError:
        raise BrokenFileError(number, "this is not JSON") from None
    if not isinstance(data, dict):
        raise BrokenFileError(number, "this is not a JSON object")
    return data


def _check_keys(file: _File, trusted: Sequence[str]) -> None:
    try:
        file.keys = {key["id"]: key["public_key"] for key in file.header["keys"]}
    except (KeyError, TypeError):
        raise BrokenFileError(1, "the keys can't be read") from None
    for number, line in enumerate((*file.facts, file.footer), 2):
        if "key" in line and (line["key"] not in file.keys or (trusted and file.keys[line["key"]] not in trusted)):
            raise BrokenFileError(number, f"signed with the unknown key {line['key']}")


def _check_closing(file: _File) -> None:
    number = len(file.raw)
    if canonical(file.footer) != file.raw[-1]:
        raise BrokenFileError(number, "this is not canonical JSON")
    claimed = {name: value for name, value in file.footer.items() if name not in ("key", "signature")}
    message = FOOTER_PREFIX + canonical(claimed)
    if not is_signed(file.keys.get(file.footer.get("key", ""), ""), str(file.footer.get("signature")), message):
        raise BrokenFileError(number, "the signature of the whole file is not right")
    if claimed.get("file") != hashlib.sha256(b"".join(line + b"\n" for line in file.raw[:-1])).hexdigest():
        raise BrokenFileError(number, "the lines before are not those that were signed")


def _check_chain(file: _File) -> None:
    before = GENESIS
    for number, line in enumerate(file.facts, 2):
        try:
            before = _check_link(file, number, line, before)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BrokenFileError(number, f"the record can't be read: {error}") from None
    if before != file.footer["head"]:
        raise BrokenFileError(len(file.raw), "the closing line names another head")


def _check_link(file: _File, number: int, line: Plain, before: str) -> str:
    if line["version"] != number - 1 or line["match"] != file.header["match"]:
        raise BrokenFileError(number, "facts are missing, doubled or of another match")
    if line["before"] != before:
        raise BrokenFileError(number, "the chain is broken: this is not what came before")
    if not file.header["complete"]:  # of a complete file, playing it again gives every hash anew
        _check_record(number, line)
    if "signature" in line:
        message = receipt_text(line["match"], line["version"], line["hash"], line["at"])
        if not is_signed(file.keys[line["key"]], line["signature"], message):
            raise BrokenFileError(number, "the signature is not right")
    head: str = line["hash"]
    return head


def _check_record(number: int, line: Plain) -> None:
    """The hash, and that what the reader of a running match was shown of hidden things is what was committed to."""
    for name, salt in line.get("salts", {}).items():
        if commitment_to(line["fact"][name], bytes.fromhex(salt)) != line["sealed"].get(name):
            raise BrokenFileError(number, f"{name} is not what was committed to")
    record = {name: line[name] for name in ("at", "before", "by", "command", "match", "sealed", "seat", "version") if name in line}
    record["fact"] = {name: value for name, value in line["fact"].items() if name not in line["sealed"]}
    if hash_of(record) != line["hash"]:
        raise BrokenFileError(number, "the hash is not that of the record")


def _play_again(file: _File) -> int:
    """Re-decides every command and compares everything; answers how many draws were made."""
    auditor, drawn, line = Auditor(file.header["match"]), 0, 2
    for group in _entries(file.facts):
        entry = _read_entry(line, group, auditor.match)
        try:
            hashes, draws = auditor.take(entry)
        except BrokenRecordError as broken:
            raise BrokenFileError(broken.version + 1, broken.detail) from broken
        if hashes != [fact["hash"] for fact in group]:
            raise BrokenFileError(line, "the hashes are not those of the records")
        if [draw.plain() for draw in draws] != group[0].get("draws", []):
            raise BrokenFileError(line, "the draws are not those of the seed")
        drawn += len(draws)
        line += len(group)
    _check_end(file, auditor.match)
    return drawn


def _entries(facts: Sequence[Plain]) -> list[list[Plain]]:
    """The facts, grouped by the command that caused them."""
    groups: list[list[Plain]] = []
    for fact in facts:
        if "command" in fact or not groups:
            groups.append([])
        groups[-1].append(fact)
    return groups


def _read_entry(number: int, group: list[Plain], match: Match) -> Entry:
    first = group[0]
    if any((fact["at"], fact["by"]) != (first["at"], first["by"]) for fact in group):
        raise BrokenFileError(number, "the facts of one command do not belong together")
    try:
        facts = read_facts([fact["fact"] for fact in group], match.rules if match.version else None)
    except (LookupError, TypeError, ValueError, MalformedError) as error:
        raise BrokenFileError(number, f"a fact can't be read: {error}") from None
    return Entry(first["version"], first["at"], first["by"], first.get("seat"), first.get("command"), "", "", facts)


def _check_end(file: _File, match: Match) -> None:
    number = len(file.raw)
    expected = export_footer(match, file.facts[-1]["hash"], [line + b"\n" for line in file.raw[:-1]])
    for name, value in expected.items():
        if file.footer.get(name) != value:
            raise BrokenFileError(number, f"the closing line is wrong about {name!r}")
    created = match.created
    ruleset = {"game": created.game, "version": created.rules_version, "data": created.data, "data_hash": created.data_hash}
    if file.header["ruleset"] != ruleset or not match.over:
        raise BrokenFileError(1, "the first line does not describe this match")
