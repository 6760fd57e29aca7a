"""Runs every command of the runbook unchanged, with stand-ins for `docker compose` and `kubectl`."""

import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import kubernetes_validate
import psycopg
import yaml

from tests.client.service import KONTOR, Service, free_port
from tests.client.tables import create_bot_match
from tests.support.postgres import Cluster, find_binaries, unprivileged_user
from tests.support.serving import ROOT
from tests.support.shell import Shell
from tests.support.waiting import wait_until

DEPLOY = ROOT / "deploy"
RUNBOOK = (DEPLOY / "RUNBOOK.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", RUNBOOK, re.MULTILINE | re.DOTALL))
BLOCKS = {
    title: re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for title, text in SECTIONS.items()
}
TESTED = {
    *("Start", "Scale to n nodes", "Stop and upgrade", "Back up", "Restore", "Rotate keys"),
    *("Kubernetes", "Fail over to the replica", "Who can change evidence", "Read the metrics"),
    "Without containers",  # in test_systemd.py
}
[BACKUP] = re.findall(r"^kontor (backup .+)$", RUNBOOK, re.MULTILINE)


def test_every_section_with_commands_is_tested() -> None:
    assert {title for title, blocks in BLOCKS.items() if blocks} == TESTED


def back_up(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [KONTOR, *shlex.split(BACKUP)], cwd=folder, capture_output=True, text=True, check=False
    )


