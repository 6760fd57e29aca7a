"""Runs the JavaScript verifier on files."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/verifier"
VERIFIER = FOLDER / "verify.mjs"


def node(
    *arguments: str | Path, program: Path = VERIFIER, options: Sequence[str] = ()
) -> tuple[int, list[str]]:
    """Run a program with Node.js; return its exit code and the lines of its output."""
    done = subprocess.run(
        ["node", *options, program, *arguments], capture_output=True, text=True, check=False, timeout=300
    )
    return done.returncode, (done.stdout + done.stderr).splitlines()


def written(folder: Path, contents: Sequence[bytes]) -> list[Path]:
    """Write each content to a file; return the paths."""
    files = [folder / f"{number}.ndjson" for number in range(len(contents))]
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(content)
    return files


def verdicts(folder: Path, contents: Sequence[bytes], *options: str | Path) -> list[dict[str, Any]]:
    """The verdict on each content; one process verifies all."""
    done = subprocess.run(
        ["node", VERIFIER, *written(folder, contents), "--json", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def problems(folder: Path, contents: Sequence[bytes], *options: str | Path) -> list[str | None]:
    """The reason why each content is refused; None if it is valid."""
    return [one.get("problem") for one in verdicts(folder, contents, *options)]


def refused(folder: Path, forged: dict[str, bytes], *options: str | Path) -> dict[str, str | None]:
    """The reason why each forgery is refused, by its name."""
    return dict(zip(forged, problems(folder, list(forged.values()), *options), strict=True))
