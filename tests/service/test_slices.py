"""Computations in slices pause while a move is made, and end all the same."""

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
