"""`kontor keys` and `kontor migrate`: the signing keys and the role of the service."""

import stat
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from kontor_games.service.kontor import Kontor as Service
from kontor_games.service.settings import Settings
from tests.service.cli.conftest import Kontor


def test_keys_are_moved_into_a_file_that_the_settings_accept(
    kontor: Kontor, service: Service, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.signer.rotate()
    private, file = service.signer.stored_private_keys(), tmp_path / "signing.key"
    moved = kontor("keys", "move", str(file), "--database", url)
    assert moved.exit_code == 0, moved.output
    assert "2 private keys are in" in moved.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert service.signer.stored_private_keys() == []
    settings = Settings.from_environ({"KONTOR_DATABASE_URL": url, "KONTOR_SIGNING_KEY_FILE": str(file)})
    assert list(settings.signing_key_file) == private
    after = Service(settings, service.clock)
    assert after.signer.sign(b"text", service.clock())[0] == service.signer.public_keys()[0].id
    after.close()
    again = kontor("keys", "move", str(tmp_path / "other"), "--database", url)
    assert (again.exit_code, "There are no private keys in the database." in again.output) == (1, True)


def test_an_existing_file_is_not_overwritten(
    kontor: Kontor, service: Service, url: str, tmp_path: Path
) -> None:
    file = tmp_path / "signing.key"
    file.write_text("mine", encoding="ascii")
    refused = kontor("keys", "move", str(file), "--database", url)
    assert (refused.exit_code, "cannot be written: File exists" in refused.output) == (1, True)
    assert file.read_text(encoding="ascii") == "mine"
    assert len(service.signer.stored_private_keys()) == 1


def test_rotating_without_a_new_key_outside_is_explained(
    kontor: Kontor, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KONTOR_SIGNING_KEY", "0f" * 32)
    assert kontor("migrate", "--database", url).exit_code == 0
    refused = kontor("keys", "rotate", "--database", url)
    assert (refused.exit_code, "add a new key there first" in refused.output) == (1, True)


@pytest.fixture
def role(database_url: str) -> Iterator[str]:
    """The name of a role that is removed afterwards."""
    name = f"service_{uuid4().hex[:12]}"
    yield name
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f'DROP OWNED BY "{name}"')
        connection.execute(f'DROP ROLE "{name}"')


def test_migrate_sets_up_the_role_of_the_service(kontor: Kontor, database_url: str, role: str) -> None:
    for _ in range(2):
        done = kontor("migrate", "--database", database_url, "--role", role)
        assert done.exit_code == 0, done.output
        assert f"The role {role} can append to kontor_events" in done.output
    as_role = database_url.replace("postgres@", f"{role}@", 1)
    assert kontor("migrate", "--database", as_role).exit_code == 0
    assert kontor("audit", "--all", "--database", as_role).exit_code == 0


def test_migrate_refuses_an_unsafe_role(kontor: Kontor, database_url: str, url: str) -> None:
    for address, name in ((database_url, "postgres"), (url, "kontor_service")):
        refused = kontor("migrate", "--database", address, "--role", name)
        assert refused.exit_code == 1
    assert "SQLite has no roles" in refused.output


def test_what_only_the_owner_may_do_names_the_missing_right(
    kontor: Kontor, database_url: str, role: str
) -> None:
    missing = kontor("keys", "list", "--database", database_url)
    assert (missing.exit_code, "`kontor migrate` creates them" in missing.output) == (1, True)
    assert kontor("migrate", "--role", role, "--database", database_url).exit_code == 0
    mine = database_url.replace("postgres@", f"{role}@", 1)
    refused = kontor("keys", "rotate", "--database", mine)
    assert refused.exit_code == 1
    assert f"The role {role} lacks a right: permission denied for table signing_keys." in refused.output
    assert "Use the owner of the tables" in refused.output
