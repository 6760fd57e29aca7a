"""Computations in slices pause while a move or another one is made, and end all the same."""

import time
from collections.abc import Iterator
from itertools import groupby
from threading import Event, Thread

import pytest

from kontor_games.service import slices
from kontor_games.service.slices import in_slices, making_a_move
from tests.support.waiting import wait_until


def test_a_computation_pauses_while_another_thread_makes_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "_MAX_PAUSE_S", 60.0)
    taken, move_made, moving = list[int](), Event(), Event()

    def move() -> None:
        with making_a_move():
            moving.set()
            move_made.wait(60)

    mover = Thread(target=move)
    mover.start()
    moving.wait(60)
    computation = Thread(target=lambda: taken.extend(in_slices(range(100))))
    computation.start()
    assert taken == []
    move_made.set()
    wait_until(lambda: taken == list(range(100)))
    mover.join()
    computation.join()


def test_a_computation_ends_although_moves_never_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "_MAX_PAUSE_S", 0.01)
    held, release = Event(), Event()

    def moves() -> None:
        with making_a_move():
            held.set()
            release.wait(60)

    mover = Thread(target=moves)
    mover.start()
    held.wait(60)
    try:
        assert list(in_slices(range(1000))) == list(range(1000))
    finally:
        release.set()
        mover.join()


def test_a_move_does_not_wait_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "_MAX_PAUSE_S", float("inf"))
    with making_a_move():
        assert list(in_slices("abc")) == ["a", "b", "c"]


def computing(steps: int, name: str, done: list[str]) -> None:
    for _ in in_slices(range(steps)):
        done.append(name)
        time.sleep(0.0001)  # another thread could go on now


def test_computations_of_several_threads_do_not_alternate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "_MAX_PAUSE_S", 60.0)
    monkeypatch.setattr(slices, "_TURN_S", 0.5)
    done = list[str]()
    threads = [Thread(target=computing, args=(50, name, done)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(list(steps)) for _, steps in groupby(done)) == [50, 50, 50, 50]


def test_the_turn_of_a_computation_that_was_given_up_lapses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "_MAX_PAUSE_S", 60.0)
    given_up: list[Iterator[int]] = [in_slices(range(10))]
    assert next(given_up[0]) == 0
    done = list[str]()
    other = Thread(target=computing, args=(3, "b", done))
    other.start()
    other.join()
    assert done == ["b"] * 3
    assert list(given_up[0]) == list(range(1, 10)), "it takes the turn again when it goes on"


def test_a_computation_inside_another_one_does_not_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "_TURN_S", 60.0)
    assert [list(in_slices(range(one))) for one in in_slices(range(3))] == [[], [0], [0, 1]]
