"""Calls that PostgreSQL does not answer are ended."""

from threading import Event, Thread
from time import monotonic

import psycopg
import pytest
from eventsourcing.persistence import OperationalError
from psycopg_pool import ConnectionPool

from kontor_games.service.store import database
from kontor_games.service.store.database import EntryDatastore, retry_once
from kontor_games.service.store.statement_watch import ANSWER_LIMIT_S, SURELY_S, StatementWatch


def test_a_call_that_waits_too_long_is_ended_and_all_connections_are_dropped(database_url: str) -> None:
    dropped, ended = Event(), list[psycopg.Error]()
    watch = StatementWatch(dropped.set)
    connection = psycopg.connect(database_url, autocommit=True)

    def wait() -> None:
        try:
            connection.execute("SELECT pg_sleep(600)")
        except psycopg.Error as error:
            ended.append(error)

    calling = Thread(target=wait)
    calling.start()
    watch.in_use[connection] = monotonic()
    watch.check()
    assert not dropped.is_set(), "it may still be answered"
    watch.in_use[connection] = monotonic() - ANSWER_LIMIT_S
    watch.check()
    calling.join(60)
    assert not calling.is_alive()
    assert [isinstance(error, psycopg.OperationalError) for error in ended] == [True]
    assert dropped.is_set()
    watch.check()  # its socket is closed by now


def test_without_calls_there_is_nothing_to_end() -> None:
    dropped = Event()
    StatementWatch(dropped.set).check()
    assert not dropped.is_set()


def test_the_check_of_idle_connections_is_watched_too(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, watched = EntryDatastore(database_url, 1), list[bool]()
    monkeypatch.setattr(
        ConnectionPool, "check_connection", lambda one: watched.append(one in store.watch.in_use)
    )
    store.with_connection(lambda connection: connection.execute("SELECT 1"))
    store.pool.check()
    assert watched
    assert all(watched)
    assert store.watch.in_use == {}
    store.close()


@pytest.mark.parametrize(("taken_s", "calls"), [(0.0, 2), (SURELY_S, 1)])
def test_a_call_that_failed_after_a_while_is_not_repeated(
    database_url: str, monkeypatch: pytest.MonkeyPatch, taken_s: float, calls: int
) -> None:
    times, made = iter([0.0, taken_s]), list[None]()
    monkeypatch.setattr(database, "monotonic", lambda: next(times))

    def fail() -> None:
        made.append(None)
        raise OperationalError("The connection was lost.")

    store = EntryDatastore(database_url, 1)
    store.pool.open()
    with pytest.raises(OperationalError):
        retry_once(store, fail)
    assert len(made) == calls
    store.close()
