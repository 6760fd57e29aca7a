from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.errors import UniqueViolation

from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store.prepared_insert import PreparedInserts, Row
from tests.support.postgres import Cluster


@pytest.fixture
def connection(postgres_cluster: Cluster) -> Iterator[psycopg.Connection[Any]]:
    url = postgres_cluster.fresh_database()
    kontor = Kontor(Settings(database_url=url, workers_in_process=False))
    kontor.migrate()
    kontor.close()
    with psycopg.connect(url, autocommit=True) as connected:
        yield connected


def row() -> Row:
    return uuid4(), 1, "match.test", b"{}"


def count(connection: psycopg.Connection[Any]) -> int:
    return int(connection.execute("SELECT count(*) FROM kontor_events").fetchone()[0])  # type: ignore[index]


def test_statements_that_psycopg_has_deallocated_are_prepared_again(
    connection: psycopg.Connection[Any],
) -> None:
    """psycopg deallocates all statements of a connection after a rollback."""
    inserts = PreparedInserts()
    inserts.insert(connection, row())
    connection.execute("DEALLOCATE ALL")
    inserts.insert(connection, row())
    connection.execute("DEALLOCATE ALL")
    assert len(inserts.insert_group(connection, [row(), row()])) == 2
    assert count(connection) == 4


def test_a_rollback_of_another_transaction_loses_no_later_insert(
    connection: psycopg.Connection[Any],
) -> None:
    inserts = PreparedInserts()
    inserts.insert(connection, row())
    for _ in range(2):
        with connection.transaction(force_rollback=True):
            connection.execute("SELECT 1", prepare=True)
        connection.execute("SELECT 2", prepare=True)
    inserts.insert(connection, row())
    assert count(connection) == 2


def test_a_taken_key_is_reported_and_the_connection_stays_usable(connection: psycopg.Connection[Any]) -> None:
    inserts, taken = PreparedInserts(), row()
    inserts.insert(connection, taken)
    with pytest.raises(UniqueViolation):
        inserts.insert(connection, taken)
    assert inserts.insert_group(connection, [taken]) == set()
    inserts.insert(connection, row())
    assert count(connection) == 2
