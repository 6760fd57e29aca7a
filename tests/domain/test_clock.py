"""Clocks: when they run and stop, increments, deadlines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor_games.domain.clock import Clock, ClockSettings
from kontor_games.domain.codec import Fault, Shape

NONE = ClockSettings()
PER_MOVE = ClockSettings("per_move", 1000)
BANK = ClockSettings("bank", 5000, 200)


def test_a_clock_starts_full_and_stopped() -> None:
    clock = Clock(BANK, 3)
    assert clock.remaining == [5000, 5000, 5000]
    assert [clock.deadline(seat) for seat in range(3)] == [None, None, None]
    assert [clock.left(seat, 99_999) for seat in range(3)] == [5000, 5000, 5000]
    assert clock.next_deadline() is None
    assert clock.flagged(99_999) == ()


def test_the_seats_waited_for_run_from_the_moment_of_the_entry() -> None:
    clock = Clock(BANK, 3)
    clock.advance(100, None, (0, 2))
    assert [clock.deadline(seat) for seat in range(3)] == [5100, None, 5100]
    assert clock.left(0, 600) == 4500
    assert clock.left(1, 600) == 5000


def test_without_a_clock_nothing_ever_runs() -> None:
    clock = Clock(NONE, 2)
    clock.advance(100, 0, (0, 1))
    assert not clock.runs
    assert clock.next_deadline() is None
    assert clock.flagged(10**15) == ()


def test_a_bank_pays_for_thinking_and_gains_the_increment_after_the_move() -> None:
    clock = Clock(BANK, 2)
    clock.advance(0, None, (0,))
    clock.advance(1500, 0, (1,))
    assert clock.remaining == [5000 - 1500 + 200, 5000]
    assert clock.deadline(0) is None
    assert clock.deadline(1) == 6500


def test_a_seat_that_acts_again_gets_its_full_time() -> None:
    clock = Clock(BANK, 2)
    clock.advance(0, None, (0,))
    clock.advance(1000, 0, (0,))
    assert clock.deadline(0) == 1000 + 5000 - 1000 + 200


def test_a_seat_that_is_no_longer_waited_for_stops_without_an_increment() -> None:
    clock = Clock(BANK, 2)
    clock.advance(0, None, (0, 1))
    clock.advance(700, 1, ())
    assert clock.remaining == [5000 - 700, 5000 - 700 + 200]
    assert clock.next_deadline() is None


def test_the_move_of_another_seat_does_not_touch_the_clock_of_the_one_waited_for() -> None:
    clock = Clock(BANK, 2)
    clock.advance(0, None, (0,))
    clock.advance(700, 1, (0,))
    assert clock.deadline(0) == 5000
    assert clock.remaining == [5000, 5000]


def test_a_move_out_of_turn_gains_no_increment() -> None:
    clock = Clock(BANK, 2)
    clock.advance(0, 1, (0,))
    assert clock.remaining == [5000, 5000]


def test_a_time_per_move_is_full_again_for_every_move() -> None:
    clock = Clock(PER_MOVE, 1)
    clock.advance(0, None, (0,))
    clock.advance(900, 0, (0,))
    assert clock.remaining == [1000]
    assert clock.deadline(0) == 1900


def test_a_time_per_move_has_no_increment() -> None:
    clock = Clock(ClockSettings("per_move", 1000, 500), 1)
    clock.advance(0, None, (0,))
    clock.advance(10, 0, ())
    assert clock.remaining == [1000]


def test_an_overdrawn_bank_is_empty_and_never_negative() -> None:
    clock = Clock(BANK, 1)
    clock.advance(0, None, (0,))
    clock.advance(9000, 0, ())
    assert clock.remaining == [200]


@pytest.mark.parametrize(("at", "flagged"), [(999, ()), (1000, (0,)), (1001, (0,))])
def test_the_flag_falls_at_the_deadline_and_not_a_millisecond_before(
    at: int, flagged: tuple[int, ...]
) -> None:
    clock = Clock(PER_MOVE, 2)
    clock.advance(0, None, (0,))
    assert clock.flagged(at) == flagged
    assert clock.left(0, at) == max(0, 1000 - at)


def test_the_next_deadline_is_the_earliest() -> None:
    clock = Clock(BANK, 2)
    clock.advance(0, None, (1,))
    clock.advance(10, None, (0, 1))
    assert clock.next_deadline() == 5000
    assert clock.flagged(5000) == (1,)
    assert clock.flagged(5010) == (0, 1)


def test_a_copy_of_a_clock_is_independent() -> None:
    clock = Clock(BANK, 2)
    clock.advance(0, None, (0,))
    twin = clock.copy()
    twin.advance(1000, 0, (1,))
    assert clock.remaining == [5000, 5000]
    assert (clock.deadline(0), clock.deadline(1)) == (5000, None)
    assert twin.remaining == [4200, 5000]


def test_no_setting_is_longer_than_thirty_days() -> None:
    shape = Shape(ClockSettings)
    faults: list[Fault] = []
    thirty_days = 30 * 24 * 3600 * 1000
    assert shape.parse({"kind": "bank", "ms": thirty_days}, "", faults) == ClockSettings("bank", thirty_days)
    shape.parse({"kind": "bank", "ms": thirty_days + 1, "increment_ms": -1}, "/clock", faults)
    assert [fault.pointer for fault in faults] == ["/clock/ms", "/clock/increment_ms"]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3000), st.sampled_from([None, 0, 1]), st.sampled_from([(), (0,), (1,), (0, 1)])
        ),
        max_size=30,
    )
)
def test_a_bank_never_holds_more_than_it_began_with_and_its_increments(
    entries: list[tuple[int, int | None, tuple[int, ...]]],
) -> None:
    clock, at, moves = Clock(BANK, 2), 0, [0, 0]
    for thought, actor, waiting in entries:
        at += thought
        if actor is not None:
            moves[actor] += 1
        clock.advance(at, actor, waiting)
        for seat in (0, 1):
            assert 0 <= clock.remaining[seat] <= 5000 + 200 * moves[seat]
            assert (clock.deadline(seat) is not None) == (seat in waiting)
            assert 0 <= clock.left(seat, at) <= clock.remaining[seat]
