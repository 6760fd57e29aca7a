"""A row that another session of PostgreSQL has locked delays its own match, and no other."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.store import database, postgres_recorder
from kontor_games.service.store.event_store import NewEntry, Stored
from tests.service.tables import LocalPlayer, start_match, stored_rows
from tests.support.waiting import SOON_S, wait_until

_INSERT = (
    "INSERT INTO kontor_events (originator_id, originator_version, topic, state) VALUES (%s, %s, %s, %s)"
)
_WAITING = """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
    AND wait_event_type = 'Lock' AND query LIKE '%%kontor_events%%'"""


@pytest.fixture
def set_lock_wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that sets how long an entry waits for a lock, in ms."""

    def wait(ms: int) -> None:
        monkeypatch.setattr(database, "LOCK_WAIT_MS", ms)
        monkeypatch.setattr(postgres_recorder, "LOCK_WAIT_MS", ms)
        monkeypatch.setattr(database, "_SESSION", database._SESSION.replace("'6s'", "'120s'"))

    return wait


@contextmanager
def locked_row(
    database_url: str, match_id: str, version: int, state: bytes = b"{}"
) -> Iterator[psycopg.Connection[Any]]:
    """Insert a row in another session without committing; roll back at the end of the block."""
    with psycopg.connect(database_url) as holder:
        holder.execute(_INSERT, (match_id, version, "match.play", state))
        try:
            yield holder
        finally:
            holder.rollback()


def wait_for_a_blocked_insert(database_url: str) -> None:
    """Wait until an insert of the service waits for a lock."""
    with psycopg.connect(database_url, autocommit=True) as watcher:
        wait_until(lambda: (watcher.execute(_WAITING).fetchone() or (0,))[0])


def entry(number: int) -> Stored:
    return Stored(
        at=number,
        by="me",
        key=f"k{number}",
        body="b",
        command={"type": "play"},
        facts=[{"type": "x"}],
        head="h",
    )


def test_moves_of_other_matches_are_acknowledged_while_one_is_blocked(
    database_url: str, serve: Callable[..., Kontor], set_lock_wait: Callable[[int], None]
) -> None:
    set_lock_wait(60_000)
    kontor = serve(database_url)
    ann, ben = LocalPlayer(kontor), LocalPlayer(kontor)
    blocked, *others = [start_match(ann, ben) for _ in range(4)]
    version, move = ann.read_match(blocked).match.version, ann.legal(blocked)[0]
    with ThreadPoolExecutor(1) as pool, locked_row(database_url, blocked, version + 1) as holder:
        waiting = pool.submit(lambda: ann.play(blocked, move, key="blocked"))
        wait_for_a_blocked_insert(database_url)
        for match_id in others:
            assert not ann.play(match_id).replayed
        assert not waiting.done()
        holder.rollback()
        done = waiting.result(timeout=SOON_S)
    assert (done.first, done.replayed) == (version + 1, False)
    assert ann.play(blocked, move, key="blocked").replayed


def test_the_others_of_a_group_are_stored_while_one_is_blocked(
    database_url: str, serve: Callable[..., Kontor], set_lock_wait: Callable[[int], None]
) -> None:
    set_lock_wait(60_000)
    kontor, one, others = serve(database_url), uuid4(), [uuid4() for _ in range(5)]
    new = [NewEntry(match_id, 1, entry(number), ()) for number, match_id in enumerate([one, *others])]
    with ThreadPoolExecutor(1) as pool, locked_row(database_url, str(one), 1) as holder:
        waiting = pool.submit(kontor.store.append_all, new)
        wait_until(lambda: set(kontor.store.newest(others).values()) == {1})
        assert not waiting.done()
        holder.rollback()
        assert waiting.result(timeout=SOON_S) == [None] * 6
    assert kontor.store.newest([one]) == {one: 1}


def test_a_move_that_is_blocked_for_too_long_is_unavailable_and_changes_nothing(
    database_url: str, serve: Callable[..., Kontor], set_lock_wait: Callable[[int], None]
) -> None:
    set_lock_wait(300)
    kontor = serve(database_url)
    ann, ben = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(ann, ben)
    before, move = ann.read_match(match_id).match.version, ann.legal(match_id)[0]
    rows = stored_rows(kontor, match_id)
    with (
        locked_row(database_url, match_id, before + 1),
        pytest.raises(UnavailableError, match="holds a lock"),
    ):
        ann.play(match_id, move, key="mine")
    assert stored_rows(kontor, match_id) == rows
    assert ann.read_match(match_id).match.version == before
    assert not ann.play(match_id, move, key="mine").replayed
    assert ann.play(match_id, move, key="mine").replayed


def test_a_move_that_another_session_was_about_to_store_is_found_by_its_key(
    database_url: str, serve: Callable[..., Kontor], set_lock_wait: Callable[[int], None]
) -> None:
    set_lock_wait(60_000)
    kontor, late = serve(database_url), serve(database_url)
    ann, ben = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(ann, ben)
    move = ann.legal(match_id)[0]
    ann.at(late).read_match(match_id)
    first = ann.play(match_id, move, key="mine")
    state = bytes(stored_rows(kontor, match_id)[-1]["state"])
    kontor.database.write(
        (
            "DELETE FROM kontor_events WHERE originator_id = ? AND originator_version = ?",
            (UUID(match_id), first.first),
        )
    )
    with ThreadPoolExecutor(1) as pool, locked_row(database_url, match_id, first.first, state) as holder:
        waiting = pool.submit(lambda: ann.at(late).play(match_id, move, key="mine"))
        wait_for_a_blocked_insert(database_url)
        holder.commit()
        again = waiting.result(timeout=SOON_S)
    assert (again.first, again.head, again.replayed) == (first.first, first.head, True)