def test_the_backup_of_an_open_sqlite_database_has_everything_that_was_committed(
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


def program(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


@contextmanager
def installation(tmp_path: Path, cluster: Cluster) -> Iterator[Shell]:
    """A checkout, a database server with the role and database of the compose file, and stand-ins."""
    folder, programs, port = tmp_path / "deploy", tmp_path / "bin", free_port()
    shutil.copytree(DEPLOY, folder)
    for each in (programs, tmp_path / "state"):
        each.mkdir()
    program(
        programs,
        "docker",
        f'cd "{folder}" && PYTHONPATH="{ROOT}" exec "{sys.executable}" -m tests.deploy.compose "$@"',
    )
    program(programs, "git", 'test "$*" = pull')
    with psycopg.connect(cluster.url(), autocommit=True) as connection:
        connection.execute("CREATE ROLE kontor LOGIN SUPERUSER")
        connection.execute("CREATE DATABASE kontor OWNER kontor TEMPLATE template0 ENCODING 'UTF8'")
    path = [str(programs), str(KONTOR.parent), str(find_binaries()), os.environ["PATH"]]
    shell = Shell(
        folder,
        {
            "PATH": os.pathsep.join(path),
            "HOME": str(tmp_path),
            "PGHOST": str(cluster.folder),
            "COMPOSE_FILE": str(folder / "compose.yaml"),
            "COMPOSE_STATE": str(tmp_path / "state"),
            "BIND": f"127.0.0.1:{port}",
        },
        port,
    )
    try:
        yield shell
    finally:
        shell.run("docker compose stop")


def answers(port: int) -> bool:
    with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10) as answer:  # our own
        return bool(answer.status == 200)
    return False


def test_start_scale_back_up_restore_rotate_upgrade_and_stop(tmp_path: Path) -> None:
    with Cluster.temporary(durable=False) as cluster, installation(tmp_path, cluster) as shell:
        lines = BLOCKS["Start"][0].splitlines()
        shell.run("\n".join(lines[:-1]))
        wait_until(lambda: answers(shell.port))
        shell.run(lines[-1])
        assert (shell.folder / ".env").stat().st_mode & 0o077 == 0
        service = Service(tmp_path)
        service.url = f"http://127.0.0.1:{shell.port}"
        with service.player() as ada:
            match = create_bot_match(ada).id
            for block in BLOCKS["Scale to n nodes"]:
                shell.run(block)
            shell.run(BLOCKS["Back up"][0])
            [dump] = shell.folder.glob("kontor-*.dump")
            assert dump.stat().st_mode & 0o077 == 0
            dump.rename(shell.folder / "kontor-2026-11-16.dump")
            restore, audit = BLOCKS["Restore"]
            shell.run(restore)
            wait_until(lambda: answers(shell.port))
            assert ada.match(match).id == match
            assert re.search(r"([1-9]\d*) of \1 match", shell.run(audit))
            assert "signs from" in shell.run(BLOCKS["Rotate keys"][0])
            stop, upgrade = BLOCKS["Stop and upgrade"]
            shell.run(upgrade)
            shell.run(stop)
            assert not answers(shell.port)


def test_the_role_that_can_only_append_is_set_up_and_serves(tmp_path: Path) -> None:
    [block] = BLOCKS["Who can change evidence"]
    migrate, serve = block.splitlines()
    with Cluster.temporary(durable=False) as cluster, installation(tmp_path, cluster) as shell:
        shell.environment |= {
            "SERVICE_PASSWORD": "x" * 32,
            "OWNER_PASSWORD": "any",
            "DATABASE_HOST": quote(str(cluster.folder), safe=""),
        }
        assert "The role kontor_service can append to" in shell.run(migrate)
        command = ["sh", "-c", f"{serve} --port {shell.port}"]
        process = subprocess.Popen(
            command,
            cwd=shell.folder,
            env=shell.environment,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            wait_until(lambda: answers(shell.port))
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)


def test_the_replica_takes_over_as_the_runbook_says(tmp_path: Path) -> None:
    """Two servers on one machine need two ports, so each command gets the port of its server."""
    make, promote = BLOCKS["Fail over to the replica"]
    with Cluster.temporary(durable=True) as primary:
        replica_port = str(free_port())
        folder = primary.folder / "replica"
        environment = {
            "PATH": os.pathsep.join([str(find_binaries()), os.environ["PATH"]]),
            "PRIMARY": str(primary.folder),
            "REPLICA": str(primary.folder),
            "PGDATA": str(folder),
        }

        def run(line: str) -> str:
            port = replica_port if line.startswith("pg_ctl") or "$REPLICA" in line else "5432"
            given = environment if line.startswith("pg_basebackup") else environment | {"PGPORT": port}
            done = subprocess.run(
                ["sh", "-eu", "-c", line],
                cwd="/",
                env=given,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                timeout=120,
                check=True,
                user=unprivileged_user(),
            )
            return done.stdout

        basebackup, start, names, state = make.splitlines()
        run(basebackup)
        run(start)
        try:
            run(names)
            wait_until(lambda: re.search(r"\| sync\b", run(state)))
            url = f"{primary.url('postgres')}"
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("CREATE TABLE acknowledged AS SELECT 42 AS number")
            primary.crash()
            for line in promote.splitlines():
                run(line)
            promoted = psycopg.connect(f"{url}&port={replica_port}", autocommit=True)
            with promoted as connection:
                assert connection.execute("SELECT number FROM acknowledged").fetchall() == [(42,)]
                connection.execute("INSERT INTO acknowledged VALUES (43)")  # waits for no replica
        finally:
            run("pg_ctl stop --mode=immediate")


def test_the_manifests_are_applied_in_the_order_of_the_runbook(tmp_path: Path) -> None:
    [block] = BLOCKS["Kubernetes"]
    folder, programs = tmp_path / "deploy", tmp_path / "bin"
    shutil.copytree(DEPLOY, folder)
    shutil.copy(folder / "kubernetes/example/secret.yaml", folder / "my-secret.yaml")
    programs.mkdir()
    program(programs, "kubectl", f'echo "$*" >> "{tmp_path}/commands"')
    shell = Shell(folder, {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}, 0)
    shell.run(block)
    there: set[str] = set()
    for line in (tmp_path / "commands").read_text(encoding="utf-8").splitlines():
        words = [word for word in line.split() if not word.startswith(("--namespace", "--for", "--timeout"))]
        if words[0] == "apply":
            given = folder / words[words.index("--filename") + 1]
            files = sorted(given.glob("*.yaml")) if given.is_dir() else [given]
            for manifest in (
                one for file in files for one in yaml.safe_load_all(file.read_text(encoding="utf-8"))
            ):
                kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)
                assert manifest["kind"] == "Namespace" or "namespace/kontor" in there
                there.add(f"{manifest['kind'].lower()}/{manifest['metadata']['name']}")
        else:
            assert words[-1] in there, line
    assert {"secret/kontor", "secret/kontor-migrate", "deployment/kontor-work"} <= there


def test_the_rules_are_checked_as_the_runbook_says() -> None:
    [block] = BLOCKS["Read the metrics"]
    subprocess.run(
        ["sh", "-eu", "-c", block], cwd=DEPLOY / "prometheus", check=True, capture_output=True, timeout=120
    )
