"""The private PostgreSQL: it starts, forgets nothing it promised, survives a crash and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests.support.postgres import Cluster, PostgresFailedError, is_alive

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


def test_a_database_is_dropped_whoever_is_connected(postgres_cluster: Cluster) -> None:
    url = postgres_cluster.fresh_database()
    with psycopg.connect(url) as connection:
        postgres_cluster.drop_database(url)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


def test_a_database_can_be_made_as_the_copy_of_another(postgres_cluster: Cluster) -> None:
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


def test_what_was_committed_is_there_after_a_crash() -> None:
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


def test_a_server_that_does_not_run_cannot_crash_and_one_that_cannot_start_says_why() -> None:
    with Cluster.temporary(durable=False) as cluster:
        cluster.stop()
        with pytest.raises(PostgresFailedError, match="does not run"):
            cluster.crash()
        (cluster.folder / "data" / "PG_VERSION").write_text("1\n", encoding="utf-8")
        with pytest.raises(PostgresFailedError, match=r"did not start: [\s\S]*incompatible"):
            cluster.start()


def test_when_the_owner_is_killed_the_server_goes_too() -> None:
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
    deadline = time.monotonic() + 30
    while Path(folder).exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not Path(folder).exists()
    assert not is_alive(int(pid))
