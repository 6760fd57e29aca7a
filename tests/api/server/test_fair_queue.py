"""The fair queue: client addresses take turns."""

import pytest

from kontor_games.api.server import thread_pools
from kontor_games.api.server.thread_pools import FairQueue


def test_addresses_take_turns_however_many_requests_one_of_them_has() -> None:
    queue: FairQueue[int] = FairQueue(10, 10)
    for number in range(4):
        queue.put("flood", number)
    queue.put("honest", 4)
    assert [queue.take() for _ in range(5)] == [
        ("flood", 0), ("honest", 4), ("flood", 1), ("flood", 2), ("flood", 3),
    ]  # fmt: skip
    assert queue.length == 0


def test_the_concurrent_requests_of_one_address_are_limited() -> None:
    queue: FairQueue[int] = FairQueue(2, 2)
    for number in range(3):
        queue.put("flood", number)
    assert [queue.take(), queue.take()] == [("flood", 0), ("flood", 1)]
    queue.put("honest", 3)
    assert queue.take() == ("honest", 3)
    queue.done("flood")
    assert queue.take() == ("flood", 2)
    for _ in range(2):
        queue.done("flood")
    queue.done("honest")
    queue.put("flood", 4)
    assert queue.take() == ("flood", 4)


def test_each_address_has_fewer_concurrent_requests_while_there_are_several() -> None:
    queue: FairQueue[int] = FairQueue(3, 1)
    queue.put("first", 0)
    queue.put("flood", 1)
    queue.put("flood", 2)
    assert [queue.take(), queue.take()] == [("first", 0), ("flood", 1)]
    queue.put("honest", 3)
    assert queue.take() == ("honest", 3)
    queue.done("flood")
    assert queue.take() == ("flood", 2)


def test_a_single_address_can_use_nearly_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_pools, "_MIXED_S", 0.0)
    queue: FairQueue[int] = FairQueue(3, 1)
    for number in range(4):
        queue.put("alone", number)
    assert [queue.take()[1] for _ in range(3)] == [0, 1, 2]
    assert queue.length == 1
