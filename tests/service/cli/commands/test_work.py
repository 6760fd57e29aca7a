"""`kontor work` and `kontor migrate` in one process; tests/deploy runs them in processes of their own."""

import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from kontor_games.service.kontor import Kontor as Process
from kontor_games.service.settings import Settings
from tests.service.background.test_house_bots import is_over
from tests.service.cli.conftest import Kontor
from tests.service.tables import LocalPlayer, bot
from tests.support.waiting import SOON_S, wait_until


@pytest.mark.parametrize("command", ["work", "migrate", "serve"])
def test_a_wrong_setting_is_explained_before_anything_starts(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("KONTOR_DATABSE_URL", "sqlite:///nowhere.db")
    ended = kontor(command)
    assert ended.exit_code == 1
    assert "did you mean KONTOR_DATABASE_URL?" in ended.output


def test_migrate_makes_the_tables_and_can_be_repeated(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/new/kontor.db"
    monkeypatch.setenv("KONTOR_DATABASE_URL", url)
    for created in (" (created now)", ""):
        ended = kontor("migrate")
        message = f"Database: {tmp_path}/new/kontor.db{created}\nThe tables are up to date.\n"
        assert (ended.exit_code, ended.output) == (0, message)
    process = Process(Settings(database_url=url))
    assert process.audits.all_matches() == []
    assert len(process.signer.public_keys()) == 1
    process.close()


def test_the_database_of_the_command_line_takes_precedence_over_that_of_the_environment(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KONTOR_DATABASE_URL", f"sqlite:///{tmp_path}/one.db")
    assert str(tmp_path / "two.db") in kontor("migrate", "--database", f"sqlite:///{tmp_path}/two.db").output
    assert [file.name for file in tmp_path.glob("*.db")] == ["two.db"]


def test_by_default_the_database_is_in_the_state_folder(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("KONTOR_DATABASE_URL", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name, created in (("here", " (created now)"), ("elsewhere", "")):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        assert f"Database: {tmp_path}/state/kontor/kontor.db{created}\n" in kontor("migrate").output
        assert list((tmp_path / name).iterdir()) == []


@pytest.mark.parametrize("command", [("work",), ("audit", "--all"), ("keys", "list")])
def test_work_audit_and_keys_do_not_create_a_missing_database(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("KONTOR_DATABASE_URL", f"sqlite:///{tmp_path}/none.db")
    monkeypatch.chdir(tmp_path)
    ended = kontor(*command)
    assert ended.exit_code == 1
    assert (
        ended.output == f"Error: There is no database at {tmp_path}/none.db. "
        "Name one with --database or KONTOR_DATABASE_URL.\n"
    )
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "kontor.db").touch()
    assert "There is one in this folder: --database sqlite:///var/kontor.db\n" in kontor(*command).output


@pytest.mark.parametrize(
    ("url", "message", "logged"),
    [
        (
            "sqlite:////proc/nowhere/kontor.db",
            "The database /proc/nowhere/kontor.db cannot be opened: No such file or directory.",
            "",
        ),
        (
            "sqlite:///{folder}/letter",
            "The database {folder}/letter cannot be opened: file is not a database.",
            "",
        ),
        (
            "postgresql://u:hunter2@127.0.0.1:11/d",
            "The database d on the PostgreSQL server 127.0.0.1:11 cannot be reached.",
            r".*database_unavailable.*port 11 failed: Connection refused.*\n",
        ),
    ],
)
def test_a_database_that_cannot_be_opened_is_named_without_a_traceback(
    kontor: Kontor, tmp_path: Path, url: str, message: str, logged: str
) -> None:
    (tmp_path / "letter").write_text("Dear database," * 100, encoding="utf-8")
    ended = kontor("migrate", "--database", url.format(folder=tmp_path))
    before, _, error = ended.output.rpartition("Error: ")
    assert (ended.exit_code, error) == (1, f"{message.format(folder=tmp_path)}\n")
    assert re.fullmatch(logged, before), "one line with the cause, if it is known"
    assert "hunter2" not in before


def test_searching_bots_play_in_the_processes_of_the_command(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/kontor.db"
    command = [sys.executable, "-m", "kontor_games", "work", "--bots", "--database", url]
    with closing(Process(Settings(database_url=url))) as process:
        process.migrate()
        match_id = LocalPlayer(process).create(bot("search:1"), bot("random"), game="speicherstadt")
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as working:
            wait_until(is_over(process, match_id))
            working.terminate()
            said, _ = working.communicate(timeout=SOON_S)
    assert working.returncode == 0
    assert '"event":"playing_bots"' in said
