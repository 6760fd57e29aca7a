"""Wake-ups between processes: LISTEN/NOTIFY on PostgreSQL, a look at the newest row on SQLite."""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Protocol
from uuid import UUID, uuid4

import msgspec
import psycopg
import structlog
from eventsourcing.persistence import ApplicationRecorder
from psycopg.conninfo import make_conninfo

from kontor_games.service.background.threads import ThreadGroup
from kontor_games.service.errors import UnavailableError
from kontor_games.service.store.database import when_away
from kontor_games.service.wakeups.feed import Change, Feed

_LOG = structlog.get_logger(__name__)
_CHANNEL = "kontor"
_PAUSE_S = 0.2
_RECONNECT_S = 0.5
_GATHER_S = 0.03
"""So long after a message the next one waits for company: what is rare travels at once, what is frequent travels together."""
_PAYLOAD_BYTES = 7000
"""PostgreSQL takes less than 8,000 bytes in one NOTIFY."""
_READER = msgspec.json.Decoder(tuple[str, list[Change]])
_WRITER = msgspec.json.Encoder()


class PostgresRelay(ThreadGroup):
    """One thread listens, one sends; both come back after a lost connection."""

    def __init__(self, database_url: str, feed: Feed) -> None:
        """Tells its own messages from others' by a name drawn at random."""
        super().__init__(self._send, self._listen)
        self._url = make_conninfo(database_url, connect_timeout=5, tcp_user_timeout=10_000)
        self._feed = feed
        self._name = uuid4().hex[:12]
        self._outbox: SimpleQueue[Change] = SimpleQueue()
        feed.relay_to(self._outbox.put)

    def _send(self) -> None:
        self._stay_connected(self._send_on)

    def _listen(self) -> None:
        self._stay_connected(self._listen_on)

    def _stay_connected(self, work: "_Work") -> None:
        while not self.closing.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True) as connection:
                    work(connection)
            except psycopg.Error as error:
                _LOG.warning("wake_ups_interrupted", error=type(error).__name__)
                self.closing.wait(_RECONNECT_S)

    def _send_on(self, connection: psycopg.Connection) -> None:
        # A wake-up need not be durable, so nobody waits for the disk.
        connection.execute("SET synchronous_commit = off")
        sent = 0.0
        while not self.closing.is_set():
            try:
                first = self._outbox.get(timeout=_PAUSE_S)
            except Empty:
                continue
            self.closing.wait(max(0.0, sent + _GATHER_S - monotonic()))
            for payload in payloads(self._name, [first, *self._gathered()]):
                connection.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, payload))
            sent = monotonic()

    def _gathered(self) -> list[Change]:
        """What has come together since; of several changes of one match the last will do, so there are never too many."""
        found: list[Change] = []
        while not self._outbox.empty():
            found.append(self._outbox.get())
        return found

    def _listen_on(self, connection: psycopg.Connection) -> None:
        connection.execute(f"LISTEN {_CHANNEL}")
        # What was told before is lost; whoever waits looks once more.
        self._feed.wake(self._feed.awaited())
        while not self.closing.is_set():
            for notice in connection.notifies(timeout=_PAUSE_S):
                self._take_in(notice.payload)

    def _take_in(self, payload: str) -> None:
        try:
            sender, changes = _READER.decode(payload)
        except msgspec.MsgspecError:
            # Another release of ours may talk differently while it takes over; the sweep makes good for it.
            _LOG.warning("wake_up_not_understood")
            return
        if sender != self._name:
            for change in changes:
                self._feed.tell(change)


class _Work(Protocol):
    def __call__(self, connection: psycopg.Connection) -> None: ...


def payloads(name: str, changes: list[Change]) -> list[str]:
    """The last change of each match as JSON texts, each short enough for one NOTIFY."""
    texts: list[str] = []
    current: list[Change] = []
    size = 0
    for change in {change.match: change for change in changes}.values():
        length = len(_WRITER.encode(change)) + 1
        if current and size + length > _PAYLOAD_BYTES:
            texts.append(_WRITER.encode((name, current)).decode())
            current, size = [], 0
        current.append(change)
        size += length
    return [*texts, _WRITER.encode((name, current)).decode()]


class PollingRelay(ThreadGroup):
    """Looks for rows that another process stored, ten times a second; cheap where there is nothing new."""

    def __init__(self, recorder: ApplicationRecorder, on_row: Callable[[UUID, int], None], pause_s: float = 0.1) -> None:
        """Calls back with the match and version of every row stored from now on."""
        super().__init__(self._poll)
        self._recorder = recorder
        self._on_row = on_row
        self._pause_s = pause_s
        self._seen: int | None = None

    def _poll(self) -> None:
        while not self.closing.is_set():
            try:
                with when_away():
                    self._look()
            except UnavailableError as error:
                _LOG.warning("wake_ups_interrupted", error=error.code)
            self.closing.wait(self._pause_s)

    def _look(self) -> None:
        if self._seen is None:
            self._seen = self._recorder.max_notification_id() or 0
        for notice in self._recorder.select_notifications(self._seen, 100, inclusive_of_start=False):
            self._on_row(UUID(str(notice.originator_id)), notice.originator_version)
            self._seen = notice.id
