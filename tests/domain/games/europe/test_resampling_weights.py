"""Each course of unknown thefts is drawn with its exact probability, compared with a count of all courses."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.games.europe import resample
from kontor_games.domain.games.europe.resample import Courses, TheftHistory, TooManyError
from kontor_games.domain.games.europe.state import EuropeState
from tests.support.matches import Table

pytestmark = pytest.mark.slow

TABLE = Table("europe", 1, "short", 4)
MOST_UNKNOWN = 4
Weights = dict[tuple[int, ...], Fraction]


def unknown_thefts(state: EuropeState, viewer: int) -> list[int]:
    return [i for i, theft in enumerate(state.thefts) if viewer not in (theft.thief, theft.victim)]


@cache
def positions() -> list[tuple[EuropeState, int]]:
    """Positions in which a viewer does not know some thefts, but few enough to try every course."""
    states = [
        step.before for seed in "abcdefgh" for step in TABLE.match(seed).steps() if step.number % 60 == 0
    ]
    return [
        (state, viewer)
        for state in states
        for viewer in (0, 1, SPECTATOR)
        if 1 < len(unknown_thefts(state, viewer)) <= MOST_UNKNOWN
    ]


@cache
def by_brute_force(state: EuropeState, viewer: int) -> Weights:
    """The probability of every course, found by trying all of them."""
    unknown = unknown_thefts(state, viewer)
    past = TheftHistory(state)
    past.forget(unknown)
    weights: dict[tuple[int, ...], int] = {}
    for course in product(range(5), repeat=len(unknown)):
        for number, resource in zip(unknown, course, strict=True):
            past.change(number, resource)
        if likelihood := past.likelihood():
            weights[course] = likelihood
    return {course: Fraction(weight, sum(weights.values())) for course, weight in weights.items()}


def courses_of(state: EuropeState, viewer: int) -> Courses:
    unknown = unknown_thefts(state, viewer)
    past = TheftHistory(state)
    past.forget(unknown)
    return Courses(past, unknown)


def counted(courses: Courses, thefts: int, seats: int) -> Weights:
    """The probability of every course, as it is drawn theft by theft."""

    def walk(place: int, hands: tuple[tuple[int, ...], ...]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        if place == thefts:
            yield (), Fraction(1)
            return
        total = courses.total(place, hands)
        for kind, weight, after in courses.options(place, hands):
            share = Fraction(weight * courses.total(place + 1, after), total)
            for rest, probability in walk(place + 1, after):
                if share:
                    yield (kind, *rest), share * probability

    return dict(walk(0, ((0,) * 5,) * seats))


@pytest.mark.untraced
def test_courses_have_the_probability_that_brute_force_finds() -> None:
    several = 0
    for state, viewer in positions():
        expected = by_brute_force(state, viewer)
        found = counted(courses_of(state, viewer), len(unknown_thefts(state, viewer)), state.seats)
        assert found == expected
        several += len(expected) > 2
    assert several > 5, "there must be positions with many possible courses"


def distance(found: Counter[tuple[int, ...]], expected: Weights) -> float:
    """The total variation between what was drawn and what should be."""
    total = found.total()
    return float(sum(abs(found[course] / total - p) for course, p in expected.items())) / 2


def drawn(state: EuropeState, viewer: int, times: int) -> Counter[tuple[int, ...]]:
    unknown = unknown_thefts(state, viewer)
    worlds = (
        TABLE.rules.resample(state, viewer, Seeded(seed_from(f"weights {number}"))) for number in range(times)
    )
    return Counter(tuple(world.thefts[i].resource for i in unknown) for world in worlds)


@pytest.fixture(scope="module")
def most_uncertain() -> list[tuple[EuropeState, int, Weights]]:
    """The positions in which the most courses are possible."""
    all_of_them = [(state, viewer, by_brute_force(state, viewer)) for state, viewer in positions()]
    return sorted(all_of_them, key=lambda found: -len(found[2]))[:3]


@pytest.mark.untraced
def test_worlds_are_drawn_as_often_as_they_are_likely(
    most_uncertain: list[tuple[EuropeState, int, Weights]],
) -> None:
    for state, viewer, expected in most_uncertain:
        found = drawn(state, viewer, 1000)
        assert found.keys() <= expected.keys()
        assert distance(found, expected) < 0.03 * len(expected) ** 0.5


def test_with_too_many_positions_the_random_walk_comes_close(
    most_uncertain: list[tuple[EuropeState, int, Weights]],
    monkeypatch: pytest.MonkeyPatch,
    stop_tracing: Callable[[], None],
) -> None:
    monkeypatch.setattr(resample, "MAX_POSITIONS", 0)
    for state, viewer, expected in most_uncertain:
        assert drawn(state, viewer, 2).keys() <= expected.keys()
    stop_tracing()
    for state, viewer, expected in most_uncertain:
        with pytest.raises(TooManyError):
            courses_of(state, viewer).draw(Seeded(seed_from("x")).draws("x", 0))
        found = drawn(state, viewer, 150)
        assert found.keys() <= expected.keys()
        assert distance(found, expected) < 0.08 * len(expected) ** 0.5


def test_weights_beyond_the_range_of_one_draw_are_drawn_correctly() -> None:
    draws = Seeded(seed_from("large")).draws("large", 0)
    found = Counter(resample._chosen([3 << 100, 1 << 100], draws) for _ in range(2000))
    assert abs(found[0] / 2000 - 0.75) < 0.04
    assert resample._chosen([0, 1, 0], draws) == 1
