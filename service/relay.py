"""Wake-ups between processes: LISTEN/NOTIFY on PostgreSQL, a look at the newest row on SQLite."""

import json
from collections.abc import Callable
from queue import Empty, Queue
from threading import Event, Thread
from typing import Protocol
from uuid import UUID, uuid4

import psycopg
import structlog
from eventsourcing.persistence import ApplicationRecorder, PersistenceError

from service.errors import UnavailableError
from service.feed import Feed

_LOG = structlog.get_logger(__name__)
_CHANNEL = "kontor"
_PAUSE_S = 0.5
_BATCH = 200
_PAYLOAD_BYTES = 7000
"""PostgreSQL takes less than 8,000 bytes in one NOTIFY."""


class Relay(Protocol):
    """A way to and from the other processes."""

    def start(self) -> None:
        """Begins to carry wake-ups."""

    def close(self) -> None:
        """Stops."""


class PostgresRelay:
    """One thread listens, one sends; both come back after a lost connection."""

    def __init__(self, database_url: str, feed: Feed) -> None:
        """Tells its own messages from others' by a name drawn at random."""
        self._url = database_url
        self._feed = feed
        self._name = uuid4().hex[:12]
        self._outbox: Queue[tuple[str, ...]] = Queue()
        self._closing = Event()
        self._threads = [Thread(target=self._run, args=[work], daemon=True) for work in (self._send, self._listen)]
        feed.relay_to(self._outbox.put)

    def start(self) -> None:
        """Begins to carry wake-ups."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stops both threads."""
        self._closing.set()
        for thread in self._threads:
            thread.join()

    def _run(self, work: "_Work") -> None:
        while not self._closing.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True) as connection:
                    work(connection)
            except psycopg.Error as error:
                _LOG.warning("wake_ups_interrupted", error=type(error).__name__)
                self._closing.wait(_PAUSE_S)

    def _send(self, connection: psycopg.Connection) -> None:
        while not self._closing.is_set():
            try:
                batch = [self._outbox.get(timeout=_PAUSE_S)]
            except Empty:
                continue
            while len(batch) < _BATCH and not self._outbox.empty():
                batch.append(self._outbox.get())
            for payload in _payloads(self._name, batch):
                connection.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, payload))

    def _listen(self, connection: psycopg.Connection) -> None:
        connection.execute(f"LISTEN {_CHANNEL}")
        while not self._closing.is_set():
            for notice in connection.notifies(timeout=_PAUSE_S):
                sender, *changes = json.loads(notice.payload)
                if sender != self._name:
                    for topics in changes:
                        self._feed.wake(tuple(topics))


class _Work(Protocol):
    def __call__(self, connection: psycopg.Connection) -> None: ...


def _payloads(name: str, batch: list[tuple[str, ...]]) -> list[str]:
    """The changes of a batch as JSON texts, each short enough for one NOTIFY."""
    payloads: list[str] = []
    current: list[tuple[str, ...]] = []
    size = 0
    for topics in dict.fromkeys(batch):
        length = len(json.dumps(topics)) + 2
        if current and size + length > _PAYLOAD_BYTES:
            payloads.append(json.dumps([name, *current]))
            current, size = [], 0
        current.append(topics)
        size += length
    return [*payloads, json.dumps([name, *current])]


class PollingRelay:
    """Looks for rows that another process stored, ten times a second; cheap where there is nothing new."""

    def __init__(self, recorder: ApplicationRecorder, on_row: Callable[[UUID, int], None], pause_s: float = 0.1) -> None:
        """Calls back with the match and version of every row stored from now on."""
        self._recorder = recorder
        self._on_row = on_row
        self._pause_s = pause_s
        self._closing = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begins to look."""
        self._thread.start()

    def close(self) -> None:
        """Stops looking."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        seen = self._recorder.max_notification_id() or 0
        while not self._closing.wait(self._pause_s):
            try:
                seen = self._look(seen)
            except PersistenceError as error:
                _LOG.warning("wake_ups_interrupted", error=type(error).__name__)

    def _look(self, seen: int) -> int:
        for notice in self._recorder.select_notifications(seen, 100, inclusive_of_start=False):
            self._on_row(UUID(str(notice.originator_id)), notice.originator_version)
            seen = notice.id
        return seen


class Sweep:
    """Makes good for lost wake-ups: looks now and then at every match that someone waits for."""

    def __init__(self, look: Callable[[], None], pause_s: float = 3.0) -> None:
        """Looks at nothing until it is started."""
        self._look = look
        self._pause_s = pause_s
        self._closing = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begins to sweep."""
        self._thread.start()

    def close(self) -> None:
        """Stops sweeping."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.wait(self._pause_s):
            try:
                self._look()
            except UnavailableError as error:
                _LOG.warning("sweep_interrupted", error=error.code)
