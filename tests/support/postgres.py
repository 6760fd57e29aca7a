"""A private PostgreSQL for tests and benchmarks: its own cluster in a temporary folder, on a Unix socket.

`with Cluster.temporary(durable=True) as cluster: cluster.fresh_database()` returns an address.
It runs on Linux only.
"""

import fcntl
import json
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

import psycopg
from psycopg import sql

WAIT_SECONDS = 60
"""How long starting (with recovery) or stopping may take."""

# Tests discard their data, so they need not wait for the disk, unlike benchmarks and tests of crashes. They
# create and drop tables all the time, so vacuuming and checkpoints would be a quarter of the server's work.
NOT_DURABLE = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "jit": "off",
    "checkpoint_timeout": "1h",
    "max_wal_size": "1GB",
}

_STARTED: list[subprocess.Popen[bytes]] = []
"""Servers that this process started."""


class PostgresMissingError(Exception):
    """PostgreSQL is not installed on this machine."""


class PostgresFailedError(Exception):
    """A command of the server failed; the end of its log says why."""


def find_binaries() -> Path:
    """The folder with the programs of the newest server, from Debian's folder or the PATH."""
    debian = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    if debian:
        return max(
            debian, key=lambda folder: [int(number) for number in re.findall(r"\d+", folder.parent.name)]
        )
    if found := shutil.which("postgres"):
        return Path(found).resolve().parent
    raise PostgresMissingError("no PostgreSQL server found; `tests/support/bring postgresql` installs one")


def unprivileged_user() -> str | None:
    """The user that runs the server if we are root, as which PostgreSQL refuses to run; None otherwise."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _detached(log: IO[bytes]) -> dict[str, Any]:
    """Options for running the server's programs: unprivileged user, detached from Ctrl-C, output to a log."""
    user = unprivileged_user()
    identity = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}
    return {
        "cwd": "/",
        "stdin": subprocess.DEVNULL,
        "stdout": log,
        "stderr": log,
        "start_new_session": True,
        **identity,
    }


