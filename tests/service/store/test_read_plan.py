"""The table of entries stays cheap to read when it is large, and a distributed PostgreSQL can hold it."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from kontor_games.service.store import postgres_recorder
from kontor_games.service.store.postgres_recorder import _NEWEST, _SELECT_MANY
from kontor_games.service.trust.checkpoints import _CHANGED

MATCHES, ENTRIES = 1000, 60
_FILL = """INSERT INTO kontor_events (originator_id, originator_version, topic, state)
    SELECT match, version, 'match.play', repeat('x', 300)::bytea
    FROM generate_series(1, %s) AS version, unnest(%s) AS matches (match)"""
_STATEMENTS = [
    text
    for name, text in vars(postgres_recorder).items()
    if isinstance(text, str) and text.lstrip().startswith(("SELECT", "INSERT"))
]
Rows = list[tuple[Any, ...]]


class Table:
    """A table of entries of many matches, in a transaction that is never committed."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection
        self.matches = [uuid4() for _ in range(MATCHES)]
        connection.execute(_FILL, (ENTRIES, self.matches))
        connection.execute("ANALYZE kontor_events")

    def read(self, sql: str, values: tuple[Any, ...] = ()) -> Rows:
        return self.connection.execute(sql, values).fetchall()

    def plan(self, sql: str, values: tuple[Any, ...]) -> str:
        return "\n".join(line for (line,) in self.read(f"EXPLAIN {sql}", values))

    def lowest_number(self) -> int:
        [(number,)] = self.read("SELECT min(notification_id) FROM kontor_events")
        return int(number)


@pytest.fixture
def table(migrated_database_url: str) -> Iterator[Table]:
    with psycopg.connect(migrated_database_url) as connection:
        yield Table(connection)
        connection.rollback()


@pytest.mark.parametrize("read", [1, 16, 64])
@pytest.mark.parametrize("sql", [_SELECT_MANY, _NEWEST], ids=["entries", "versions"])
def test_no_plan_scans_the_table(table: Table, sql: str, read: int) -> None:
    plan = table.plan(sql, (table.matches[:read], [ENTRIES - 2] * read))
    assert "Seq Scan" not in plan
    assert "Index" in plan


def test_entries_of_many_matches_come_in_order(table: Table) -> None:
    wanted = table.matches[:16]
    found: dict[UUID, list[int]] = {}
    for match, version, *_ in table.read(_SELECT_MANY, (wanted, [ENTRIES - 2] * 16)):
        found.setdefault(match, []).append(version)
    assert found == {match: [ENTRIES - 1, ENTRIES] for match in wanted}


def test_versions_older_than_the_known_ones_are_not_read(table: Table) -> None:
    one, other = table.matches[:2]
    found = table.read(_NEWEST, ([one, other, uuid4()], [ENTRIES - 1, ENTRIES + 1, 0]))
    assert found == [(one, ENTRIES)]


def test_a_checkpoint_reads_only_the_newest_rows(table: Table) -> None:
    newest = table.lowest_number() + MATCHES * ENTRIES - 100
    sql = _CHANGED.format(column="notification_id").replace("?", "%s")
    assert "kontor_events_by_order" in table.plan(sql, (newest,))
    assert len(table.read(sql, (newest,))) == 99


def test_the_index_of_row_numbers_is_small(table: Table) -> None:
    """A unique index of them is larger than 1 MB here, and one more write for each move."""
    [(size,)] = table.read("SELECT pg_relation_size('kontor_events_by_order')")
    assert size <= 65_536


def test_every_unique_key_contains_the_match(migrated_database_url: str) -> None:
    """A distributed table can't have other unique keys."""
    with psycopg.connect(migrated_database_url) as connection:
        keys = connection.execute(
            "SELECT indexdef FROM pg_indexes WHERE tablename = 'kontor_events' AND indexdef LIKE '%UNIQUE%'"
        ).fetchall()
    assert len(keys) == 1
    assert all("originator_id" in definition for (definition,) in keys)


@pytest.mark.parametrize("sql", _STATEMENTS)
def test_a_distributed_database_can_send_each_statement_to_its_shards(sql: str) -> None:
    """Each names the match, and none has a subquery, which could refer to the function `unnest`."""
    assert "originator_id" in sql
    assert not re.search(r"\bLATERAL\b|\bOFFSET\b|\(\s*SELECT\b", sql)


def test_statements_are_found() -> None:
    assert len(_STATEMENTS) == 4
