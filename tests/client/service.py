"""The service in processes of its own, and a proxy that loses answers."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import ClassVar

from kontor_client import Kontor
from tests.support.ending import ending_with_us

ROOT = Path(__file__).parents[2]
KONTOR = Path(sys.executable).with_name("kontor")
UNLIMITED = {
    **{f"KONTOR_RATE_LIMIT_{kind}": "1000000000" for kind in ("READ", "WRITE", "MOVE", "REGISTER", "STREAM")},
    **{f"KONTOR_{kind}": "1000000000" for kind in ("ACCOUNTS_PER_HOUR", "OPEN_MATCHES", "RUNNING_MATCHES")},
    "KONTOR_SMALLEST_CLOCK_MS": "1",
}
_PATIENCE_S = 180.0


def free_port() -> int:
    """Return a TCP port that is free at the moment."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def run_program(*command: str | Path, cwd: Path) -> str:
    """Run a program that must succeed, and return what it printed."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


class Service:
    """The command `kontor` in processes of its own; can be killed and restarted at the same address."""

    limits: ClassVar = UNLIMITED

    def __init__(self, folder: Path, *arguments: str, **settings: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"log-{self.port}"
        self._command = [str(KONTOR), *(arguments or ("serve", "--port", str(self.port)))]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KONTOR_")}
        self.database_url = settings.get("KONTOR_DATABASE_URL", f"sqlite:///{folder}/kontor.db")
        self._environment = kept | self.limits | {"KONTOR_DATABASE_URL": self.database_url, **settings}
        self._process: subprocess.Popen[bytes] | None = None

    def configure(self, **settings: str) -> None:
        """Change settings; they apply from the next start on."""
        self._environment |= settings

    def start(self) -> None:
        """Start the processes; `wait_until_ready` waits until they answer."""
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                ending_with_us(*self._command),
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait_until_ready(self) -> None:
        until = time.monotonic() + _PATIENCE_S
        while not self._answers():
            if not self.runs or time.monotonic() > until:
                raise AssertionError(self.log.read_text(encoding="utf-8")[-3000:])
            time.sleep(0.05)

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return connection.recv(12) == b"HTTP/1.1 200"
        return False

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End all processes; return the exit code of the first."""
        if self._process is None:
            return 0
        if how is signal.SIGKILL:
            os.killpg(self._process.pid, how)
        else:
            self._process.send_signal(how)
        return self._process.wait(60)

    def send(self, number: signal.Signals) -> None:
        """Send a signal to all processes, if they run."""
        if self._process is not None and self.runs:
            os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """Kill all processes, if they run; a graceful end would wait for streams that nobody reads."""
        if self.runs:
            self.end(signal.SIGKILL)

    @contextmanager
    def running(self) -> Iterator["Service"]:
        """Run the service until the end of the block, even if the block raises."""
        self.start()
        try:
            self.wait_until_ready()
            yield self
        finally:
            self.kill()

    @contextmanager
    def player(self, name: str = "Ada", retry_s: float = 30.0) -> Iterator[Kontor]:
        """Register a player, and give a client for them."""
        with closing(Kontor(self.url, retry_s=retry_s)) as client:
            client.register(name)
            yield client


class FlakyProxy:
    """A TCP proxy to a local port that can cut connections in the middle of an answer."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._lock = Lock()
        self._cuts: list[int] = []
        self._closing = Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.1)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.lost = 0
        self._fixed_answer = b""

    def answer_with(self, answer: bytes) -> None:
        """Send these bytes on every new connection, like a gateway without its service; b"" ends this."""
        self._fixed_answer = answer

    def cut_after(self, *after: int) -> None:
        """For each number: cut a connection after that many further bytes from the service."""
        with self._lock:
            self._cuts += after

    @contextmanager
    def running(self) -> Iterator["FlakyProxy"]:
        threads = [Thread(target=self._accept)]
        threads[0].start()
        try:
            yield self
        finally:
            self._closing.set()
            threads[0].join()
            self._listener.close()

    def _accept(self) -> None:
        handlers: list[Thread] = []
        while not self._closing.is_set():
            with suppress(TimeoutError):
                client_side, _ = self._listener.accept()
                handlers.append(Thread(target=self._handle, args=(client_side,)))
                handlers[-1].start()
        for handler in handlers:
            handler.join()

    def _handle(self, client_side: socket.socket) -> None:
        if self._fixed_answer:
            with client_side:
                client_side.recv(65536)
                client_side.sendall(self._fixed_answer)
            return
        with (
            client_side,
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self._to)) as service_side,
        ):
            requests = Thread(target=self._forward, args=(client_side, service_side))
            requests.start()
            self._forward(service_side, client_side, back=True)
            for end in (client_side, service_side):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            requests.join()

    def _forward(self, source: socket.socket, target: socket.socket, *, back: bool = False) -> None:
        source.settimeout(0.1)
        while not self._closing.is_set():
            try:
                data = source.recv(65536)
                after = self._cut(data) if back else None
                target.sendall(data[:after])
            except TimeoutError:
                continue
            except OSError:
                return
            if not data or after is not None:
                if not back:
                    with suppress(OSError):
                        target.shutdown(socket.SHUT_WR)
                return

    def _cut(self, data: bytes) -> int | None:
        """Return how many bytes of `data` to forward before the cut; None if there is no cut in them."""
        with self._lock:
            if not data or not self._cuts:
                return None
            left = self._cuts.pop(0)
            if left >= len(data):
                self._cuts.insert(0, left - len(data))
                return None
            self.lost += 1
            return left
