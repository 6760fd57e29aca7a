"""Values are cached until they are removed or evicted."""

from kontor_games.service.read_cache import ReadCache


def cache_of(**values: int) -> ReadCache[str, int]:
    cache: ReadCache[str, int] = ReadCache(size=3, is_stale=lambda value: value < 0)
    for key, value in values.items():
        cache.put(key, value, cache.removals)
    return cache


def test_the_oldest_value_makes_room() -> None:
    cache = cache_of(a=1, b=2, c=3)
    cache.put("a", 4, cache.removals)
    cache.put("d", 5, cache.removals)
    assert [cache.get(key) for key in "abcd"] == [4, None, 3, 5]


def test_stale_values_are_dropped_before_the_cache_is_full() -> None:
    cache: ReadCache[int, int] = ReadCache(size=100, is_stale=lambda value: value < 0)
    for key in range(10):
        cache.put(key, -1, cache.removals)
    assert [*cache] == [9]
    for key in range(10, 13):
        cache.put(key, 1, cache.removals)
    assert [*cache] == [10, 11, 12]


def test_a_value_read_before_a_removal_is_not_kept() -> None:
    cache = cache_of(a=1, b=2)
    before = cache.removals
    cache.remove("a")
    cache.put("a", 1, before)
    assert [cache.get(key) for key in "ab"] == [None, 2]
    cache.put("a", 3, cache.removals)
    assert cache.get("a") == 3


def test_values_are_removed_by_a_condition() -> None:
    cache = cache_of(a=1, b=2, c=3)
    before = cache.removals
    cache.remove_if(lambda value: value > 1)
    cache.put("b", 2, before)
    assert [cache.get(key) for key in "abc"] == [1, None, None]
