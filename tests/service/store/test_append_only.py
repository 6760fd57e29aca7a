"""Evidence is only appended to: by a role of PostgreSQL without other rights, and by triggers of SQLite."""

import stat
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError

from kontor_games.service.kontor import Kontor
from kontor_games.service.store.append_only import APPEND_ONLY, UnsafeRoleError
from kontor_games.service.store.schema import MissingTablesError
from tests.service.store.conftest import address_of
from tests.service.tables import ME, OPEN, LocalPlayer, play_to_the_end, start_match
from tests.support.auditing import audit_all

CHANGES = [
    "UPDATE kontor_events SET topic = 'match.play'",
    "UPDATE log_leaves SET version = 1",
    "UPDATE log_checkpoints SET taken_at = 1",
    "UPDATE signing_keys SET created_at = 1",
    *[f"DELETE FROM {name}" for name in APPEND_ONLY],  # noqa: S608
]


def play_a_whole_match(kontor: Kontor) -> str:
    """Do everything that writes to the database: accounts, a whole match, checkpoints, an audit."""
    registered = [kontor.players.register(name, bot=False, key=None, body="") for name in ("Ada", "Bela")]
    callers = [kontor.tokens.authenticate(one.token) for one in registered]
    ada, bela = (LocalPlayer(kontor, caller) for caller in callers if caller)
    left = ada.create(ME, OPEN)
    bela.join(left)
    match_id = start_match(ada, bela)
    play_to_the_end(match_id, ada, bela)
    assert kontor.checkpoints.take() is not None
    assert kontor.audits.audit_ended() == 1
    assert audit_all(kontor).problems == []
    kontor.players.rename(ada.caller, "Ada L.")
    kontor.players.erase(bela.caller)
    return match_id


def test_the_role_of_the_service_plays_a_whole_match(
    start: Callable[..., Kontor], database_url: str, role: str
) -> None:
    start(database_url, service_role=role, service_password=uuid4().hex)
    kontor = start(address_of(role, database_url))
    match_id = play_a_whole_match(kontor)
    assert kontor.queries.visible_match(None, match_id).match.over


