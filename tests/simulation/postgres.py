"""A simulated PostgreSQL server, in memory, that fails when the seed says so.

SQLite executes the statements. What belongs to PostgreSQL alone is done here: LISTEN/NOTIFY, advisory locks, sessions
that end, and the few statements whose SQL is different. Statements of one transaction are executed at one moment.
"""

import re
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from eventsourcing.persistence import IntegrityError, OperationalError
from eventsourcing.postgres import PostgresDatastore

from kontor_games.service.matches import outages
from kontor_games.service.store import event_store
from tests.simulation.scheduler import Event, Owner, Scheduler

T = TypeVar("T")
EVENTS = """CREATE TABLE kontor_events (
    notification_id INTEGER PRIMARY KEY, originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL, state BLOB NOT NULL, UNIQUE (originator_id, originator_version))"""
_INSERT_ROW = (
    "INSERT INTO kontor_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"
)
_SELECT = event_store._SELECT.replace("%s", "?")
_ABSENT = re.compile(
    r"pg_advisory_xact_lock|kontor_events_notification|TABLE IF NOT EXISTS \"public\"\.\"kontor_events\""
)
"""Statements of the migration that have nothing to do here."""
Row = tuple[Any, ...]


@cache
def _translated(sql: str) -> str | None:
    """A statement in the dialect of SQLite; None for one that has nothing to do here."""
    return None if "pg_tables" in sql or _ABSENT.search(sql) else sql.replace("%s", "?")


@dataclass
class Weather:
    """How often what goes wrong; all are probabilities. Everything is fine while `storm` is off."""

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
    """A message of NOTIFY."""

    payload: str


@dataclass(eq=False)
class Session:
    """One connection that LISTENs, notifies or leads, with what the service uses of `psycopg.Connection`."""

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
        self.server.travel()
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

    def __init__(self, scheduler: Scheduler, weather: Weather) -> None:
        self.scheduler = scheduler
        self.weather = weather
        self.random = scheduler.random
        self.is_down = False
        self.sessions: dict[Session, None] = {}
        self.leading: dict[Session, None] = {}
        """The sessions that hold the leader's lock; more than one only while `split`."""
        self.split = False
        self.connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.connection.execute(EVENTS)
        self.on_rows: Callable[[Sequence[Row]], None] = lambda rows: None
        """Called at the moment of every commit with the new rows of matches."""
        self.on_beat: Callable[[int, Sequence[Row]], None] = lambda ms, outages: None
        """Called at the moment of every commit with a heartbeat: when it was made, and the outages stored with it."""
        self.counts: dict[str, int] = {}

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def happens(self, probability: float, what: str) -> bool:
        """Whether something goes wrong now."""
        if not self.weather.storm or self.scheduler.current is None or self.random.random() >= probability:
            return False
        self.count(what)
        return True

    def travel(self) -> None:
        """Take the time of a message to the server or back."""
        seconds = 0.0002 + self.random.random() * 0.003
        if self.happens(self.weather.slow, "slow database calls"):
            seconds += self.random.random() ** 3 * 4
        self.scheduler.sleep(seconds)

    # --- sessions -------------------------------------------------------------------------------------------

    def connect(self, *_: object, **__: object) -> Session:
        """Stands in for `psycopg.connect`."""
        self.travel()
        if self.is_down:
            raise psycopg.OperationalError("the server is not there")
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
        """End the sessions of a process that died, or all of them."""
        for session in list(self.sessions):
            if owner is None or session.owner is owner:
                self.end(session)

    def notify(self, payload: str) -> None:
        for session in self.sessions:
            if session.listens:
                self._send(session, payload)

    def _send(self, session: Session, payload: str) -> None:
        weather = self.weather
        if self.happens(weather.notice_lost, "lost notifications"):
            return
        copies = 2 if self.happens(weather.notice_doubled, "doubled notifications") else 1
        for _ in range(copies):
            late = self.happens(weather.notice_late, "late notifications")
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
        """End the sessions that hold the lock and were not used for so long."""
        frozen = [one for one in self.leading if one.used_at < self.scheduler.now - seconds]
        for session in frozen:
            self.count("frozen leaders replaced")
            self.end(session)
        return bool(frozen)

    def end_split(self) -> None:
        """Let only one of two leaders keep the lock."""
        self.split = False
        for session in list(self.leading)[1:]:
            self.leading.pop(session)

    # --- transactions ---------------------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator["Cursor"]:
        """One transaction, which fails before or after the commit if the seed says so."""
        self._arrive(self.weather.before_commit, "errors before the commit")
        cursor = Cursor(self)
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
        if self.is_down or self.happens(self.weather.after_commit, "errors after the commit"):
            raise OperationalError("the connection was lost after the commit")
        self.travel()

    @contextmanager
    def reading(self) -> Iterator["Cursor"]:
        """A statement that only reads."""
        self._arrive(self.weather.read_error, "errors of reads")
        yield Cursor(self)
        self.travel()

    def _arrive(self, probability: float, what: str) -> None:
        self.travel()
        if self.is_down or self.happens(probability, what):
            raise OperationalError("the server can't be reached")


