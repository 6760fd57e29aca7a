"""The journal of many runs: a line of JSON per finished run, so that an interrupted series can continue."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import TracebackType

import msgspec

from tests.simulation.world import Report

ROOT = Path(__file__).parents[2]
PROGRAM = ("api", "domain", "service", "tests/domain/toy", "tests/simulation")
"""The folders on which the course of a run depends."""


def program_digest() -> str:
    """The hash of all files on which the course of a run depends."""
    files = sorted(
        path
        for folder in PROGRAM
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )
    hashed = sha256((ROOT / "constraints.txt").read_bytes())
    for path in files:
        hashed.update(f"{path.relative_to(ROOT)}\n".encode() + sha256(path.read_bytes()).digest())
    return hashed.hexdigest()


class Journal:
    """The finished runs of one version of the program; runs of another version are dropped."""

    def __init__(self, path: Path, moves: int, program: str) -> None:
        self._path = path
        self._header = msgspec.json.encode({"simulation": 1, "moves": moves, "program": program}) + b"\n"

    def __enter__(self) -> "Journal":
        self._path.parent.mkdir(parents=True, exist_ok=True)
        kept = self._path.read_bytes() if self._path.exists() else b""
        if not kept.startswith(self._header):
            kept = self._header
        whole = kept[: kept.rindex(b"\n") + 1]  # the last line is incomplete if the machine crashed
        self._path.write_bytes(whole)
        self._lines = whole.splitlines()[1:]
        self._file = self._path.open("ab", buffering=0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._file.close()

    def finished(self) -> Iterator[Report]:
        """The runs that were in the journal when it was opened."""
        for line in self._lines:
            kept = msgspec.json.decode(line)
            yield Report(**{**kept, "counts": Counter(kept["counts"])})

    def add(self, report: Report) -> None:
        """Write a finished run."""
        shown = replace(report, last_lines=[]) if report.violation is None else report
        self._file.write(msgspec.json.encode(shown) + b"\n")
