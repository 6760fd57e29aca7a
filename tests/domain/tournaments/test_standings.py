from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor_games.domain.tournaments.standings import UNIT, Finish, Results, Standing, points_of, standings
from kontor_games.domain.tournaments.terms import TieBreak
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


TABLES = [
    Finish(1, (0, 1, 2), (1, 2, 3), (9, 6, 3)),
    Finish(2, (0, 1, 3), (1, 1, 3), (5, 5, -2)),
    Finish(3, (2, 3, 0), (1, 2, 3), (8, 0, 4)),
]
"""At tables of three for 2, 1 and 0 points: 3.5, 2.5, 2 and 1 points for entrants 0 to 3."""
OF_THREE = replace(TERMS, seats=3, points=(2, 1, 0))


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("wins", [90, 30, 60, 0]),
        ("score", [18, 11, 11, -2]),
        ("score_share", [500_000 + 500_000 + 333_333, 333_333 + 500_000, 166_666 + 666_666, 0]),
        ("opponents", [660, 600, 630, 690]),
        ("median_opponents", [450, 330, 360, 360]),
        ("lot", [7, 0, 0, 2]),
    ],
)
def test_every_tie_break_is_computed(kind: TieBreak, values: list[int]) -> None:
    results = Results(OF_THREE, TABLES, {}, {0: 7, 3: 2})
    assert [results.tie_break(kind, entrant, {0, 1, 2, 3}) for entrant in range(4)] == values


@pytest.mark.parametrize(("tied", "values"), [({1, 2}, [60, 0]), ({0, 3}, [90, 60])])
def test_the_direct_encounter_counts_matches_with_another_tied_entrant(
    tied: set[int], values: list[int]
) -> None:
    results = Results(OF_THREE, TABLES, {}, {})
    assert [results.tie_break("direct", entrant, tied) for entrant in sorted(tied)] == values


def test_a_line_of_the_standings_has_points_wins_matches_and_byes() -> None:
    terms = replace(OF_THREE, tie_breaks=("score", "wins"), bye_points=1)
    best, *_, last = standings(terms, range(4), TABLES, byes={3: 1})
    assert best == Standing(0, 1, points=210, tie_breaks=(18, 90), played=3, wins=90, byes=0)
    assert last == Standing(3, 4, points=60 + UNIT, tie_breaks=(-2, 0), played=2, wins=0, byes=1)


def test_nobody_has_a_share_of_scores_that_are_all_zero() -> None:
    results = Results(OF_THREE, [Finish(1, (0, 1), (1, 1), (0, 0))], {}, {})
    assert results.tie_break("score_share", 0, {0, 1}) == 0


def test_a_bye_brings_the_announced_points() -> None:
    lines = standings(TERMS, range(2), [], byes={1: 2})
    assert [(line.entrant, line.points, line.byes) for line in lines] == [(1, 6 * UNIT, 2), (0, 0, 0)]
