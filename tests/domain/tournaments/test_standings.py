from dataclasses import replace
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor_games.domain.tournaments.standings import UNIT, Finish, points_of, standings
from tests.domain.tournaments.tournaments import TERMS


@given(places=st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_a_table_always_shares_out_all_points(places: list[int]) -> None:
    ranked = [1 + sum(other < place for other in places) for place in places]
    assert sum(points_of(TERMS.points, ranked)) == UNIT * sum(TERMS.points)


def test_entrants_who_share_a_place_share_its_points() -> None:
    assert points_of((6, 4, 2, 0), (1, 2, 2, 4)) == [6 * UNIT, 3 * UNIT, 3 * UNIT, 0]
    assert points_of((6, 4, 3, 1, 0), (1, 1, 1, 4, 5)) == [260, 260, 260, 60, 0]


FINISHES = [
    Finish(1, (0, 1, 2, 3), (1, 2, 3, 4), (30, 20, 10, 0)),
    Finish(2, (3, 2, 1, 0), (1, 2, 3, 4), (31, 20, 10, 0)),
]


def test_equal_points_are_separated_by_the_announced_tie_breaks_in_their_order() -> None:
    lines = standings(TERMS, range(4), FINISHES)
    assert [(line.entrant, line.place, line.points // UNIT) for line in lines] == [
        (3, 1, 6), (0, 2, 6), (1, 3, 6), (2, 3, 6),
    ]  # fmt: skip
    assert lines[0].tie_breaks == (UNIT, 31, 0)


def test_a_lot_separates_entrants_who_are_equal_in_everything_else() -> None:
    lines = standings(TERMS, range(4), FINISHES, lots={1: 4, 2: 9})
    assert [(line.entrant, line.place) for line in lines][2:] == [(2, 3), (1, 4)]


@pytest.mark.parametrize(
    ("kind", "best"),
    [("wins", 0), ("score", 3), ("score_share", 3), ("opponents", 0), ("median_opponents", 0), ("direct", 0)],
)
def test_every_tie_break_is_computed(kind: str, best: int) -> None:
    lines = standings(replace(TERMS, tie_breaks=(kind,)), range(4), FINISHES)  # type: ignore[arg-type]
    firsts = [line.entrant for line in lines if line.place == 1]
    assert best in firsts


def test_the_direct_encounter_counts_only_matches_among_tied_entrants() -> None:
    finishes = [
        Finish(1, (0, 1), (1, 2), (5, 1)),
        Finish(2, (1, 2), (1, 2), (5, 1)),
        Finish(3, (0, 3), (2, 1), (1, 5)),
    ]
    terms = replace(TERMS, seats=2, points=(2, 0), tie_breaks=("direct",))
    lines = {line.entrant: line for line in standings(terms, range(4), finishes)}
    assert lines[0].points == lines[1].points == lines[3].points == 2 * UNIT
    assert (lines[0].tie_breaks, lines[1].tie_breaks, lines[3].tie_breaks) == ((120,), (0,), (120,))


def test_a_bye_brings_the_announced_points() -> None:
    lines = standings(TERMS, range(2), [], byes={1: 2})
    assert [(line.entrant, line.points, line.byes) for line in lines] == [(1, 6 * UNIT, 2), (0, 0, 0)]


def test_the_share_of_the_scores_ignores_scores_below_zero() -> None:
    terms = replace(TERMS, tie_breaks=("score_share",))
    lines = standings(terms, range(2), [Finish(1, (0, 1), (1, 2), (3, -2))])
    assert isclose(sum(line.tie_breaks[0] for line in lines), 1_000_000)
