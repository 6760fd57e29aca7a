"""Executes the SQL statements of the service in SQLite; a few are rewritten."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError

from kontor_games.service.matches import outages
from kontor_games.service.store import postgres_recorder

EVENTS = """CREATE TABLE kontor_events (
    notification_id INTEGER PRIMARY KEY, originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL, state BLOB NOT NULL, UNIQUE (originator_id, originator_version))"""
_INSERT_ROW = (
    "INSERT INTO kontor_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"
)
_SELECT = postgres_recorder._SELECT.replace("%s", "?")
_ABSENT = re.compile(
    r"pg_advisory_xact_lock|kontor_events_|(TABLE|EXISTS) (\"public\"\.)?\"?kontor_events\"?"
)
"""Statements of the migration that SQLite does not need."""
Row = tuple[Any, ...]


@cache
def _translated(sql: str) -> str | None:
    """The statement in the dialect of SQLite; None if SQLite does not need it."""
    return None if "pg_tables" in sql or _ABSENT.search(sql) else sql.replace("%s", "?")


class Cursor:
    """Executes statements that are written in the dialect of PostgreSQL."""

    def __init__(self, connection: sqlite3.Connection, now: float) -> None:
        self._connection = connection
        self._now = now
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
        """Keep heartbeats and outages, which the referee checks after the commit."""
        if changed > 0 and sql.startswith("INSERT INTO heartbeat_clock"):
            self.beat_ms = values[1]
        elif changed > 0 and sql.startswith("INSERT INTO outages"):
            self.new_outages.append(tuple(values[:2]))

    def run(self, sql: str, values: Sequence[Any]) -> sqlite3.Cursor:
        try:
            return self._connection.execute(sql, values)
        except sqlite3.IntegrityError as error:
            raise IntegrityError(str(error)) from error

    def fetchall(self) -> list[Any]:
        return self._found

    # --- statements whose SQL is different ------------------------------------------------------------------

    def server_clock(self, values: Sequence[Any]) -> Iterable[Any]:
        yield {"ms": int(self._now * 1000)}

    def insert(self, values: Sequence[Any]) -> Iterable[Row]:
        row = (str(values[0]), *values[1:])
        self.run(_INSERT_ROW, row)
        self.new_rows.append(row)
        return ()

    def insert_group(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Insert the rows whose keys do not exist yet; return these keys."""
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
        for match_id, since in zip(*values, strict=True):
            version = self.run(query, (str(match_id),)).fetchone()[0]
            if version is not None and version >= since:
                yield match_id, version


_SPECIAL: dict[str, Callable[[Cursor, Sequence[Any]], Iterable[Row]]] = {
    postgres_recorder._INSERT: Cursor.insert,
    postgres_recorder._SELECT: Cursor.select,
    postgres_recorder._SELECT_MANY: Cursor.select_many,
    postgres_recorder._NEWEST: Cursor.newest,
    outages.SERVER_CLOCK: Cursor.server_clock,
}
