"""The journal of a contest: a file with one line of JSON per match, from which an interrupted run resumes.

The first line identifies the contest. The lines of the matches follow in order, so that the file is the same,
byte for byte, wherever the matches were played.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from kontor_games.domain.codec import Plain
from kontor_games.service.arena.contest import Contest, Outcome
from kontor_games.service.errors import OperatorError

_FLUSH_S = 1.0
"""How often the file is flushed; after a crash, the matches since the last flush are played again."""
encode_outcome = msgspec.json.Encoder().encode
decode_outcome = msgspec.json.Decoder(Outcome).decode


class JournalError(OperatorError):
    """The file is not the journal of this contest."""


def describe(contest: Contest) -> dict[str, Plain]:
    """Everything that determines the outcomes of a contest, except the code."""
    return {
        "game": contest.game,
        "ruleset": {
            "version": contest.rules.version,
            "data_set": contest.data.name,
            "data_hash": contest.data.hash,
        },
        "options": contest.rules.options_shape.encode(contest.options),
        "bots": list(contest.bots),
        "seed": contest.seed,
        "duplicate": contest.duplicate,
    }


class Journal:
    """A journal that is read first and then appended to; a context manager."""

    def __init__(self, path: Path, contest: Contest) -> None:
        """Open or create the file; raise JournalError if it belongs to another contest."""
        self._path = path
        self._header = msgspec.json.encode({"journal": 1, **describe(contest)}) + b"\n"
        self._flushed = time.monotonic()
        try:
            self._file: BinaryIO = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b")
        except OSError as error:
            raise JournalError(f"{path} can't be opened: {error.strerror}.") from error
        header = self._file.readline()
        if not header:
            self._file.write(self._header)
        elif header != self._header:
            self._file.close()
            raise JournalError(
                f"{path} is not the journal of these matches{_difference(header, self._header)}."
            )

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def recorded(self, limit: int) -> Iterator[Outcome]:
        """Yield at most `limit` outcomes of the journal; an incomplete last line is removed."""
        for number in range(limit):
            start = self._file.tell()
            line = self._file.readline()
            if not line.endswith(b"\n"):
                self._file.seek(start)
                self._file.truncate()
                return
            yield self._outcome(line, number)

    def _outcome(self, line: bytes, number: int) -> Outcome:
        try:
            outcome = decode_outcome(line)
        except msgspec.DecodeError as error:
            raise JournalError(f"{self._path}, line {number + 2}: {error}.") from error
        if outcome.number != number:
            raise JournalError(f"{self._path}, line {number + 2}: match {number} should be here.")
        return outcome

    def add(self, outcome: Outcome) -> None:
        self._file.write(encode_outcome(outcome) + b"\n")
        if time.monotonic() - self._flushed > _FLUSH_S:
            self._file.flush()
            self._flushed = time.monotonic()


def _difference(found: bytes, expected: bytes) -> str:
    """Return the first field in which two headers differ, in words."""
    try:
        theirs, ours = msgspec.json.decode(found), msgspec.json.decode(expected)
        differing = next((key for key in ours if theirs.get(key) != ours[key]), None)
    except (msgspec.DecodeError, AttributeError):
        return ""
    if differing is None:
        return ""
    return f": its {differing} is {msgspec.json.encode(theirs.get(differing)).decode()}"
