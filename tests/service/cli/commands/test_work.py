"""`kontor work` and `kontor migrate`, as far as they can be tried in one process; tests/deploy runs them for real."""

from pathlib import Path

import pytest

from kontor_games.service.kontor import Kontor as Process
from kontor_games.service.settings import Settings
from tests.service.cli.conftest import Kontor


@pytest.mark.parametrize("command", ["work", "migrate"])
def test_a_wrong_setting_is_explained_before_anything_starts(kontor: Kontor, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("KONTOR_DATABSE_URL", "sqlite:///nowhere.db")
    ended = kontor(command)
    assert ended.exit_code == 1
    assert "did you mean KONTOR_DATABASE_URL?" in ended.output


def test_migrate_makes_the_tables_and_can_be_repeated(kontor: Kontor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/new/kontor.db"
    monkeypatch.setenv("KONTOR_DATABASE_URL", url)
    for _ in range(2):
        ended = kontor("migrate")
        assert (ended.exit_code, ended.output) == (0, "The tables are up to date.\n")
    process = Process(Settings(database_url=url))
    assert process.audits.all_matches() == []
    assert len(process.signer.public_keys()) == 1
    process.close()
