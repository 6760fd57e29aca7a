"""Checks at start-up that the database is suitable: otherwise wake-ups get lost, or two processes lead."""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from secrets import randbits
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from kontor_games.service.errors import OperatorError, UnavailableError
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import unavailable

MIN_POSTGRES = 14
MIN_SQLITE = (3, 24, 0)
_CONNECT_S = 5
_NOTIFY_S = 5.0
_REPEATS = 3
"""Number of statements with which to test whether a session stays with one server process."""
_POOLER = (
    "{0}. A pooler in transaction or statement mode does that: connect to PostgreSQL itself, or set"
    " pool_mode = session in PgBouncer."
)


class UnsuitableDatabaseError(OperatorError):
    """The database lacks something that the service needs; the message says what to do."""


def check_database(settings: Settings) -> None:
    """Raise UnsuitableDatabaseError if the database lacks something, UnavailableError if it is down."""
    if settings.sqlite_path is not None:
        check_sqlite()
        return
    try:
        check_postgres(settings.database_url)
    except psycopg.OperationalError as error:
        raise unavailable(error) from error


def check_database_if_reachable(settings: Settings) -> None:
    """Do the same, but ignore a database that is down: callers wait for it later."""
    with suppress(UnavailableError):
        check_database(settings)


def check_postgres(database_url: str) -> None:
    """Raise UnsuitableDatabaseError or psycopg's OperationalError."""
    conninfo = make_conninfo(database_url, connect_timeout=_CONNECT_S)
    with (
        psycopg.connect(conninfo, autocommit=True, prepare_threshold=None) as one,
        psycopg.connect(conninfo, autocommit=True, prepare_threshold=None) as other,
    ):
        for check in (_check_server, _check_session):
            check(one)
        try:
            for check_both in (_check_sessions_kept, _check_locks, _check_notices):
                check_both(one, other)
        except psycopg.OperationalError as error:
            if "pooling mode" not in str(error):
                raise
            raise _pooled("Transactions are refused") from error


def check_sqlite(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> None:
    """Raise UnsuitableDatabaseError if the SQLite library of this Python is too old."""
    if version < MIN_SQLITE:
        found, needed = (".".join(map(str, numbers)) for numbers in (version, MIN_SQLITE))
        raise UnsuitableDatabaseError(
            f"SQLite {found} is too old: use a Python with SQLite {needed} or newer."
        )


def _pooled(what: str) -> UnsuitableDatabaseError:
    return UnsuitableDatabaseError(_POOLER.format(what))


def _value(connection: psycopg.Connection[Any], query: str, *values: object) -> Any:
    row = connection.execute(query, values).fetchone()
    return row[0] if row else None


def _check_server(connection: psycopg.Connection[Any]) -> None:
    """Check the version and the encoding."""
    version = int(_value(connection, "SHOW server_version_num")) // 10_000
    if version < MIN_POSTGRES:
        raise UnsuitableDatabaseError(
            f"PostgreSQL {version} is too old: upgrade the server to {MIN_POSTGRES} or newer."
        )
    encoding = _value(connection, "SHOW server_encoding")
    if encoding != "UTF8":
        raise UnsuitableDatabaseError(
            f"The encoding of the database is {encoding}, and names of players need UTF8:"
            " create it with `createdb --encoding=UTF8 --template=template0`."
        )


def _check_session(connection: psycopg.Connection[Any]) -> None:
    """Check that a session may write, and sees what others have committed."""
    if _value(connection, "SHOW transaction_read_only") == "on":
        raise UnsuitableDatabaseError(
            "The database can only be read: name the primary, or all servers with"
            " ?target_session_attrs=read-write, in KONTOR_DATABASE_URL."
        )
    isolation = _value(connection, "SHOW default_transaction_isolation")
    if isolation != "read committed":
        raise UnsuitableDatabaseError(
            f"The default isolation of transactions is {isolation}, and the service needs read committed:"
            " run `ALTER DATABASE … RESET default_transaction_isolation`, and the same for its role."
        )


def _check_sessions_kept(first: psycopg.Connection[Any], other: psycopg.Connection[Any]) -> None:
    """Check that each of two sessions keeps a server process of its own, even after a transaction."""

    def process(connection: psycopg.Connection[Any]) -> int:
        return int(_value(connection, "SELECT pg_backend_pid()"))

    with other.transaction():
        processes = process(first), process(other)
        with first.transaction():
            process(first)
        kept = [process(first) for _ in range(_REPEATS)]
    kept += [process(first) for _ in range(_REPEATS)]
    if processes[0] == processes[1] or set(kept) != {processes[0]} or process(other) != processes[1]:
        raise _pooled("Sessions of the database are not kept")


def _check_locks(first: psycopg.Connection[Any], other: psycopg.Connection[Any]) -> None:
    """Check that an advisory lock of one session excludes another session until it is released."""
    number = randbits(62)

    def lock(connection: psycopg.Connection[Any]) -> bool:
        return bool(_value(connection, "SELECT pg_try_advisory_lock(%s)", number))

    def unlock(connection: psycopg.Connection[Any]) -> bool:
        return bool(_value(connection, "SELECT pg_advisory_unlock(%s)", number))

    steps: list[tuple[Callable[[psycopg.Connection[Any]], bool], psycopg.Connection[Any], bool]] = [
        (lock, first, True),
        (lock, other, False),
        (unlock, first, True),
        (lock, other, True),
        (unlock, other, True),
    ]
    if any(step(connection) is not expected for step, connection, expected in steps):
        raise _pooled("Advisory locks do not hold between two sessions of the database")


def _check_notices(listener: psycopg.Connection[Any], sender: psycopg.Connection[Any]) -> None:
    """Check that a notification of one session reaches another."""
    channel = f"kontor_check_{randbits(62):x}"
    listener.execute(f"LISTEN {channel}")
    sender.execute("SELECT pg_notify(%s, 'hello')", (channel,))
    if [notice.payload for notice in listener.notifies(timeout=_NOTIFY_S, stop_after=1)] != ["hello"]:
        raise _pooled("Notifications (LISTEN and NOTIFY) do not reach other sessions of the database")
