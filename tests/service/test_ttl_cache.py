"""Values are used again until they expire, are removed, or make room for others."""

from kontor_games.service.ttl_cache import TtlCache
from tests.service.conftest import SettableClock


def cache_of(clock: SettableClock, **values: int) -> TtlCache[str, int]:
    cache: TtlCache[str, int] = TtlCache(clock, ttl_ms=1000, size=3)
    for key, value in values.items():
        cache.put(key, value, cache.start_read())
    return cache


def test_a_value_expires_counted_from_the_start_of_its_read(clock: SettableClock) -> None:
    cache = cache_of(clock)
    start = cache.start_read()
    clock.pass_by(400)
    cache.put("a", 1, start)
    clock.pass_by(599)
    assert cache.get("a") == 1
    clock.pass_by(1)
    assert cache.get("a") is None
    assert len(cache) == 0


def test_a_clock_set_back_expires_a_value(clock: SettableClock) -> None:
    cache = cache_of(clock, a=1)
    clock.pass_by(-1)
    assert cache.get("a") is None
    clock.pass_by(1)
    assert cache.get("a") is None


def test_the_oldest_value_makes_room(clock: SettableClock) -> None:
    cache = cache_of(clock, a=1, b=2, c=3)
    cache.put("a", 4, cache.start_read())
    cache.put("d", 5, cache.start_read())
    assert [cache.get(key) for key in "abcd"] == [4, None, 3, 5]


def test_a_value_read_before_a_removal_is_not_kept(clock: SettableClock) -> None:
    cache = cache_of(clock, a=1, b=2)
    start = cache.start_read()
    cache.remove("a")
    cache.put("a", 1, start)
    assert [cache.get(key) for key in "ab"] == [None, 2]
    cache.put("a", 3, cache.start_read())
    assert cache.get("a") == 3


def test_values_are_removed_by_a_condition(clock: SettableClock) -> None:
    cache = cache_of(clock, a=1, b=2, c=3)
    start = cache.start_read()
    cache.remove_if(lambda value: value > 1)
    cache.put("b", 2, start)
    assert [cache.get(key) for key in "abc"] == [1, None, None]
