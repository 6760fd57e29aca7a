"""Checks at start-up that the database is suitable: otherwise wake-ups get lost, or two processes lead."""

import re
import sqlite3
from collections.abc import Callable
from secrets import randbits
from time import monotonic, sleep
from typing import Any

import psycopg
import structlog
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from kontor_games.service.errors import OperatorError, UnavailableError
from kontor_games.service.settings import Settings
from kontor_games.service.store.database import unavailable

MIN_POSTGRES = 14
MIN_SQLITE = (3, 24, 0)
_LOG = structlog.get_logger(__name__)
_CONNECT_S = 5
_FIRST_PAUSE_S, _LAST_PAUSE_S = 0.5, 5.0
"""How long to wait between two attempts to reach the database at the start."""
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
        if (refusal := _refusal(settings, str(error))) is not None:
            raise refusal from error
        raise unavailable(error) from error


def check_database_if_reachable(settings: Settings) -> None:
    """Do the same, but only log a database that is down: callers wait for it later."""
    try:
        check_database(settings)
    except UnavailableError:
        _LOG.warning("waiting_for_database", database=server_name(settings.database_url))


def wait_for_database(settings: Settings) -> None:
    """Check the database, waiting for one that is down as long as the settings say."""
    until, pause = monotonic() + settings.database_wait_s, _FIRST_PAUSE_S
    while True:
        try:
            check_database(settings)
        except UnavailableError:
            left = until - monotonic()
            if left <= 0:
                raise
            _LOG.warning(
                "waiting_for_database",
                database=server_name(settings.database_url),
                seconds_left=round(left),
            )
            sleep(min(pause, left))
            pause = min(2 * pause, _LAST_PAUSE_S)
        else:
            return


def server_name(database_url: str) -> str:
    """Return database, host and port of a PostgreSQL URL for messages, without its password."""
    parts = conninfo_to_dict(database_url)
    hosts = str(parts.get("host") or "").split(",")
    ports = str(parts.get("port") or "5432").split(",")
    ports = ports if len(ports) == len(hosts) else ports[:1] * len(hosts)
    shown = [
        f"{host}:{port}" if host and not host.startswith("/") else f"at the local socket {host}".rstrip()
        for host, port in zip(hosts, ports, strict=True)
    ]
    return f"{parts.get('dbname', '')} on the PostgreSQL server {', '.join(shown)}"


def why_unreachable(settings: Settings) -> str:
    """Return a sentence that says why no connection to the database can be made."""
    name = server_name(settings.database_url)
    try:
        psycopg.connect(make_conninfo(settings.database_url, connect_timeout=_CONNECT_S)).close()
    except psycopg.OperationalError as error:
        refusal = _refusal(settings, str(error))
        return f"The database {name} cannot be reached." if refusal is None else str(refusal)
    return f"The database {name} did not answer in time."


_REFUSALS = {
    r'role "(?P<what>[^"]+)" does not exist': "There is no role {what} on it: create it, or correct the user"
    " in KONTOR_DATABASE_URL",
    r'password authentication failed for user "(?P<what>[^"]+)"': "The password of the role {what} is wrong",
    r'database "(?P<what>[^"]+)" does not exist': "There is no database {what} on it:"
    " create it with `createdb`",
    r"no password supplied": "It asks for a password, and KONTOR_DATABASE_URL has none",
    r"no pg_hba.conf entry for (?P<what>[^\n]+)": "Its pg_hba.conf does not admit {what}",
    r'role "(?P<what>[^"]+)" is not permitted to log in': "The role {what} may not log in",
    r'permission denied for database "(?P<what>[^"]+)"': "The role may not connect to the database {what}",
}
"""What the server says when waiting does not help, and what we say."""


def _refusal(settings: Settings, message: str) -> UnsuitableDatabaseError | None:
    """The error of a server that is there but refuses the connection; None if it is down."""
    for pattern, sentence in _REFUSALS.items():
        if found := re.search(pattern, message):
            said = sentence.format(**found.groupdict())
            name = server_name(settings.database_url)
            return UnsuitableDatabaseError(f"The database {name} refuses the connection. {said}.")
    return None


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