@pytest.mark.parametrize("change", CHANGES)
def test_the_role_of_the_service_cannot_change_evidence(
    start: Callable[..., Kontor], database_url: str, role: str, change: str
) -> None:
    owner = start(database_url, service_role=role)
    play_a_whole_match(owner)
    with (
        psycopg.connect(address_of(role, database_url)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"),
    ):
        connection.execute(change)


TAKEN = (
    "INSERT INTO signing_keys VALUES ('0', '', '', 5)",
    "INSERT INTO tokens SELECT 'x', player, 'x', 'l', 'admin', '0000', 0, NULL, NULL FROM tokens LIMIT 1",
    "UPDATE tokens SET scopes = 'play organise account admin'",
    "UPDATE tokens SET expires_at = NULL",
    "UPDATE players SET bot = 1",
    "DELETE FROM players",
    "DELETE FROM matches",
    "DELETE FROM outages",
    "UPDATE settings SET value = ''",
    "INSERT INTO bans SELECT id, 0, '' FROM players LIMIT 1",
    "DELETE FROM bans",
)


@pytest.mark.parametrize("change", TAKEN)
def test_the_role_has_no_right_that_the_service_does_not_use(
    start: Callable[..., Kontor], database_url: str, role: str, change: str
) -> None:
    """Above all, a stolen password neither installs a signing key nor makes an administrator."""
    play_a_whole_match(start(database_url, service_role=role))
    with (
        psycopg.connect(address_of(role, database_url)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(change)


def test_the_role_still_revokes_an_admin_token_that_the_owner_issued(
    start: Callable[..., Kontor], database_url: str, role: str
) -> None:
    owner = start(database_url, service_role=role)
    player = owner.players.register("Ada", bot=False, key=None, body="").player.id
    token = owner.tokens.issue_admin(player, "night shift", None)
    kontor = start(address_of(role, database_url))
    caller = kontor.tokens.authenticate(token.text)
    kontor.tokens.revoke(caller, token.token.id)
    assert not kontor.tokens.is_valid(caller)


def test_an_owner_who_may_not_create_roles_is_told_which_right_is_missing(
    start: Callable[..., Kontor], database_url: str, role: str
) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f'CREATE ROLE "{role}" LOGIN')
        connection.execute(f'GRANT ALL ON SCHEMA public TO "{role}"')
    with pytest.raises(UnsafeRoleError, match=f"The role {role} may not create roles: .* CREATEROLE"):
        start(address_of(role, database_url), service_role=f"{role}_2")


def test_an_owner_who_may_not_set_the_password_is_told_what_to_do(
    start: Callable[..., Kontor], database_url: str, role: str
) -> None:
    owner = f"{role}_owner"
    with psycopg.connect(database_url, autocommit=True) as connection:
        for name in (role, owner):
            connection.execute(f'CREATE ROLE "{name}" LOGIN')
        connection.execute(f'GRANT ALL ON SCHEMA public TO "{owner}"')
    try:
        with pytest.raises(UnsafeRoleError, match=f"The role {owner} may not set the password of {role}: "):
            start(address_of(owner, database_url), service_role=role, service_password=uuid4().hex)
    finally:
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute(f'DROP OWNED BY "{owner}"')
            connection.execute(f'DROP ROLE "{owner}"')


def test_the_role_can_neither_empty_nor_alter_a_table(
    start: Callable[..., Kontor], database_url: str, role: str
) -> None:
    start(database_url, service_role=role)
    for table_name in APPEND_ONLY:
        for sql in (
            f"TRUNCATE {table_name}",
            f"DROP TABLE {table_name}",
            f"ALTER TABLE {table_name} ADD x INT",
        ):
            with (
                psycopg.connect(address_of(role, database_url)) as connection,
                pytest.raises(psycopg.errors.InsufficientPrivilege),
            ):
                connection.execute(sql)


def test_setting_the_role_up_can_be_repeated_and_takes_excessive_rights_back(
    start: Callable[..., Kontor], database_url: str, role: str
) -> None:
    owner = start(database_url, service_role=role)
    owner.database.write((f'GRANT ALL ON kontor_events TO "{role}"', ()))
    owner.migrate()
    owner.migrate()
    with (
        psycopg.connect(address_of(role, database_url)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("DELETE FROM kontor_events")


def test_an_owner_or_superuser_is_refused_as_the_role(
    start: Callable[..., Kontor], database_url: str, role: str
) -> None:
    with pytest.raises(UnsafeRoleError):
        start(database_url, service_role="postgres")
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f'CREATE ROLE "{role}" LOGIN SUPERUSER')
    with pytest.raises(UnsafeRoleError):
        start(database_url, service_role=role)


def test_an_error_about_a_role_without_tables_says_to_migrate(
    start: Callable[..., Kontor], database_url: str, role: str
) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f'CREATE ROLE "{role}" LOGIN')
    with pytest.raises(MissingTablesError, match="Run `kontor migrate --role` as the owner"):
        start(address_of(role, database_url))


@pytest.mark.parametrize("change", CHANGES)
def test_sqlite_refuses_to_change_evidence(start: Callable[..., Kontor], tmp_path: Path, change: str) -> None:
    kontor = start(f"sqlite:///{tmp_path}/kontor.db")
    play_a_whole_match(kontor)
    kontor.database.write(  # every table has a row now
        ("INSERT INTO log_tiles VALUES (0, 0, 1, ?)", [bytes(32)]),
        ("INSERT INTO log_cosignatures VALUES (1, 'w.example/w1', 'a line')", ()),
    )
    with pytest.raises(IntegrityError, match="are evidence and never changed"):
        kontor.database.write((change, ()))


def test_a_role_is_refused_for_sqlite(start: Callable[..., Kontor], tmp_path: Path) -> None:
    with pytest.raises(UnsafeRoleError, match="SQLite has no roles"):
        start(f"sqlite:///{tmp_path}/kontor.db", service_role="kontor_service")


def test_only_its_owner_can_read_a_sqlite_database(start: Callable[..., Kontor], tmp_path: Path) -> None:
    file = tmp_path / "kontor.db"
    start(f"sqlite:///{file}")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    LocalPlayer(start(f"sqlite:///{file}")).create(ME, OPEN)
    assert {
        stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("kontor.db*") if "lead" not in path.name
    } == {0o600}
