"""`kontor backup` and `kontor restore`: nothing is overwritten, and everything is there."""

import stat
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from kontor_games.service.kontor import Kontor as Service
from kontor_games.service.store import backups
from tests.service.cli.conftest import Kontor
from tests.support.postgres import find_binaries


@pytest.fixture(autouse=True)
def programs_of_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(find_binaries()), prepend=":")


def entries_of(service: Service) -> int:
    return int(service.database.read("SELECT COUNT(*) AS n FROM kontor_events")[0]["n"])


def test_a_database_is_backed_up_while_it_is_open_and_restored(
    kontor: Kontor,
    serve: Callable[..., Service],
    store_url: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    service = serve(store_url)
    registered = service.players.register("Ada", bot=False, key=None, body="")
    file = tmp_path / "kontor.backup"
    made = kontor("backup", str(file), "--database", store_url)
    assert made.exit_code == 0, made.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir() if one.name.endswith(".part")] == []
    again = kontor("backup", str(file), "--database", store_url)
    assert (again.exit_code, "exists already" in again.output) == (1, True)
    refused = kontor("restore", str(file), "--database", store_url)
    assert refused.exit_code == 1
    assert "--replace" in refused.output
    if store_url.startswith("sqlite"):
        target = f"sqlite:///{tmp_path}/restored.db"
    else:
        name = f"restored_{tmp_path.name.replace('-', '_')}"
        with psycopg.connect(store_url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
        target = store_url.replace(store_url.split("@/")[1].split("?")[0], name, 1)
    for more in ((), ("--replace",)):
        restored = kontor("restore", str(file), "--database", target, *more)
        assert restored.exit_code == 0, restored.output
    other = serve(target)
    assert other.players.get(registered.player.id).name == "Ada"
    assert other.signer.public_keys() == service.signer.public_keys()
    assert entries_of(other) == entries_of(service)
    other.close()


def test_what_is_no_backup_is_refused_and_changes_nothing(kontor: Kontor, url: str, tmp_path: Path) -> None:
    for name, content in (("letter", b"Dear Ada"), ("cut", backups.SQLITE_MAGIC + b"x" * 90)):
        (tmp_path / name).write_bytes(content)
        refused = kontor("restore", str(tmp_path / name), "--database", f"sqlite:///{tmp_path}/new.db")
        assert refused.exit_code == 1
        assert "is not a " in refused.output
    assert not (tmp_path / "new.db").exists()


def test_a_missing_pg_dump_is_named(
    kontor: Kontor, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    refused = kontor("backup", str(tmp_path / "file"), "--database", database_url)
    assert (refused.exit_code, "pg_dump was not found" in refused.output) == (1, True)
    assert list(tmp_path.glob("*file*")) == []


def test_a_folder_that_cannot_be_written_to_and_a_database_of_another_program_are_named(
    kontor: Kontor, service: Service, url: str, database_url: str, tmp_path: Path
) -> None:
    refused = kontor("backup", str(tmp_path / "nowhere" / "file"), "--database", url)
    assert (refused.exit_code, "cannot be written: No such file or directory" in refused.output) == (1, True)
    refused = kontor("backup", str(tmp_path / "file"), "--database", database_url)
    assert (refused.exit_code, "does not have the tables of this service" in refused.output) == (1, True)
    assert list(tmp_path.glob("*file*")) == []
