"""Calls that PostgreSQL does not answer are ended."""

from threading import Event, Thread
from time import monotonic

import psycopg

from kontor_games.service.store.statement_watch import ANSWER_LIMIT_S, StatementWatch


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
