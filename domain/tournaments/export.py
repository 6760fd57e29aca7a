"""The export of a tournament: one file of lines in canonical JSON (docs/tournaments.md).

The first line describes the file; then one line for each fact; then every finished match, announced by a
line and followed by the lines of its own export; the last line closes the file with the standings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from kontor_games.domain.codec import Plain, canonical
from kontor_games.domain.export_reader import BrokenFileError, read_canonical
from kontor_games.domain.tournaments.stream import TOURNAMENTS


@dataclass(frozen=True, slots=True)
class TournamentFile:
    """An export, split into its parts."""

    header: Mapping[str, Plain]
    records: list[Mapping[str, Plain]]
    matches: dict[str, bytes]
    """The exports of matches, by id."""
    match_lines: dict[str, int]
    """The line on which each of them begins."""
    footer: Mapping[str, Plain]
    hash: str
    """SHA-256 of all lines before the last."""


def match_lines(matches: Mapping[str, bytes]) -> bytes:
    """Return the lines with the exports of matches, each announced by a line."""
    parts = []
    for match, content in matches.items():
        parts += [canonical({"export": match, "lines": content.count(b"\n")}) + b"\n", content]
    return b"".join(parts)


def is_tournament(content: bytes) -> bool:
    """Return whether the first line of a file declares the export of a tournament."""
    return b'"format":"' + TOURNAMENTS.format.encode() + b'"' in content[: content.find(b"\n") + 1]


def tournament_id_of(content: bytes) -> str:
    """Return the tournament that the first line of an export names."""
    return str(read_canonical(1, content.split(b"\n", 1)[0]).get("tournament"))


def read_file(content: bytes) -> TournamentFile:
    """Split an export; raise BrokenFileError for a line that does not belong there."""
    lines = content.split(b"\n")
    if len(lines) < 4 or lines.pop() != b"":
        raise BrokenFileError(len(lines), "the file is truncated")
    header, footer = read_canonical(1, lines[0]), read_canonical(len(lines), lines[-1])
    if header.get("format") != TOURNAMENTS.format or not isinstance(header.get("tournament"), str):
        raise BrokenFileError(1, "this is not an export of a tournament")
    records: list[Mapping[str, Plain]] = []
    matches: dict[str, bytes] = {}
    starts: dict[str, int] = {}
    between = enumerate(lines[1:-1], 2)
    for number, raw in between:
        line = read_canonical(number, raw)
        if "export" not in line:
            if matches:
                raise BrokenFileError(number, "a fact follows the exports of matches")
            records.append(line)
            continue
        match, count = line.get("export"), line.get("lines")
        if not isinstance(match, str) or not isinstance(count, int) or match in matches or count < 1:
            raise BrokenFileError(number, "a match is announced wrongly or twice")
        exported = [one + b"\n" for _, one in islice(between, count)]
        if len(exported) < count:
            raise BrokenFileError(number, "the file is truncated in this match")
        matches[match] = b"".join(exported)
        starts[match] = number + 1
    body = content[: len(content) - len(lines[-1]) - 1]
    return TournamentFile(header, records, matches, starts, footer, sha256(body).hexdigest())
