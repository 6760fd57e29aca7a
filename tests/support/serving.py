"""The service over HTTP as it is served for real: gunicorn with our own settings, in processes of its own."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from tests.support.migrated import migrate_patiently

ROOT = Path(__file__).parents[2]
APPLICATION = "kontor_games.api:create_app()"
_UNLIMITED = {
    **{
        f"KONTOR_{name}": "1000000000"
        for name in (
            *(f"RATE_LIMIT_{kind}" for kind in ("READ", "WRITE", "MOVE", "REGISTER", "STREAM")),
            *("CONNECTIONS_PER_ADDRESS", "STREAMS_PER_ADDRESS", "STREAMS_PER_PLAYER"),
            *("ACCOUNTS_PER_HOUR", "OPEN_MATCHES", "RUNNING_MATCHES"),
        )
    },
    "KONTOR_SMALLEST_CLOCK_MS": "1",
}
_PATIENCE_S = 180.0
_ANSWER_S = 10.0
"""A connection that no process has accepted yet is answered by the next one that starts."""
_TICK = os.sysconf("SC_CLK_TCK")


class NotServingError(Exception):
    """The server did not come up; its log says why."""


class Served:
    """A running server: where it is, and which processes it has."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
        self._process = process
        self.port = port
        self.log = log

    @property
    def workers(self) -> list[int]:
        """The processes that serve."""
        return children_of(self._process.pid)

    def kill_worker(self, number: int) -> int:
        """Ends one of the serving processes by SIGKILL; gunicorn starts another."""
        workers = self.workers
        if not workers:
            return 0
        pid = workers[number % len(workers)]
        os.kill(pid, signal.SIGKILL)
        return pid

    def kill_master(self) -> None:
        """Ends gunicorn's own process by SIGKILL."""
        self._process.kill()
        self._process.wait()

    def wait_until_ready(self) -> None:
        """Waits until connections are answered."""
        until = time.monotonic() + _PATIENCE_S
        while not self._answers():
            if time.monotonic() > until or self._process.poll() is not None:
                raise NotServingError(self.log.read_text(encoding="utf-8", errors="replace")[-3000:])
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=_ANSWER_S) as connection:
                connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return connection.recv(12) == b"HTTP/1.1 200"
        except OSError:
            return False

    def cpu_seconds(self) -> float:
        """What the serving processes have used of the processor."""
        return sum(map(cpu_seconds, self.workers))

    def master_cpu_seconds(self) -> float:
        """What gunicorn's own process has used of the processor, mostly to import the application."""
        return cpu_seconds(self._process.pid)

    def stop(self) -> None:
        """Ends the server in good order."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def cpu_seconds(pid: int, *, ended: bool = False) -> float:
    """What a process has used of the processor, with ended children if wanted; nothing if it has gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[11 : 15 if ended else 13])) / _TICK


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [
        int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    ]


def family_cpu_seconds(pid: int | None) -> float:
    """What a process and all its children have used."""
    return 0.0 if pid is None else cpu_seconds(pid, ended=True) + sum(map(cpu_seconds, children_of(pid)))


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def served(
    database_url: str,
    *,
    workers: int = 2,
    application: str = APPLICATION,
    environment: Mapping[str, str] | None = None,
    options: tuple[str, ...] = (),
) -> Iterator[Served]:
    """A server on a database with tables, without rate limits; stopped at the end, whatever happens."""
    kontor = Kontor(Settings(database_url=database_url))
    migrate_patiently(kontor)
    kontor.close()
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="kontor-served-") as folder:
        log = Path(folder) / "log"
        chosen = {
            "KONTOR_DATABASE_URL": database_url,
            "WEB_CONCURRENCY": str(workers),
            "PROMETHEUS_MULTIPROC_DIR": folder,
        }
        command = [
            sys.executable,
            "-m",
            "gunicorn",
            "-c",
            str(ROOT / "service" / "cli" / "gunicorn_conf.py"),
            "-b",
            f"127.0.0.1:{port}",
            *options,
            application,
        ]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KONTOR_")}
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=kept | _UNLIMITED | chosen | dict(environment or {}),
                stdout=output,
                stderr=output,
            )
        server = Served(process, port, log)
        try:
            server.wait_until_ready()
            yield server
        finally:
            server.stop()
            if sys.exc_info()[0] is not None:
                sys.stderr.write(log.read_text(encoding="utf-8", errors="replace")[-3000:])
