"""The private PostgreSQL server of tests: empty databases, durability after a crash, removal at the end."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.support.migrated import MigratedDatabase
from tests.support.postgres import Cluster, PostgresFailedError, is_alive
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e

IN_ANOTHER_PROCESS = """
import os, sys
from tests.support.postgres import Cluster
cluster = Cluster.create(durable=False, owner=os.getpid())
cluster.start()
print(cluster.folder, cluster.pid, flush=True)
sys.stdin.read()
"""


def setting(url: str, name: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_setting(%s)", [name]).fetchone()
    assert row is not None
    return str(row[0])


def test_each_test_has_an_empty_database_of_its_own(database_url: str, postgres_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("CREATE TABLE crates (good text)")
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert tables == [("crates",)]
    assert database_url != postgres_url


def test_the_shared_server_does_not_wait_for_the_disk_and_is_not_reached_over_the_network(
    postgres_url: str,
) -> None:
    assert setting(postgres_url, "fsync") == "off"
    assert setting(postgres_url, "listen_addresses") == ""


def test_a_database_is_dropped_even_if_clients_are_connected(postgres_cluster: Cluster) -> None:
    url = postgres_cluster.fresh_database()
    with psycopg.connect(url) as connection:
        postgres_cluster.drop_database(url)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


def test_a_database_can_be_created_as_a_copy_of_another(postgres_cluster: Cluster) -> None:
    original = postgres_cluster.fresh_database()
    with psycopg.connect(original) as connection:
        connection.execute("CREATE TABLE crates (good text)")
    copy = postgres_cluster.fresh_database(
        template=str(psycopg.conninfo.conninfo_to_dict(original)["dbname"])
    )
    with psycopg.connect(copy) as connection:
        assert connection.execute("SELECT count(*) FROM crates").fetchone() == (0,)
    for url in (copy, original):
        postgres_cluster.drop_database(url)


def contents(url: str) -> list[tuple[object, ...]]:
    """All tables with their columns, privileges and number of rows, and the state of all sequences."""
    with psycopg.connect(url) as connection:
        columns = connection.execute(
            "SELECT table_name, column_name, data_type, relacl::text FROM information_schema.columns"
            " JOIN pg_class ON oid = format('%I.%I', table_schema, table_name)::regclass"
            " WHERE table_schema = 'public' ORDER BY table_name, ordinal_position"
        ).fetchall()
        names = sorted({str(name) for name, *_ in columns})
        counts = [connection.execute(f"SELECT '{name}', count(*) FROM {name}").fetchall() for name in names]  # noqa: S608
        sequences = connection.execute(
            "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1"
        ).fetchall()
    return [*columns, *(row for rows in counts for row in rows), *sequences]


@pytest.fixture(scope="module")
def migrated(postgres_cluster: Cluster) -> Iterator[MigratedDatabase]:
    database = MigratedDatabase(postgres_cluster)
    yield database
    postgres_cluster.drop_database(database.url)


@pytest.mark.parametrize(
    "change",
    [
        "SELECT 1",
        "CREATE TABLE crates (good text)",
        "ALTER TABLE players ADD crates INT",
        "GRANT SELECT ON players TO PUBLIC",
        "DROP TABLE draw_counts",
    ],
)
def test_a_migrated_database_is_as_new_after_a_test_that_wrote_rows_or_changed_tables(
    migrated: MigratedDatabase, change: str
) -> None:
    new = contents(migrated.url)
    kontor = Kontor(Settings(database_url=migrated.url))
    kontor.migrate()
    kontor.players.register("Ada", bot=False, key=None, body="")
    kontor.close()
    with psycopg.connect(migrated.url, autocommit=True) as connection:
        connection.execute(change)
        connection.execute("SELECT nextval(format('%I.%I', schemaname, sequencename)) FROM pg_sequences")
        connection.execute("SELECT pg_advisory_lock(1)")
        assert contents(migrated.url) != new
        migrated.empty()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    assert contents(migrated.url) == new


def test_committed_rows_survive_a_crash() -> None:
    with Cluster.temporary(durable=True) as cluster:
        assert setting(cluster.url(), "fsync") == "on"
        with psycopg.connect(cluster.url(), autocommit=True) as connection:
            connection.execute("CREATE TABLE crates (good text)")
            connection.execute("INSERT INTO crates VALUES ('tea')")
            cluster.crash()
        assert cluster.pid is None
        cluster.start()
        with psycopg.connect(cluster.url()) as connection:
            assert connection.execute("SELECT good FROM crates").fetchall() == [("tea",)]
        folder = cluster.folder
    assert not folder.exists()


def test_crashing_a_stopped_server_is_an_error_and_a_failed_start_is_reported_with_its_reason() -> None:
    with Cluster.temporary(durable=False) as cluster:
        cluster.stop()
        with pytest.raises(PostgresFailedError, match="is not running"):
            cluster.crash()
        (cluster.folder / "data" / "PG_VERSION").write_text("1\n", encoding="utf-8")
        with pytest.raises(PostgresFailedError, match=r"did not start: [\s\S]*incompatible"):
            cluster.start()


def test_when_the_owner_is_killed_the_server_is_removed() -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert owner.stdout is not None
    assert owner.stdin is not None
    folder, pid = owner.stdout.readline().split()
    os.kill(owner.pid, signal.SIGKILL)
    owner.wait()
    owner.stdin.close()
    owner.stdout.close()
    assert Path(folder, "data").exists()
    wait_until(lambda: not Path(folder).exists())
    assert not is_alive(int(pid))
