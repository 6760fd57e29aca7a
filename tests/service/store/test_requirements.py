"""The requirements on the database are checked at the start; unsuitable databases are refused."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner
from psycopg import sql

from kontor_games.service.cli import main
from kontor_games.service.errors import UnavailableError
from kontor_games.service.settings import Settings
from kontor_games.service.store import requirements
from kontor_games.service.store.requirements import (
    UnsuitableDatabaseError,
    check_database,
    check_database_if_reachable,
    check_postgres,
    check_sqlite,
    wait_for_database,
)
from tests.support.postgres import Cluster, unprivileged_user
from tests.support.serving import ROOT, free_port
from tests.support.waiting import wait_until

PGBOUNCER = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"


@contextmanager
def pooled(database_url: str, mode: str, *, round_robin: bool = False) -> Iterator[str]:
    """Run PgBouncer in front of a database; give the address of the database behind it."""
    parts, port = psycopg.conninfo.conninfo_to_dict(database_url), free_port()
    url = f"postgresql://{parts['user']}@127.0.0.1:{port}/{parts['dbname']}"
    settings = {
        "listen_addr": "127.0.0.1",
        "listen_port": port,
        "unix_socket_dir": "",
        "auth_type": "any",
        "pool_mode": mode,
        "server_round_robin": int(round_robin),
    }
    text = f"[databases]\n* = host={parts['host']} user={parts['user']}\n[pgbouncer]\n"
    text += "".join(f"{name} = {value}\n" for name, value in settings.items())
    with tempfile.TemporaryDirectory(prefix="kontor-pgbouncer-") as folder:
        conf = Path(folder) / "pgbouncer.ini"
        conf.write_text(text, encoding="utf-8")
        if user := unprivileged_user():  # it refuses to run as root
            shutil.chown(folder, user)
        process = subprocess.Popen([PGBOUNCER, conf], stderr=subprocess.DEVNULL, cwd="/", user=user)
        try:
            wait_until(lambda: answers(url))
            yield url
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def answers(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.mark.parametrize("round_robin", [False, True])
@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_a_pooler_that_shares_sessions_is_refused(postgres_url: str, mode: str, round_robin: bool) -> None:
    with (
        pooled(postgres_url, mode, round_robin=round_robin) as url,
        pytest.raises(UnsuitableDatabaseError, match="set pool_mode = session in PgBouncer"),
    ):
        check_postgres(url)


def test_a_pooler_that_keeps_sessions_is_accepted(postgres_url: str) -> None:
    with pooled(postgres_url, "session") as url:
        check_postgres(url)


def test_serve_work_and_gunicorn_refuse_a_pooler_in_transaction_mode(
    postgres_url: str,
) -> None:
    wanted = (
        r"Error: Sessions of the database are not kept\. A pooler in transaction or statement mode does that:"
        r" connect to PostgreSQL itself, or set pool_mode = session in PgBouncer\."
    )
    with pooled(postgres_url, "transaction") as url:
        for command in (
            ["kontor_games", "serve", "--port", str(free_port())],
            ["kontor_games", "work"],
            ["gunicorn", "--config", "deploy/gunicorn.conf.py"],
        ):
            environment = {**os.environ, "KONTOR_DATABASE_URL": url, "BIND": f"127.0.0.1:{free_port()}"}
            ended = subprocess.run(
                [sys.executable, "-m", *command],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                timeout=60,
            )
            assert ended.returncode == 1
            assert re.search(rf"^{wanted}$", ended.stderr, re.MULTILINE), ended.stderr
            assert "Traceback" not in ended.stderr


def test_a_suitable_database_is_accepted(postgres_url: str) -> None:
    check_database(Settings(database_url=postgres_url))
    check_database(Settings(database_url="sqlite:///anything.db"))


def test_another_encoding_is_refused(postgres_cluster: Cluster) -> None:
    with psycopg.connect(postgres_cluster.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    try:
        with pytest.raises(UnsuitableDatabaseError, match="encoding of the database is LATIN1"):
            check_postgres(postgres_cluster.url("latin"))
    finally:
        postgres_cluster.drop_database(postgres_cluster.url("latin"))


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("default_transaction_isolation", "serializable", "isolation of transactions is serializable"),
        ("default_transaction_read_only", "on", "can only be read: name the primary"),
    ],
)
def test_an_unsuitable_default_setting_of_the_database_is_refused(
    postgres_cluster: Cluster, parameter: str, value: str, message: str
) -> None:
    url = postgres_cluster.fresh_database()
    name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
    statement = sql.SQL("ALTER DATABASE {} SET {} = {}").format(
        sql.Identifier(name), sql.Identifier(parameter), value
    )
    with psycopg.connect(postgres_cluster.url(), autocommit=True) as connection:
        connection.execute(statement)
    with pytest.raises(UnsuitableDatabaseError, match=message):
        check_postgres(url)
    postgres_cluster.drop_database(url)


def test_old_releases_are_refused(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requirements, "MIN_POSTGRES", 99)
    with pytest.raises(UnsuitableDatabaseError, match=r"is too old: upgrade the server to 99 or newer\."):
        check_postgres(postgres_url)
    with pytest.raises(
        UnsuitableDatabaseError, match=r"SQLite 3\.20\.1 is too old: use a Python with SQLite 3\.24\.0"
    ):
        check_sqlite((3, 20, 1))


class Faulty(psycopg.Connection[Any]):
    """A session of a faulty server: locks have no effect, or notices are lost."""

    fault = ""

    def execute(self, query: Any, *arguments: Any, **more: Any) -> Any:
        instead = {"locks": "SELECT true WHERE %s::bigint IS NOT NULL", "notices": "SELECT %s::text"}
        if self.fault == "locks" and "pg_try_advisory_lock" in str(query):
            query = instead["locks"]
        if self.fault == "notices" and "pg_notify" in str(query):
            query = instead["notices"]
        return super().execute(query, *arguments, **more)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("locks", "Advisory locks do not hold between two sessions"),
        ("notices", r"Notifications \(LISTEN and NOTIFY\) do not reach other sessions"),
    ],
)
def test_locks_that_do_not_hold_and_notices_that_are_lost_are_refused(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, broken: str, message: str
) -> None:
    monkeypatch.setattr(Faulty, "fault", broken)
    monkeypatch.setattr(requirements, "_NOTIFY_S", 0.2)
    connect: Callable[..., Any] = Faulty.connect
    monkeypatch.setattr(psycopg, "connect", connect)
    with pytest.raises(UnsuitableDatabaseError, match=message):
        check_postgres(postgres_url)


def test_an_unavailable_database_is_not_reported_as_unsuitable() -> None:
    settings = Settings(database_url="postgresql://u:hunter2@127.0.0.1:1/d")
    check_database_if_reachable(settings)
    with pytest.raises(UnavailableError):
        check_database(settings)


def test_migrate_reports_an_unsuitable_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(requirements, "MIN_SQLITE", (99, 0, 0))
    ended = CliRunner().invoke(main, ["migrate", "--database", f"sqlite:///{tmp_path}/kontor.db"])
    assert ended.exit_code == 1
    assert ended.output.endswith("use a Python with SQLite 99.0.0 or newer.\n")


def test_a_database_that_is_down_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[None] = []

    def check(_: Settings) -> None:
        attempts.append(None)
        if len(attempts) < 3:
            raise UnavailableError("It is down.")

    pauses: list[float] = []
    monkeypatch.setattr(requirements, "check_database", check)
    monkeypatch.setattr(requirements, "sleep", pauses.append)
    wait_for_database(Settings(database_url="postgresql://kontor@127.0.0.1:1/kontor", database_wait_s=3600))
    assert (len(attempts), pauses) == (3, [0.5, 1.0])


def test_a_database_that_stays_away_is_not_waited_for_longer_than_set() -> None:
    with pytest.raises(UnavailableError):
        wait_for_database(Settings(database_url="postgresql://kontor@127.0.0.1:1/kontor", database_wait_s=0))
