"""The service over HTTP as in production: gunicorn with our configuration, in separate processes."""

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
from tests.support.ending import ending_with_us
from tests.support.migrated import migrate_with_retries

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
_TIMEOUT_S = 180.0
_ANSWER_S = 10.0
"""The timeout of a request that checks readiness; it can wait for the next process that starts."""
_TICK = os.sysconf("SC_CLK_TCK")


class NotServingError(Exception):
    """The server did not start; its log says why."""


class Served:
    """A running server with its port and processes."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
        self._process = process
        self.port = port
        self.log = log

    @property
    def workers(self) -> list[int]:
        """The process ids of the workers."""
        return children_of(self._process.pid)

    def kill_worker(self, number: int) -> int:
        """Kill one of the workers with SIGKILL; gunicorn starts another."""
        workers = self.workers
        if not workers:
            return 0
        pid = workers[number % len(workers)]
        os.kill(pid, signal.SIGKILL)
        return pid

    def kill_master(self) -> None:
        """Kill the master process of gunicorn with SIGKILL."""
        self._process.kill()
        self._process.wait()

    def wait_until_ready(self) -> None:
        """Wait until requests are answered."""
        until = time.monotonic() + _TIMEOUT_S
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
        """The CPU time of the workers, in seconds."""
        return sum(map(cpu_seconds, self.workers))

    def master_cpu_seconds(self) -> float:
        """The CPU time of gunicorn's master process, mostly for importing the application."""
        return cpu_seconds(self._process.pid)

    def stop(self) -> None:
        """Shut the server down gracefully."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def cpu_seconds(pid: int, *, ended: bool = False) -> float:
    """The CPU time of a process, with that of ended children if `ended`; 0 if the process has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[11 : 15 if ended else 13])) / _TICK


def children_of(pid: int) -> list[int]:
    """The ids of the child processes of a process."""
    return [
        int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    ]


def family_cpu_seconds(pid: int | None) -> float:
    """The CPU time of a process and all its children, in seconds."""
    return 0.0 if pid is None else cpu_seconds(pid, ended=True) + sum(map(cpu_seconds, children_of(pid)))


def free_port() -> int:
    """A port that is not in use now."""
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
    """Create the tables and run a server without rate limits; it is stopped at the end of the block."""
    kontor = Kontor(Settings(database_url=database_url))
    migrate_with_retries(kontor)
    kontor.close()
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="kontor-served-") as folder:
        log = Path(folder) / "log"
        chosen = {
            "KONTOR_DATABASE_URL": database_url,
            "WEB_CONCURRENCY": str(workers),
            "PROMETHEUS_MULTIPROC_DIR": folder,
        }
        conf = ROOT / "service" / "cli" / "gunicorn_conf.py"
        command = [sys.executable, "-m", "gunicorn", "-c", str(conf), "-b", f"127.0.0.1:{port}"]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KONTOR_")}
        with log.open("wb") as output:
            process = subprocess.Popen(
                ending_with_us(*command, *options, application),
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
