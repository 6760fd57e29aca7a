"""Searches over a board."""

from kontor_games.domain.toolkit.graph import breadth_first

RING = {"a": "bd", "b": "ac", "c": "bd", "d": "ca", "e": "f", "f": "e"}
"""A ring of four places, and two places apart from it."""


def distances_from(*starts: str) -> list[tuple[str, int]]:
    return list(breadth_first(starts, lambda place: RING[place]))


def test_every_reachable_place_comes_once_nearest_first() -> None:
    assert distances_from("a") == [("a", 0), ("b", 1), ("d", 1), ("c", 2)]


def test_the_distance_is_that_to_the_nearest_start() -> None:
    assert distances_from("a", "c") == [("a", 0), ("c", 0), ("b", 1), ("d", 1)]
    assert distances_from("a", "a", "e") == [("a", 0), ("e", 0), ("b", 1), ("d", 1), ("f", 1), ("c", 2)]


def test_a_search_without_starts_is_empty() -> None:
    assert distances_from() == []


def test_the_search_is_lazy() -> None:
    asked: list[str] = []

    def neighbours(place: str) -> str:
        asked.append(place)
        return RING[place]

    assert next(place for place, distance in breadth_first("a", neighbours) if distance == 1) == "b"
    assert asked == ["a"]
