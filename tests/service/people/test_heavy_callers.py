"""Callers who use much CPU time are served one at a time; nobody else waits for them."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Lock, Thread

import pytest

from kontor_games.service.errors import UnavailableError
from kontor_games.service.people import limits
from kontor_games.service.people.limits import HeavyCallers
from tests.support.waiting import wait_until


class Time:
    """The time of the machine and of the thread, in which only `compute` and `sleep` take any."""

    def __init__(self) -> None:
        self.now, self.used, self.slept = 1000.0, 0.0, list[float]()

    def compute(self, seconds: float) -> None:
        self.now += seconds
        self.used += seconds

    def thread_time(self) -> float:
        return self.used

    def monotonic_ns(self) -> int:
        return int(self.now * 1e9)

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Time:
    times = Time()
    monkeypatch.setattr(limits, "time", times)
    return times


def call(callers: HeavyCallers, times: Time, seconds: float, *, takes_turns: bool = True) -> int:
    """Return the milliseconds of CPU time of a call."""
    with callers.measured("Ada", takes_turns=takes_turns) as cpu_ms:
        times.compute(seconds)
        return cpu_ms()


def test_a_caller_is_heavy_beyond_the_reserve_and_pauses_after_each_call(times: Time) -> None:
    callers = HeavyCallers()
    assert call(callers, times, 0.25) == 250
    assert call(callers, times, 0.25) == 250
    assert times.slept == [], "the reserve was not used up before the second call"
    assert call(callers, times, 0.125) == 125
    assert call(callers, times, 0.75) == 750
    assert times.slept == [0.125, 0.25], "as long as the call took, but a quarter of a second at most"
    call(callers, times, 0.25, takes_turns=False)
    assert len(times.slept) == 2


def test_a_heavy_caller_is_forgiven_a_tenth_of_the_time_that_passes(times: Time) -> None:
    callers = HeavyCallers()
    call(callers, times, 1.3)
    times.now += 9.9
    call(callers, times, 0)
    assert times.slept == [0]
    times.now += 0.2
    call(callers, times, 0)
    assert times.slept == [0], "no more than the reserve is left"


def compute(seconds: float) -> None:
    began = time.thread_time()
    while time.thread_time() < began + seconds:
        pass


@pytest.fixture
def callers() -> HeavyCallers:
    """Callers of whom the address 127.0.0.2 and the player Mallory are heavy."""
    callers = HeavyCallers()
    for key in ("127.0.0.2", "Mallory"):
        callers._used.add(key, 10_000_000, time.monotonic_ns() // 1_000_000)
    return callers


def test_calls_of_heavy_callers_never_overlap(callers: HeavyCallers) -> None:
    inside, most, guard, begun = [0], [0], Lock(), Barrier(4)

    def call(key: str) -> None:
        begun.wait()
        with callers.measured(key):
            with guard:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            compute(0.02)
            with guard:
                inside[0] -= 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(call, ["127.0.0.2", "Mallory"] * 2))
    assert most == [1]


def test_nobody_else_waits_for_a_heavy_caller(callers: HeavyCallers) -> None:
    with callers.measured("127.0.0.2"), callers.measured("Ada") as cpu_ms:
        compute(0.005)
        assert cpu_ms() >= 5


def test_a_heavy_caller_waits_for_the_turn(callers: HeavyCallers) -> None:
    done = Event()

    def call() -> None:
        with callers.measured("Mallory"):
            done.set()

    with callers.measured("127.0.0.2"):
        waiting = Thread(target=call)
        waiting.start()
        wait_until(lambda: callers._waiting == 1)
        assert not done.is_set()
    waiting.join(60)
    assert done.is_set()


def test_a_stream_is_measured_but_takes_no_turn(callers: HeavyCallers) -> None:
    with (
        callers.measured("127.0.0.2"),
        callers.measured("127.0.0.2", takes_turns=False),
    ):
        pass


def test_too_many_heavy_calls_at_once_are_refused_so_that_threads_stay_free(
    callers: HeavyCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_MAX_WAITING", 0)
    with callers.measured("127.0.0.2"), pytest.raises(UnavailableError), callers.measured("Mallory"):
        pass
    with callers.measured("Mallory"):  # the turn was given back
        pass


def test_a_turn_that_does_not_come_in_time_is_given_up(
    callers: HeavyCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_WAIT_S", 0.01)
    with callers.measured("127.0.0.2"), pytest.raises(UnavailableError), callers.measured("Mallory"):
        pass
    assert callers._waiting == 0


def test_cheap_calls_never_make_a_caller_heavy() -> None:
    callers = HeavyCallers()
    for _ in range(100):
        with callers.measured("Ada"):
            pass
    with callers.measured("Ada"), callers.measured("Ada"):
        pass