class Cluster:
    """A server with its data in one folder. It can be stopped or crashed and restarted at its address."""

    def __init__(self, folder: Path) -> None:
        """For an existing cluster, or one that `create` is about to make."""
        self.folder = folder
        self._data = folder / "data"
        self._log = folder / "log"
        self._binaries = find_binaries()
        self._server: subprocess.Popen[bytes] | None = None

    @classmethod
    @contextmanager
    def temporary(cls, *, durable: bool) -> Iterator["Cluster"]:
        """A running cluster, which is stopped and removed at the end of the block."""
        cluster = cls.create(durable=durable, owner=os.getpid())
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.remove()

    @classmethod
    def create(cls, *, durable: bool, owner: int) -> "Cluster":
        """Create a cluster without starting it; it is removed even if the owning process is killed."""
        cluster = cls(Path(tempfile.mkdtemp(prefix="kontor-postgres-")))
        cluster._remove_if_killed(owner)
        if user := unprivileged_user():
            shutil.chown(cluster.folder, user)
        cluster._initialise()
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(cluster.folder),
            "max_connections": "300",
        }
        with (cluster._data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(
                f"{name} = '{value}'\n"
                for name, value in (settings | ({} if durable else NOT_DURABLE)).items()
            )
        return cluster

    def start(self) -> None:
        """Start the server and wait until it answers; after a crash, until it has recovered."""
        with self._log.open("ab") as log:
            # A child process, not a daemon, so that we reap it: a zombie would seem to hold its lock file.
            self._server = subprocess.Popen([self._binaries / "postgres", "-D", self._data], **_detached(log))
        _STARTED.append(self._server)
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline and self._server.poll() is None:
            if self._answers():
                return
            time.sleep(0.02)
        raise PostgresFailedError(
            f"the server did not start: {self._log.read_text(encoding='utf-8')[-2000:]}"
        )

    def stop(self) -> None:
        """Shut the server down gracefully."""
        if (pid := self.pid) is not None:
            os.kill(pid, signal.SIGINT)
            self._wait_until_gone([pid])

    def crash(self) -> None:
        """Kill the server and all its processes with SIGKILL, as if the machine lost power."""
        pid = self.pid
        if pid is None:
            raise PostgresFailedError("the server is not running")
        os.kill(pid, signal.SIGSTOP)  # so that it starts no more processes while we look for them
        family = [*_children_of(pid), pid]
        for member in family:
            os.kill(member, signal.SIGKILL)
        self._wait_until_gone(family)

    def remove(self) -> None:
        """Stop the server and delete its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def pid(self) -> int | None:
        """The process id of the server; None if it is not running."""
        try:
            pid = int((self._data / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
        except (FileNotFoundError, IndexError):
            return None
        return pid if is_alive(pid) else None

    def url(self, database: str = "postgres") -> str:
        """The address of a database, for psycopg and anything else that uses libpq."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def fresh_database(self, template: str = "template0") -> str:
        """Create a database, a copy of the template if one is given; return its address."""
        name = f"test_{uuid4().hex}"
        self._execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
        )
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Remove a database, even if clients are connected to it."""
        name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        self._execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(str(name))))

    @staticmethod
    def empty_database(url: str) -> None:
        """Disconnect all clients and remove everything; faster than creating a new database."""
        with psycopg.connect(url, autocommit=True) as connection:
            Cluster.disconnect_others(connection)
            connection.execute(
                "DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION pg_database_owner;"
                " GRANT USAGE ON SCHEMA public TO PUBLIC"
            )

    @staticmethod
    def disconnect_others(connection: "psycopg.Connection[Any]") -> None:
        """End all other sessions of a connection's database, with their locks and subscriptions."""
        connection.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

    def follow(self, primary: "Cluster") -> None:
        """Become a standby: replace the data of this cluster by a copy of the primary's; do not start it."""
        shutil.rmtree(self._data)
        command: list[str | Path] = [
            self._binaries / "pg_basebackup",
            "-D",
            self._data,
            "-h",
            primary.folder,
            "-U",
            "postgres",
        ]
        command += ["--write-recovery-conf", "--checkpoint=fast", "--no-sync"]
        self._run(command, "pg_basebackup")
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(f"unix_socket_directories = '{self.folder}'\n")

    def promote(self) -> None:
        """Promote a standby to primary."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute("SELECT pg_promote(true, %s)", (WAIT_SECONDS,))

    def alter(self, setting: str, value: str) -> None:
        """Change a setting of the running server."""
        self._execute(sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(setting), sql.Literal(value)))
        self._execute(sql.SQL("SELECT pg_reload_conf()").format())

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(statement)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url()).close()
        except psycopg.OperationalError:
            return False
        return True

    def _wait_until_gone(self, pids: Sequence[int]) -> None:
        deadline = time.monotonic() + WAIT_SECONDS
        while any(map(is_alive, pids)):
            if time.monotonic() > deadline:
                raise PostgresFailedError(f"processes {pids} did not end")
            time.sleep(0.01)
        if self._server is not None:
            self._server.wait()

    def _initialise(self) -> None:
        command: list[str | Path] = [
            self._binaries / "initdb",
            "-D",
            self._data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-locale",
            "--no-sync",
        ]
        self._run(command, "initdb")

    def _run(self, command: Sequence[str | Path], name: str) -> None:
        with self._log.open("ab") as log, subprocess.Popen(command, **_detached(log)) as program:
            code = program.wait()
        if code != 0:
            raise PostgresFailedError(f"{name} failed: {self._log.read_text(encoding='utf-8')[-2000:]}")

    def _remove_if_killed(self, owner: int) -> None:
        """Start a watcher process that removes the cluster if the owner is killed."""
        watch = (
            'while kill -0 "$1"; do sleep 1; done; '
            'kill -INT "$(head -n 1 "$2/data/postmaster.pid")" && sleep 3; rm -rf "$2"'
        )
        command = [
            "sh",
            "-c",
            f"({watch}) </dev/null >/dev/null 2>&1 &",
            "watcher",
            str(owner),
            str(self.folder),
        ]
        subprocess.run(command, check=True, start_new_session=True)


def _status(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state and the parent on; empty if there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def is_alive(pid: int) -> bool:
    """Whether a process is running; a zombie counts as ended."""
    status = _status(pid)
    return bool(status) and status[0] not in "ZX"


def _children_of(pid: int) -> list[int]:
    running = [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    return [child for child in running if _status(child)[1:2] == [str(pid)]]


def detach_servers() -> None:
    """Forget the servers that this process started: Python would warn of them, but shared servers go on."""
    for server in _STARTED:
        if server.poll() is None:
            server.returncode = 0


class SharedCluster:
    """One cluster for a test run: the first process that needs it creates it, the main process removes it."""

    def __init__(self, folder: Path) -> None:
        """`folder` is the folder of the run, which all its processes share."""
        self._note = folder / "cluster.json"
        self._lock = folder / "cluster.lock"

    def get(self, owner: int) -> Cluster:
        """The running cluster; `owner` is the main process of the run."""
        with self._lock.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self._note.exists():
                return self._recorded()
            cluster = Cluster.create(durable=False, owner=owner)
            cluster.start()
            self._note.write_text(json.dumps(str(cluster.folder)), encoding="utf-8")
            return cluster

    def remove(self) -> None:
        """Remove the cluster if there is one."""
        if self._note.exists():
            self._recorded().remove()

    def _recorded(self) -> Cluster:
        return Cluster(Path(json.loads(self._note.read_text(encoding="utf-8"))))