class Cursor:
    """Executes statements in the dialect of PostgreSQL."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._found: list[Any] = []
        self.new_rows: list[Row] = []
        self.new_outages: list[Row] = []
        self.beat_ms: int | None = None

    def __enter__(self) -> "Cursor":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, sql: str, values: Sequence[Any] = (), **_: object) -> "Cursor":
        special = _SPECIAL.get(sql)
        if special is not None:
            self._found = list(special(self, values))
        elif "has_schema_privilege" in sql:
            self._found = [{"may_create": True}]
        elif (translated := _translated(sql)) is None:
            self._found = []
        else:
            found = self.run(translated, [str(v) if type(v) is UUID else v for v in values])
            rows = found.fetchall() if found.description else ()
            if rows:
                names = [column[0] for column in found.description]
                self._found = [dict(zip(names, row, strict=True)) for row in rows]
            else:
                self._found = []
            self._note(sql, values, found.rowcount)
        return self

    def _note(self, sql: str, values: Sequence[Any], changed: int) -> None:
        """Remember heartbeats and outages, which are checked once they are committed."""
        if changed > 0 and sql.startswith("INSERT INTO heartbeat_clock"):
            self.beat_ms = values[1]
        elif changed > 0 and sql.startswith("INSERT INTO outages"):
            self.new_outages.append(tuple(values[:2]))

    def run(self, sql: str, values: Sequence[Any]) -> sqlite3.Cursor:
        try:
            return self._server.connection.execute(sql, values)
        except sqlite3.IntegrityError as error:
            raise IntegrityError(str(error)) from error

    def fetchall(self) -> list[Any]:
        return self._found

    # --- statements whose SQL is different ------------------------------------------------------------------

    def server_clock(self, values: Sequence[Any]) -> Iterable[Any]:
        yield {"ms": int(self._server.scheduler.now * 1000)}

    def insert(self, values: Sequence[Any]) -> Iterable[Row]:
        row = (str(values[0]), *values[1:])
        self.run(_INSERT_ROW, row)
        self.new_rows.append(row)
        return ()

    def insert_group(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Insert rows whose keys are not taken; their keys."""
        for row in rows:
            try:
                self.insert(row)
            except IntegrityError:
                continue
            yield row[:2]

    def select(self, values: Sequence[Any]) -> Iterable[Row]:
        return self.run(_SELECT, (str(values[0]), values[1])).fetchall()

    def select_many(self, values: Sequence[Any]) -> Iterable[Row]:
        for match_id, after in sorted(zip(*values, strict=True)):
            for row in self.select((match_id, after)):
                yield (match_id, *row)

    def newest(self, values: Sequence[Any]) -> Iterable[Row]:
        query = "SELECT MAX(originator_version) FROM kontor_events WHERE originator_id = ?"
        for match_id in values[0]:
            yield match_id, self.run(query, (str(match_id),)).fetchone()[0]


_SPECIAL: dict[str, Callable[[Cursor, Sequence[Any]], Iterable[Row]]] = {
    event_store._INSERT: Cursor.insert,
    event_store._SELECT: Cursor.select,
    event_store._SELECT_MANY: Cursor.select_many,
    event_store._NEWEST: Cursor.newest,
    outages.SERVER_CLOCK: Cursor.server_clock,
}


class Pool:
    """The pool of connections, which need no check here."""

    def check(self) -> None:
        pass


class PooledConnection:
    """A connection of the pool, in the mode in which each statement is a transaction of its own."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._inside: Cursor | None = None

    def execute(self, sql: str, values: Sequence[Any] = (), **_: object) -> Cursor:
        is_read = sql.startswith("SELECT")
        with self.server.reading() if is_read else self.server.transaction() as cursor:
            return cursor.execute(sql, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self.server.transaction() as self._inside:
            yield
        self._inside = None

    @contextmanager
    def cursor(self, **_: object) -> Iterator[Any]:
        yield self._inside or self


class Inserts:
    """Stands in for `PreparedInserts`."""

    def insert(self, connection: PooledConnection, row: Row) -> None:
        connection.execute(event_store._INSERT, row)

    def insert_group(self, connection: PooledConnection, rows: Sequence[Row]) -> set[Row]:
        with connection.server.transaction() as cursor:
            return set(cursor.insert_group(rows))


class Datastore(PostgresDatastore):
    """The connections of one process to the simulated server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.pool = Pool()  # type: ignore[assignment]
        self.schema, self.originator_id_type, self.lock_timeout = "public", "uuid", 0
        self.db_type_names: set[str] = set()
        self.quick = self.patient = self

    def register_type_adapters(self) -> None:
        pass

    @contextmanager
    def get_connection(self) -> Iterator[Any]:
        yield PooledConnection(self._server)

    def use(self, call: Callable[[Any], T]) -> T:
        return call(PooledConnection(self._server))

    @contextmanager
    def cursor(self) -> Iterator[Any]:
        with self._server.reading() as cursor:
            yield cursor

    @contextmanager
    def transaction(self, *, commit: bool = False) -> Iterator[Any]:
        with self._server.transaction() as cursor:
            yield cursor

    def close(self) -> None:
        pass

    def __del__(self) -> None:
        pass
