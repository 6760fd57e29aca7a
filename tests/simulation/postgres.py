"""A simulated PostgreSQL server in memory, with random faults that the seed decides.

SQLite stores the tables. This module simulates what only PostgreSQL has: LISTEN/NOTIFY, advisory locks, and
sessions that end. All statements of a transaction are executed at the same virtual time.
"""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
from eventsourcing.persistence import OperationalError

from tests.simulation.scheduler import Event, Owner, Scheduler
from tests.simulation.statements import EVENTS, Cursor, Row


@dataclass
class FaultRates:
    """The probability of each fault of a single call; there are none unless `storm` is on."""

    storm: bool = True
    before_commit: float = 0.01
    after_commit: float = 0.01
    read_error: float = 0.003
    slow: float = 0.02
    notice_lost: float = 0.1
    notice_doubled: float = 0.05
    notice_late: float = 0.1


@dataclass
class Notice:
    """A message sent by NOTIFY."""

    payload: str


@dataclass(eq=False)
class Session:
    """A connection for LISTEN, NOTIFY or the leader's lock; stands in for `psycopg.Connection`."""

    server: "Server"
    owner: Owner
    closed: bool = False
    listens: bool = False
    used_at: float = 0.0
    inbox: deque[Notice] = field(default_factory=deque)
    arrived: Event | None = None

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.server.end(self)

    def execute(self, sql: str, values: Sequence[Any] = ()) -> "Result":
        self._use()
        if "pg_notify" in sql:
            self.server.notify(values[1])
        elif sql.startswith("LISTEN"):
            self.listens = True
        elif "pg_try_advisory_lock" in sql:
            return Result([(self.server.try_lead(self),)])
        elif "pg_terminate_backend" in sql:
            return Result([(True,)] if self.server.end_frozen(values[2]) else [])
        elif "count(*) FROM pg_locks" in sql:
            return Result([(int(self in self.server.leading),)])
        return Result([])

    def _use(self) -> None:
        self.server.wait_for_network()
        if self.closed or self.server.is_down:
            self.close()
            raise psycopg.OperationalError("the session was ended")
        self.used_at = self.server.scheduler.now

    def notifies(self, timeout: float) -> Iterator[Notice]:
        self._use()
        if not self.inbox:
            assert self.arrived is not None
            self.arrived.clear()
            self.arrived.wait(timeout)
        while self.inbox:
            yield self.inbox.popleft()


class Result:
    """The rows of a statement."""

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def fetchone(self) -> Any:
        return self._rows[0] if self._rows else None

    def fetchall(self) -> list[Any]:
        return self._rows


class Server:
    """The database that all processes share."""

    def __init__(self, scheduler: Scheduler, fault_rates: FaultRates) -> None:
        self.scheduler = scheduler
        self.fault_rates = fault_rates
        self.random = scheduler.random
        self.is_down = False
        self.sessions: dict[Session, None] = {}
        self.leading: dict[Session, None] = {}
        """The sessions that hold the leader's lock; more than one only while `split`."""
        self.split = False
        self.connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.connection.execute(EVENTS)
        self.on_rows: Callable[[Sequence[Row]], None] = lambda rows: None
        """Called at every commit with the new rows of matches and tournaments."""
        self.on_beat: Callable[[int, Sequence[Row]], None] = lambda ms, outages: None
        """Called at every commit with a heartbeat: when it was made, and the outages stored with it."""
        self.counts: dict[str, int] = {}

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def happens(self, probability: float, what: str) -> bool:
        """Decide whether a fault occurs now, and count it."""
        if (
            not self.fault_rates.storm
            or self.scheduler.current is None
            or self.random.random() >= probability
        ):
            return False
        self.count(what)
        return True

    def wait_for_network(self) -> None:
        """Wait as long as a message takes to the server or back."""
        seconds = 0.0002 + self.random.random() * 0.003
        if self.happens(self.fault_rates.slow, "slow database calls"):
            seconds += self.random.random() ** 3 * 4
        self.scheduler.sleep(seconds)

    # --- sessions -------------------------------------------------------------------------------------------

    def connect(self, *_: object, **__: object) -> Session:
        """Stands in for `psycopg.connect`."""
        self.wait_for_network()
        if self.is_down:
            raise psycopg.OperationalError("the server is unavailable")
        assert self.scheduler.current is not None
        session = Session(self, self.scheduler.current.owner, arrived=Event(self.scheduler))
        session.used_at = self.scheduler.now
        self.sessions[session] = None
        return session

    def end(self, session: Session) -> None:
        session.closed = True
        self.sessions.pop(session, None)
        self.leading.pop(session, None)
        if session.arrived is not None:
            session.arrived.set()

    def end_all(self, owner: Owner | None = None) -> None:
        """End the sessions of a process that has ended, or all sessions."""
        for session in list(self.sessions):
            if owner is None or session.owner is owner:
                self.end(session)

    def notify(self, payload: str) -> None:
        for session in self.sessions:
            if session.listens:
                self._send(session, payload)

    def _send(self, session: Session, payload: str) -> None:
        fault_rates = self.fault_rates
        if self.happens(fault_rates.notice_lost, "lost notifications"):
            return
        copies = 2 if self.happens(fault_rates.notice_doubled, "doubled notifications") else 1
        for _ in range(copies):
            late = self.happens(fault_rates.notice_late, "late notifications")
            delay = self.random.random() * (8.0 if late else 0.01)
            self.scheduler.call_later(delay, lambda: self._deliver(session, payload))

    def _deliver(self, session: Session, payload: str) -> None:
        if not session.closed and session.arrived is not None:
            session.inbox.append(Notice(payload))
            session.arrived.set()

    def try_lead(self, session: Session) -> bool:
        if not self.leading or session in self.leading or self.split:
            self.leading[session] = None
        return session in self.leading

    def end_frozen(self, seconds: float) -> bool:
        """End sessions that hold the leader's lock and were not used for `seconds`; return whether any."""
        frozen = [one for one in self.leading if one.used_at < self.scheduler.now - seconds]
        for session in frozen:
            self.count("frozen leaders replaced")
            self.end(session)
        return bool(frozen)

    def end_split(self) -> None:
        """Take the lock from all leaders but one."""
        self.split = False
        for session in list(self.leading)[1:]:
            self.leading.pop(session)

    # --- transactions ---------------------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        """A transaction, which can fail before or after the commit."""
        self._begin_call(self.fault_rates.before_commit, "errors before the commit")
        cursor = Cursor(self.connection, self.scheduler.now)
        self.connection.execute("BEGIN")
        try:
            yield cursor
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")
        if cursor.new_rows:
            self.on_rows(cursor.new_rows)
        if cursor.beat_ms is not None:
            self.on_beat(cursor.beat_ms, cursor.new_outages)
        if self.is_down or self.happens(self.fault_rates.after_commit, "errors after the commit"):
            raise OperationalError("the connection was lost after the commit")
        self.wait_for_network()

    @contextmanager
    def reading(self) -> Iterator[Cursor]:
        """A read-only statement."""
        self._begin_call(self.fault_rates.read_error, "errors of reads")
        yield Cursor(self.connection, self.scheduler.now)
        self.wait_for_network()

    def _begin_call(self, probability: float, what: str) -> None:
        self.wait_for_network()
        if self.is_down or self.happens(probability, what):
            raise OperationalError("the server can't be reached")
