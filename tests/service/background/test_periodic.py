"""Work that the leading process repeats at intervals."""

import time
from collections.abc import Callable, Iterator

import pytest

from kontor_games.service import threads
from kontor_games.service.errors import UnavailableError
from kontor_games.service.threads import Periodic
from tests.support.waiting import wait_until


@pytest.fixture
def start_work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Periodic]]:
    """Return a function that starts periodic work with short pauses."""
    monkeypatch.setattr(threads, "_SOON_S", 0.005)
    started: list[Periodic] = []

    def start(work: Callable[[], int | None], pause_s: float) -> Periodic:
        started.append(Periodic("test", work, pause_s))
        started[-1].start()
        return started[-1]

    yield start
    for one in started:
        one.close()


def test_if_there_is_more_to_do_the_work_is_repeated_soon(start_work: Callable[..., Periodic]) -> None:
    left = [3, 2, 1, 0]
    start_work(lambda: left.pop(0) if left else 0, pause_s=60)
    wait_until(lambda: not left)


def test_if_there_is_nothing_to_do_the_work_pauses(start_work: Callable[..., Periodic]) -> None:
    done: list[int] = []
    start_work(lambda: done.append(1), pause_s=60)
    wait_until(lambda: bool(done))
    time.sleep(0.1)
    assert done == [1]


def test_an_unavailable_database_does_not_end_the_work(start_work: Callable[..., Periodic]) -> None:
    tries: list[int] = []

    def work() -> int:
        tries.append(1)
        if len(tries) < 3:
            raise UnavailableError("unavailable")
        return 0

    start_work(work, pause_s=0.01)
    wait_until(lambda: len(tries) >= 3)


def test_closed_work_stops_until_it_is_started_again(start_work: Callable[..., Periodic]) -> None:
    done: list[int] = []

    def work() -> int:
        done.append(1)
        return 1

    one = start_work(work, pause_s=60)
    wait_until(lambda: len(done) > 2)
    one.close()
    after = len(done)
    time.sleep(0.05)
    assert len(done) == after
    one.start()
    wait_until(lambda: len(done) > after)
