"""Commands of the runbook that need no container, run as they stand."""

import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

RUNBOOK = (Path(__file__).parents[2] / "deploy/RUNBOOK.md").read_text(encoding="utf-8")
[BACKUP] = re.findall(r"^python3 (-c .+)$", RUNBOOK, re.MULTILINE)


def back_up(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *shlex.split(BACKUP)], cwd=folder, capture_output=True, text=True, check=False
    )


def test_the_backup_of_sqlite_holds_everything_that_was_committed_while_the_database_is_open(
    tmp_path: Path,
) -> None:
    (tmp_path / "var").mkdir()
    database = sqlite3.connect(tmp_path / "var/kontor.db")
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE kontor_events (state TEXT)")
    database.execute("INSERT INTO kontor_events VALUES ('committed')")
    database.commit()
    database.execute("INSERT INTO kontor_events VALUES ('not committed')")
    assert back_up(tmp_path).returncode == 0
    copy = sqlite3.connect(tmp_path / "kontor-copy.db")
    assert copy.execute("SELECT state FROM kontor_events").fetchall() == [("committed",)]
    database.close()
    copy.close()


def test_a_backup_in_the_wrong_folder_fails_and_makes_no_empty_copy(tmp_path: Path) -> None:
    assert back_up(tmp_path).returncode != 0
    assert list(tmp_path.iterdir()) == []
