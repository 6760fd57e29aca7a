"""Inserts entries with prepared statements, with one call of libpq for each execution.

A cursor of psycopg needs three calls and four times as long, which would be a fifth of the cost of a move.
"""

from collections.abc import Sequence
from struct import Struct
from typing import Any
from uuid import UUID
from weakref import WeakSet

from psycopg import Connection, OperationalError, pq
from psycopg.errors import InvalidSqlStatementName, error_from_result

Row = tuple[UUID, int, str, bytes]
"""A stored entry: match, version, topic, JSON."""
Key = tuple[UUID, int]
"""Match and version."""

_ONE, _GROUP = b"kontor_insert", b"kontor_insert_group"
_STATEMENTS = {
    _ONE: b"INSERT INTO kontor_events (originator_id, originator_version, topic, state)"
    b" VALUES ($1, $2, $3, $4)",
    _GROUP: b"""INSERT INTO kontor_events (originator_id, originator_version, topic, state)
        SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::bytea[])
        ON CONFLICT DO NOTHING RETURNING originator_id, originator_version""",
}
_UUID, _BIGINT, _TEXT, _BYTEA = 2950, 20, 25, 17
"""The object ids of the types, which are the same in every PostgreSQL."""
_BINARY = (pq.Format.BINARY,) * 4
_NUMBER, _SIZE, _ARRAY = Struct("!q"), Struct("!i"), Struct("!iiiii")
_LOST = "The connection was lost."


class PreparedInserts:
    """Inserts entries; prepares the statements once on each connection."""

    def __init__(self) -> None:
        self._prepared: WeakSet[Connection[Any]] = WeakSet()

    def insert(self, connection: Connection[Any], row: Row) -> None:
        """Insert one entry; raise UniqueViolation if its key is taken."""
        values = [value[0] for value in _columns([row])]
        self._execute(connection, _ONE, values, pq.ExecStatus.COMMAND_OK)

    def insert_group(self, connection: Connection[Any], rows: Sequence[Row]) -> set[Key]:
        """Insert entries whose keys are not taken; return the keys of those that were inserted."""
        types = (_UUID, _BIGINT, _TEXT, _BYTEA)
        arrays = [_array(kind, values) for kind, values in zip(types, _columns(rows), strict=True)]
        result = self._execute(connection, _GROUP, arrays, pq.ExecStatus.TUPLES_OK)
        return {
            (UUID(bytes=_value(result, i, 0)), _NUMBER.unpack(_value(result, i, 1))[0])
            for i in range(result.ntuples)
        }

    def _execute(
        self, connection: Connection[Any], name: bytes, values: list[bytes], expected: pq.ExecStatus
    ) -> Any:
        libpq = connection.pgconn
        if connection in self._prepared:
            try:
                return _check(libpq, libpq.exec_prepared(name, values, _BINARY, pq.Format.BINARY), expected)
            except InvalidSqlStatementName:
                self._prepared.discard(connection)  # psycopg deallocates all statements after a rollback
        for statement, sql in _STATEMENTS.items():
            _check(libpq, libpq.prepare(statement, sql), pq.ExecStatus.COMMAND_OK)
        self._prepared.add(connection)
        return _check(libpq, libpq.exec_prepared(name, values, _BINARY, pq.Format.BINARY), expected)


def _columns(rows: Sequence[Row]) -> tuple[list[bytes], list[bytes], list[bytes], list[bytes]]:
    """The values of rows column by column, in PostgreSQL's binary format."""
    return (
        [match_id.bytes for match_id, _, _, _ in rows],
        [_NUMBER.pack(version) for _, version, _, _ in rows],
        [topic.encode() for _, _, topic, _ in rows],
        [state for _, _, _, state in rows],
    )


def _array(kind: int, values: Sequence[bytes]) -> bytes:
    """An array of one dimension in PostgreSQL's binary format."""
    parts = [_ARRAY.pack(1, 0, kind, len(values), 1)]
    for value in values:
        parts += (_SIZE.pack(len(value)), value)
    return b"".join(parts)


def _value(result: Any, row: int, column: int) -> bytes:
    value: bytes = result.get_value(row, column)
    return value


def _check(libpq: Any, result: Any, expected: pq.ExecStatus) -> Any:
    """The result, if it has the wanted status; otherwise its error is raised."""
    if result.status == expected:
        return result
    if libpq.status != pq.ConnStatus.OK:
        raise OperationalError(_LOST)
    raise error_from_result(result)
