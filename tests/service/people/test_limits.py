"""Rate limits: which calls are allowed, when to retry, and which buckets are kept."""

import sys
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

import pytest

from kontor_games.service.errors import RateLimitedError
from kontor_games.service.people import limits as limits_module
from kontor_games.service.people.limits import WINDOW_MS, Buckets, Limits, LimitState, address_key
from kontor_games.service.people.tokens import Caller
from kontor_games.service.settings import Settings
from tests.service.conftest import NOON, SettableClock


def caller(issued: str = "one") -> Caller:
    return Caller("a player", bot=False, scopes=frozenset({"play"}), token=issued)


def limits(clock: SettableClock, **rates: Any) -> Limits:
    return Limits(Settings(**rates), clock)


def test_a_fresh_bucket_is_full(clock: SettableClock) -> None:
    assert limits(clock, rate_limit_read=60).check(caller(), "read") == LimitState(
        limit=60, remaining=59, reset_ms=1001
    )


def test_a_minutes_worth_can_be_used_at_once_and_no_more(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_read=60)
    assert [some.check(caller(), "read").remaining for _ in range(60)] == list(range(59, -1, -1))
    with pytest.raises(RateLimitedError) as refused:
        some.check(caller(), "read")
    assert (refused.value.limit, refused.value.retry_after_ms, refused.value.reset_ms) == (60, 1001, 60_001)
    assert refused.value.code == "rate_limited"


def test_a_request_for_several_calls_is_counted_as_several(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_move=60)
    assert some.check(caller(), "move", 50).remaining == 10
    with pytest.raises(RateLimitedError) as refused:
        some.check(caller(), "move", 20)
    clock.advance(refused.value.retry_after_ms)
    assert some.check(caller(), "move", 20).remaining == 0
    clock.advance(WINDOW_MS)
    assert some.check(caller(), "move", 200).remaining == 0, (
        "a request for more than the size of a bucket empties it"
    )


def test_a_call_after_the_retry_time_is_allowed(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_write=7)
    for _ in range(7):
        some.check(caller(), "write")
    with pytest.raises(RateLimitedError) as refused:
        some.check(caller(), "write")
    clock.advance(refused.value.retry_after_ms)
    assert some.check(caller(), "write").remaining == 0


def test_a_refused_call_costs_nothing(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_write=1)
    some.check(caller(), "write")
    for _ in range(100):
        with pytest.raises(RateLimitedError):
            some.check(caller(), "write")
    clock.advance(WINDOW_MS)
    assert some.check(caller(), "write").remaining == 0


def test_a_refused_request_for_several_calls_is_counted_too(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_move=60)
    some.check(caller(), "move", 50)
    with pytest.raises(RateLimitedError) as refused:
        some.check(caller(), "move", 20, count_refused=True)
    assert refused.value.retry_after_ms == 30_001, "50 + 20 are used, and 20 are requested again"
    clock.advance(10_000)
    with pytest.raises(RateLimitedError):
        some.check(caller(), "move")
    clock.advance(20_001)
    assert some.check(caller(), "move", 20, count_refused=True).remaining == 0
    for _ in range(20):
        with pytest.raises(RateLimitedError) as refused:
            some.check(caller(), "move", 20, count_refused=True)
    assert refused.value.retry_after_ms <= 2 * WINDOW_MS, (
        "a client that does not stop waits for two minutes at most"
    )


def test_an_idle_bucket_is_full_again_after_a_minute_and_never_fuller(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_read=10)
    for _ in range(10):
        some.check(caller(), "read")
    clock.advance(100 * WINDOW_MS)
    assert some.check(caller(), "read").remaining == 9


def test_tokens_and_kinds_of_call_have_buckets_of_their_own(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_read=1, rate_limit_write=1)
    some.check(caller("one"), "read")
    assert some.check(caller("two"), "read").remaining == 0
    assert some.check(caller("one"), "write").remaining == 0
    with pytest.raises(RateLimitedError):
        some.check(caller("one"), "read")


def test_without_a_token_the_address_counts(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_register=1)
    some.check("192.0.2.1", "register")
    some.check("192.0.2.2", "register")
    with pytest.raises(RateLimitedError):
        some.check("192.0.2.1", "register")


def test_an_ipv6_network_counts_as_one_address(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_register=1)
    some.check("2001:db8::1", "register")
    with pytest.raises(RateLimitedError):
        some.check("2001:db8::ffff:2", "register")
    some.check("2001:db8:0:1::1", "register")


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "20010db800000000::/64"),
        ("fe80::1%eth0", "fe80000000000000::/64"),
        ("not:an:address", "not:an:address"),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(address: str, counts_as: str) -> None:
    assert address_key(address) == counts_as


def test_an_unknown_kind_of_call_is_a_programming_error(clock: SettableClock) -> None:
    with pytest.raises(KeyError):
        limits(clock).check(caller(), "gossip")


def test_a_throttled_move_waits_less_than_any_clock_allows(clock: SettableClock) -> None:
    some = limits(clock)
    for _ in range(12_000):
        some.check(caller(), "move")
    with pytest.raises(RateLimitedError) as refused:
        some.check(caller(), "move")
    assert refused.value.limit == 12_000
    assert refused.value.retry_after_ms <= 6


def test_a_very_high_rate_switches_a_limit_off(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_move=1_000_000_000)
    assert {some.check(caller(), "move").limit for _ in range(1000)} == {1_000_000_000}


def test_memory_is_bounded_and_the_busiest_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "_GENERATION_SIZE", 10)
    buckets = Buckets("read", 3)
    for number in range(200):
        if number < 3:
            buckets.take("busy", NOON)
        else:
            with pytest.raises(RateLimitedError):
                buckets.take("busy", NOON)
        buckets.take(f"visitor {number}", NOON)
        assert len(buckets._full_at) + len(buckets._older) <= 20


def test_buckets_that_have_filled_are_forgotten() -> None:
    buckets = Buckets("read", 3)
    for minute in range(10):
        now = NOON + minute * 60_000
        buckets.take(f"visitor {minute}", now)
        assert buckets.used(f"visitor {minute}", now) == 1
        assert len(buckets._full_at) + len(buckets._older) <= 4


def test_many_threads_together_get_no_more_than_the_limit(clock: SettableClock) -> None:
    some = limits(clock, rate_limit_move=500)

    def passes(_: int) -> bool:
        try:
            some.check(caller(), "move")
        except RateLimitedError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(passes, range(2000))) == 500


def test_a_check_is_cheap_enough_for_every_move(clock: SettableClock) -> None:
    some, who = limits(clock, rate_limit_move=1_000_000_000), caller()
    calls: list[str] = []

    def note(frame: FrameType, event: str, called: object) -> None:
        if event in ("call", "c_call"):
            calls.append(frame.f_code.co_name if event == "call" else str(called))

    sys.setprofile(note)
    try:
        some.check(who, "move")
    finally:
        sys.setprofile(None)
    # Only memory is read: a query of the database takes hundreds of calls.
    assert 3 <= len(calls) <= 25, calls
