"""Group commit: entries that are ready at the same time are stored together, each with its own result."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Semaphore
from typing import Any
from uuid import uuid4

import pytest
from eventsourcing.persistence import IntegrityError, OperationalError

from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.store.event_store import Stored
from kontor_games.service.store.group_commit import GroupCommit
from tests.support.entries import append
from tests.support.waiting import SOON_S, wait_until


def put(commit: GroupCommit[int], item: int) -> None:
    """Put one item; raise its error if it could not be written."""
    [error] = commit.put_all([item])
    if error is not None:
        raise error


class BlockedWriter:
    """Records its groups, and blocks each write until the test lets it finish; negative items fail."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self._finished = [Event(), Event()]
        self.commit = GroupCommit(self._write)

    def _write(self, items: Sequence[int]) -> list[Exception | None]:
        self.groups.append(list(items))
        assert self._finished[len(self.groups) - 1].wait(SOON_S)
        return [ValueError(str(item)) if item < 0 else None for item in items]

    def finish(self, group: int) -> None:
        self._finished[group].set()

    def put_first(self, pool: ThreadPoolExecutor) -> Future[None]:
        """Put an item and wait until its write has started."""
        first = pool.submit(put, self.commit, 0)
        wait_until(lambda: self.groups)
        return first

    def put_others(self, pool: ThreadPoolExecutor, *items: int) -> list[Future[None]]:
        """Put items while a write is blocked, and wait until all of them are pending."""
        others = [pool.submit(put, self.commit, item) for item in items]
        wait_until(lambda: len(self.commit._next_group) == len(items))
        return others


def test_the_first_caller_writes_immediately_and_does_not_wait_for_others() -> None:
    writer = BlockedWriter()
    with ThreadPoolExecutor(8) as pool:
        first = writer.put_first(pool)
        assert writer.groups == [[0]], "its write has started although no other caller has arrived"
        others = writer.put_others(pool, *range(1, 8))
        assert not first.done()
        writer.finish(0)
        first.result(timeout=SOON_S)
        wait_until(lambda: len(writer.groups) == 2)
        assert not any(other.done() for other in others), "their write is still blocked"
        writer.finish(1)
        for other in others:
            other.result(timeout=SOON_S)
    assert [sorted(group) for group in writer.groups] == [[0], list(range(1, 8))], (
        "the others share one write"
    )


def test_a_caller_with_many_items_does_not_wait_for_the_write_in_flight() -> None:
    writer = BlockedWriter()
    with ThreadPoolExecutor(2) as pool:
        first = writer.put_first(pool)
        many = pool.submit(writer.commit.put_all, [1, -2, 3, 4])
        wait_until(lambda: len(writer.groups) == 2)
        writer.finish(1)
        assert [type(error) for error in many.result(timeout=SOON_S)] == [
            type(None),
            ValueError,
            type(None),
            type(None),
        ]
        assert not first.done()
        writer.finish(0)
        first.result(timeout=SOON_S)
    assert writer.groups == [[0], [1, -2, 3, 4]]


def test_only_some_callers_with_many_items_write_beside_the_others() -> None:
    writing, may_end, groups = Semaphore(0), Event(), list[list[int]]()

    def write(items: Sequence[int]) -> list[Exception | None]:
        groups.append(list(items))
        writing.release()
        assert may_end.wait(SOON_S)
        return [None] * len(items)

    commit = GroupCommit(write)
    with ThreadPoolExecutor(5) as pool:
        put = []
        for number in range(3):
            put.append(pool.submit(commit.put_all, [number] * 4))
            assert writing.acquire(timeout=SOON_S)
        put += [pool.submit(commit.put_all, [number] * 4) for number in (3, 4)]
        wait_until(lambda: len(commit._next_group) == 2)
        may_end.set()
        assert [list(one.result(timeout=SOON_S)) for one in put] == [[None] * 4] * 5
    assert sorted(map(len, groups)) == [4, 4, 4, 8]


def test_callers_that_do_not_overlap_are_written_one_by_one() -> None:
    written: list[list[int]] = []

    def write(items: Sequence[int]) -> list[Exception | None]:
        written.append(list(items))
        return [None] * len(items)

    groups = GroupCommit(write)
    for number in range(3):
        put(groups, number)
        assert written[-1] == [number], "it is written when put returns"
    assert len(written) == 3


def test_an_item_that_fails_does_not_affect_the_others() -> None:
    writer = BlockedWriter()
    with ThreadPoolExecutor(4) as pool:
        first = writer.put_first(pool)
        others = writer.put_others(pool, 1, -2, 3)
        writer.finish(0)
        writer.finish(1)
        first.result(timeout=SOON_S)
        assert [isinstance(put.exception(), ValueError) for put in others] == [False, True, False]


def test_an_exception_of_the_writer_fails_the_group_and_the_next_group_is_written() -> None:
    broken = [True]

    def carry_out(items: Sequence[int]) -> list[Exception | None]:
        if broken.pop() if broken else False:
            raise ZeroDivisionError
        return [None] * len(items)

    groups = GroupCommit(carry_out)
    with pytest.raises(ZeroDivisionError):
        put(groups, 1)
    put(groups, 2)


def test_the_items_of_many_threads_are_each_written_once() -> None:
    done: list[int] = []

    def carry_out(items: Sequence[int]) -> list[Exception | None]:
        done.extend(items)
        return [None] * len(items)

    groups = GroupCommit(carry_out)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda number: put(groups, number), range(2000)))
    assert sorted(done) == list(range(2000))


def entry(number: int) -> Stored:
    return Stored(
        at=number,
        by="me",
        key="k",
        body="b",
        command={"type": "play"},
        facts=[{"type": "x", "é": number}],
        head="h",
    )


def test_entries_of_many_matches_are_stored_together_and_conflicts_reported_separately(
    new_process: Callable[..., Kontor],
) -> None:
    kontor = new_process()
    match_ids = [uuid4() for _ in range(24)]
    for match_id in match_ids[:6]:
        append(kontor.store, match_id, 1, entry(0))

    def store(number: int) -> str:
        try:
            append(kontor.store, match_ids[number], 1, entry(number))
        except IntegrityError:
            return "taken"
        return "stored"

    with ThreadPoolExecutor(24) as pool:
        assert list(pool.map(store, range(24))) == ["taken"] * 6 + ["stored"] * 18
    for number, match_id in enumerate(match_ids):
        assert [row.stored for row in kontor.store.entries(match_id)] == [entry(0 if number < 6 else number)]


def test_of_two_entries_with_the_same_key_in_a_group_one_is_stored(
    database_url: str, serve: Callable[..., Kontor]
) -> None:
    recorder: Any = serve(database_url).store.recorder
    match_id = uuid4()
    rows = [
        (match_id, 1, "match.play", b"first"),
        (match_id, 1, "match.play", b"second"),
        (uuid4(), 1, "match.play", b"third"),
    ]
    errors = recorder._insert_group(rows)
    assert [row.state for row in recorder.entries_after(match_id, 0)] == [b"first"]
    assert [error is None for error in errors][2]
    assert [error is None for error in errors].count(True) == 2


def test_if_the_database_is_unavailable_the_whole_group_fails(
    database_url: str, serve: Callable[..., Kontor], monkeypatch: pytest.MonkeyPatch
) -> None:
    kontor = serve(database_url)
    lost = OperationalError("gone")
    monkeypatch.setattr(kontor.store.recorder, "_insert_group", lambda rows: [lost] * len(rows))
    with pytest.raises(UnavailableError):
        append(kontor.store, uuid4(), 1, entry(1))
