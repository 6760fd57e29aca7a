"""Who is paired with whom: properties of the pure function."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor_games.domain.matchmaking import Seeker, accepted_gap, fits, pair

NOW = 1_000_000


@st.composite
def seekers(draw: st.DrawFn) -> list[Seeker]:
    players = [f"p{number}" for number in range(draw(st.integers(0, 12)))]
    return [
        Seeker(
            f"s{number}",
            draw(st.sampled_from(players)) if draw(st.integers(0, 9)) == 0 else player,
            draw(st.booleans()),
            draw(st.floats(0, 50)),
            draw(st.integers(NOW - 200_000, NOW)),
            draw(st.sampled_from(["people", "programs", "both"])),
            frozenset(draw(st.sets(st.sampled_from(players), max_size=3))),
        )
        for number, player in enumerate(players)
    ]


@pytest.mark.untraced
@given(seekers(), st.integers(2, 4))
def test_tables_are_full_and_compatible_and_no_seeker_has_two_seats(
    waiting: list[Seeker], seats: int
) -> None:
    tables = pair(waiting, seats, NOW)
    assert all(len(table) == seats for table in tables)
    assert all(fits(one, other, NOW) for table in tables for one, other in combinations(table, 2))
    seated = [one.player for table in tables for one in table]
    assert len(seated) == len(set(seated))


@pytest.mark.slow
@given(seekers(), st.integers(2, 4))
def test_no_table_could_be_formed_from_the_seekers_left_over(waiting: list[Seeker], seats: int) -> None:
    seated = {one.player for table in pair(waiting, seats, NOW) for one in table}
    left = [one for one in waiting if one.player not in seated]
    for table in combinations(left, seats):
        assert not all(fits(one, other, NOW) for one, other in combinations(table, 2))


@pytest.mark.slow
@pytest.mark.untraced
@given(seekers(), st.integers(2, 4))
def test_the_same_seekers_in_any_order_give_the_same_tables(waiting: list[Seeker], seats: int) -> None:
    assert pair(waiting, seats, NOW) == pair(waiting[::-1], seats, NOW)


@pytest.mark.slow
@pytest.mark.untraced
@given(seekers())
def test_compatible_seekers_stay_compatible(waiting: list[Seeker]) -> None:
    for one, other in combinations(waiting, 2):
        assert fits(one, other, NOW) <= fits(one, other, NOW + 60_000)
        assert fits(one, other, NOW) == fits(other, one, NOW)


def seeker(name: str, mean: float, waited_s: int = 0) -> Seeker:
    return Seeker(name, name, False, mean, NOW - waited_s * 1000)


def test_the_longest_waiting_seeker_gets_the_nearest_rating() -> None:
    old, near, far = seeker("old", 25, 30), seeker("near", 26), seeker("far", 22)
    assert pair([far, near, old], 2, NOW) == [(old, near)]


@pytest.mark.parametrize(("waited_s", "paired"), [(0, False), (15, False), (16, True), (60, True)])
def test_the_accepted_gap_grows_with_waiting(waited_s: int, paired: bool) -> None:
    one, other = seeker("one", 21, waited_s), seeker("other", 29, waited_s)
    assert accepted_gap(one, NOW) == 4.0 + 0.25 * waited_s
    assert bool(pair([one, other], 2, NOW)) == paired


def test_many_seekers_with_long_lists_are_paired_quickly() -> None:
    names = [f"p{number}" for number in range(120)]
    waiting = [
        Seeker(name, name, False, 25.0, NOW, "both", frozenset(names[number % 2 :: 2]))
        for number, name in enumerate(names)
    ]
    assert pair(waiting, 5, NOW) == [], "half of them avoid the other half, and all of them their own"
