"""Wake-ups between processes: LISTEN/NOTIFY on PostgreSQL, polling on SQLite; a sweep replaces lost ones."""

from collections import defaultdict
from collections.abc import Callable
from queue import Empty, SimpleQueue
from time import monotonic
from uuid import UUID, uuid4

import msgspec
import psycopg
import structlog
from psycopg.conninfo import make_conninfo

from kontor_games.service.errors import RecordDamagedError
from kontor_games.service.store.database import Database, translate_connection_errors
from kontor_games.service.store.event_store import EventStore
from kontor_games.service.store.match_cache import MatchCache
from kontor_games.service.threads import RepeatedWork, ThreadGroup
from kontor_games.service.wakeups.feed import Change, Feed, change_of, tournament_change

_LOG = structlog.get_logger(__name__)
_CHANNEL = "kontor"
_PAUSE_S = 0.2
_RECONNECT_S = 0.5
_POLL_S = 0.1
_BATCH_S = 0.03
"""Minimum time between two messages: rare changes are sent immediately, frequent ones in batches."""
_PAYLOAD_BYTES = 7000
"""PostgreSQL limits the payload of a NOTIFY to less than 8,000 bytes."""
_DECODER = msgspec.json.Decoder(tuple[str, list[Change]])
_ENCODER = msgspec.json.Encoder()


class PostgresRelay(ThreadGroup):
    """Sends and receives wake-ups in two threads, each of which reconnects after a lost connection."""

    def __init__(self, database_url: str, feed: Feed) -> None:
        """Marks its own messages with a random name, so that it can ignore them when they come back."""
        super().__init__(self._send, self._listen)
        self._url = make_conninfo(database_url, connect_timeout=5, tcp_user_timeout=10_000)
        self._feed = feed
        self._name = uuid4().hex[:12]
        self._outbox: SimpleQueue[Change] = SimpleQueue()
        feed.add_relay(self._outbox.put)

    def _send(self) -> None:
        self._stay_connected(self._send_on)

    def _listen(self) -> None:
        self._stay_connected(self._listen_on)

    def _stay_connected(self, work: Callable[[psycopg.Connection], None]) -> None:
        while not self.closing.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True) as connection:
                    work(connection)
            except psycopg.Error as error:
                _LOG.warning("wake_ups_interrupted", error=type(error).__name__)
                self.closing.wait(_RECONNECT_S)

    def _send_on(self, connection: psycopg.Connection) -> None:
        # A wake-up need not be durable, so it does not wait for the disk.
        connection.execute("SET synchronous_commit = off")
        sent = 0.0
        while not self.closing.is_set():
            try:
                first = self._outbox.get(timeout=_PAUSE_S)
            except Empty:
                continue
            self.closing.wait(max(0.0, sent + _BATCH_S - monotonic()))
            for payload in payloads(self._name, [first, *self._queued()]):
                connection.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, payload))
            sent = monotonic()

    def _queued(self) -> list[Change]:
        changes: list[Change] = []
        while not self._outbox.empty():
            changes.append(self._outbox.get())
        return changes

    def _listen_on(self, connection: psycopg.Connection) -> None:
        connection.execute(f"LISTEN {_CHANNEL}")
        # Messages sent while this process was not connected are lost.
        self._feed.wake(self._feed.topics())
        while not self.closing.is_set():
            for notice in connection.notifies(timeout=_PAUSE_S):
                self._receive(notice.payload)

    def _receive(self, payload: str) -> None:
        try:
            sender, changes = _DECODER.decode(payload)
        except msgspec.MsgspecError:
            # During an upgrade, another release may send another format; the sweep replaces its wake-ups.
            _LOG.warning("wake_up_unreadable")
            return
        if sender != self._name:
            for change in changes:
                self._feed.notify(change)


def payloads(name: str, changes: list[Change]) -> list[str]:
    """Encode the last change of each match as JSON texts, each short enough for one NOTIFY."""
    texts: list[str] = []
    current: list[Change] = []
    size = 0
    for change in {change.match: change for change in changes}.values():
        length = len(_ENCODER.encode(change)) + 1
        if current and size + length > _PAYLOAD_BYTES:
            texts.append(_ENCODER.encode((name, current)).decode())
            current, size = [], 0
        current.append(change)
        size += length
    return [*texts, _ENCODER.encode((name, current)).decode()]


class PollingRelay(RepeatedWork):
    """Polls for rows stored by other processes, ten times a second; the query is cheap if there are none."""

    def __init__(self, store: EventStore, cache: MatchCache, feed: Feed) -> None:
        super().__init__(self._poll, _POLL_S, "wake_ups_interrupted")
        self._recorder = store.recorder
        self._cache = cache
        self._feed = feed
        self._last_id: int | None = None

    def _poll(self) -> None:
        with translate_connection_errors():
            if self._last_id is None:
                self._last_id = self._recorder.max_notification_id() or 0
            for notice in self._recorder.select_notifications(self._last_id, 100, inclusive_of_start=False):
                stored_id, version = UUID(str(notice.originator_id)), notice.originator_version
                if notice.topic.startswith("match."):
                    self.on_match_row(stored_id, version)
                else:
                    self._feed.notify(tournament_change(stored_id, version))
                self._last_id = notice.id

    def on_match_row(self, match_id: UUID, version: int) -> None:
        """Notify the waiters of a new row, unless this process stored it and has notified them already."""
        try:
            cached = self._cache.get(match_id)
            if cached.notified_version < version:
                cached.refresh()
                cached.notified_version = cached.state.version
                self._feed.notify(change_of(match_id, cached.state))
        except RecordDamagedError:
            self._feed.wake([str(match_id)])  # the waiting clients read the match and get the error


class Sweep(RepeatedWork):
    """Wakes the waiters of every match and player whose versions have changed since the last sweep."""

    def __init__(self, store: EventStore, database: Database, feed: Feed, pause_s: float = 3.0) -> None:
        super().__init__(self.sweep, pause_s, "sweep_interrupted")
        self._store = store
        self._database = database
        self._feed = feed
        self._versions: dict[str, dict[UUID, int]] = {}

    def sweep(self) -> None:
        """Notify the waiters of topics that have changed since the last sweep, and of new topics.

        They get the versions that were found, so that those who have them already need not read the store.
        """
        before, self._versions = self._versions, self._read_versions(self._feed.topics())
        for topic, found in self._versions.items():
            known = before.get(topic, {})
            changed = {match: version for match, version in found.items() if known.get(match) != version}
            if known.keys() - found.keys():
                # A match of a player has ended, and its last version is not among these.
                self._feed.wake([topic])
            elif changed:
                self._feed.notify_topic(topic, changed)

    def _read_versions(self, topics: list[str]) -> dict[str, dict[UUID, int]]:
        """Return the versions of the match, or of all matches of the player, for each topic."""
        known = {match: version for found in self._versions.values() for match, version in found.items()}
        matches = {topic: [UUID(topic)] for topic in topics}
        for player, found in self._matches_of(topics).items():
            matches[player] += found
        versions = self._store.newest(sorted({match for found in matches.values() for match in found}), known)
        return {topic: {match: versions[match] for match in found} for topic, found in matches.items()}

    def _matches_of(self, players: list[str]) -> dict[str, list[UUID]]:
        rows = self._database.read_many(
            "SELECT p.player, p.match_id FROM match_players p JOIN matches m ON m.id = p.match_id"
            " WHERE m.status IN ('open', 'running') AND p.player IN ({})",
            players,
        )
        found: defaultdict[str, list[UUID]] = defaultdict(list)
        for row in rows:
            found[row["player"]].append(UUID(row["match_id"]))
        return found
