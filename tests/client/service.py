"""The service as a newcomer starts it, and a way to it on which answers get lost."""

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

from kontor_client import Kontor

ROOT = Path(__file__).parents[2]
KONTOR = Path(sys.executable).with_name("kontor")
UNLIMITED = {
    **{f"KONTOR_RATE_LIMIT_{kind}": "1000000000" for kind in ("READ", "WRITE", "MOVE", "REGISTER", "STREAM")},
    **{f"KONTOR_{kind}": "1000000000" for kind in ("ACCOUNTS_PER_HOUR", "OPEN_MATCHES", "RUNNING_MATCHES")},
    "KONTOR_SMALLEST_CLOCK_MS": "1",
}
_PATIENCE_S = 180.0


def free_port() -> int:
    """A port that nobody uses now."""
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
    """`kontor` with some arguments, in its own processes; can be killed and started again at its address."""

    def __init__(self, folder: Path, *arguments: str, **settings: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"log-{self.port}"
        self._command = [str(KONTOR), *(arguments or ("serve", "--port", str(self.port)))]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KONTOR_")}
        self._environment = (
            kept | UNLIMITED | {"KONTOR_DATABASE_URL": f"sqlite:///{folder}/kontor.db", **settings}
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the processes; whoever needs them waits until they answer."""
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True
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
        """Ends all its processes; answers the first one's exit code."""
        if self._process is None:
            return 0
        if how is signal.SIGKILL:
            os.killpg(self._process.pid, how)
        else:
            self._process.send_signal(how)
        return self._process.wait(60)

    def send(self, number: signal.Signals) -> None:
        """Send a signal to all its processes, if they run."""
        if self._process is not None and self.runs:
            os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """Ends them all at once, if they run; in good order they would wait for streams that nobody reads."""
        if self.runs:
            self.end(signal.SIGKILL)

    @contextmanager
    def running(self) -> Iterator["Service"]:
        """Runs until the end of the block, whatever happens."""
        self.start()
        try:
            self.wait_until_ready()
            yield self
        finally:
            self.kill()

    @contextmanager
    def player(self, name: str = "Ada", retry_s: float = 30.0) -> Iterator[Kontor]:
        """A client with an account."""
        with closing(Kontor(self.url, retry_s=retry_s)) as client:
            client.register(name)
            yield client


class Ferry:
    """Carries connections to a port. Told to, it lets one go under in the middle of what comes back."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._lock = Lock()
        self._sinking: list[int] = []
        self._closing = Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.1)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.lost = 0
        self._greeting = b""

    def greet(self, answer: bytes) -> None:
        """Answers every new connection like this, as a proxy without its service does; empty: no more."""
        self._greeting = answer

    def sink(self, *after: int) -> None:
        """For each number: when so many more bytes have come back, no more come, and the connection ends."""
        with self._lock:
            self._sinking += after

    @contextmanager
    def running(self) -> Iterator["Ferry"]:
        threads = [Thread(target=self._accept)]
        threads[0].start()
        try:
            yield self
        finally:
            self._closing.set()
            threads[0].join()
            self._listener.close()

    def _accept(self) -> None:
        crossings: list[Thread] = []
        while not self._closing.is_set():
            with suppress(TimeoutError):
                near, _ = self._listener.accept()
                crossings.append(Thread(target=self._cross, args=(near,)))
                crossings[-1].start()
        for crossing in crossings:
            crossing.join()

    def _cross(self, near: socket.socket) -> None:
        if self._greeting:
            with near:
                near.recv(65536)
                near.sendall(self._greeting)
            return
        with near, suppress(OSError), socket.create_connection(("127.0.0.1", self._to)) as far:
            there = Thread(target=self._carry, args=(near, far))
            there.start()
            self._carry(far, near, back=True)
            for end in (near, far):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            there.join()

    def _carry(self, source: socket.socket, target: socket.socket, *, back: bool = False) -> None:
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
        """How much of what came back still arrives, where it is the last."""
        with self._lock:
            if not data or not self._sinking:
                return None
            left = self._sinking.pop(0)
            if left >= len(data):
                self._sinking.insert(0, left - len(data))
                return None
            self.lost += 1
            return left
