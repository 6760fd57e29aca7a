"""The committed examples are those that the recorder writes, so that a diff shows what changed in answers."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.record import FOLDER

pytestmark = [pytest.mark.slow, pytest.mark.untraced]


def contents(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir())}


def test_a_new_recording_has_the_same_bytes(tmp_path: Path) -> None:
    # In a process of its own, since the installed games and the random bytes belong to the whole process.
    subprocess.run([sys.executable, "-m", "tests.api.record", tmp_path], cwd=FOLDER.parents[1], check=True)
    assert contents(tmp_path) == contents(FOLDER), "record them again: python -m tests.api.record"
