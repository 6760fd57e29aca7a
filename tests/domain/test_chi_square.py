"""Chi-square tests, compared with scipy 1.17 (`scipy.stats.chi2.sf`, `scipy.stats.chisquare`)."""

from collections import Counter

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.statistics import Bar, ChiSquare, bars, overall, p_value, uniformity


@pytest.mark.parametrize(
    ("statistic", "freedom", "known"),
    [
        (0.0, 5, 1.0),
        (0.5, 1, 0.47950012218695337),
        (2.5, 5, 0.7764950711233227),
        (3.841458820694124, 1, 0.05),
        (11.070497693516351, 5, 0.05),
        (20.5, 3, 0.00013369478402083598),
        (40.0, 1, 2.5396285894708634e-10),
        (100.0, 100, 0.48119168452795674),
        (130.0, 100, 0.02351239780980871),
        (250.0, 100, 7.76693640353949e-15),
        (1000.0, 1000, 0.49405285382923964),
        (5000.0, 4800, 0.02167398920030608),
    ],
)
def test_p_values_are_those_of_scipy(statistic: float, freedom: int, known: float) -> None:
    assert p_value(statistic, freedom) == pytest.approx(known, rel=1e-9)


def test_a_die_is_tested_side_by_side() -> None:
    rolled = dict(zip([(6, side) for side in range(6)], [18, 22, 16, 25, 12, 27], strict=True))
    test = uniformity(rolled)
    assert test.statistic == pytest.approx(8.1)
    assert (test.freedom, test.values) == (5, 120)
    assert test.p_value == pytest.approx(0.15080986287012477, rel=1e-9)


def test_a_side_that_never_came_up_counts_against_the_die() -> None:
    test = uniformity({(6, side): 20 for side in range(5)})
    assert test == ChiSquare(test.statistic, 5, 100)
    assert test.statistic == pytest.approx(20.0)


def test_several_bounds_add_up() -> None:
    both = uniformity({(2, 0): 60, (2, 1): 40, (3, 0): 10, (3, 1): 20, (3, 2): 30})
    alone = [uniformity({(2, 0): 60, (2, 1): 40}), uniformity({(3, 0): 10, (3, 1): 20, (3, 2): 30})]
    assert both.statistic == pytest.approx(alone[0].statistic + alone[1].statistic)
    assert (both.freedom, both.values) == (3, 160)


def test_values_that_are_too_rare_are_omitted() -> None:
    assert uniformity({(52, 3): 259}) == ChiSquare(0.0, 0, 0)
    assert uniformity({(52, 3): 260}).freedom == 51
    assert uniformity({(2, 0): 60, (2, 1): 40, (52, 3): 7}).values == 100


def test_without_a_choice_of_values_there_is_no_p_value() -> None:
    assert uniformity({}).p_value is None
    assert uniformity({(1, 0): 1000}).p_value is None


def test_our_own_draws_look_uniform() -> None:
    chance = Seeded(seed_from("statistics"))
    counts = Counter((6, chance.draws("dice", index).below(6)) for index in range(6000))
    p = uniformity(counts).p_value
    assert p is not None
    assert 0.001 < p < 0.999


def test_a_loaded_die_is_detected() -> None:
    chance = Seeded(seed_from("statistics"))
    counts = Counter((6, min(5, chance.draws("dice", index).below(7))) for index in range(6000))
    p = uniformity(counts).p_value
    assert p is not None
    assert p < 1e-9


def test_a_die_has_a_bar_for_each_side() -> None:
    shown = bars({(3, 0): 4, (3, 2): 8, (1, 0): 99})
    assert shown == [Bar("1", 4, 4.0), Bar("2", 0, 4.0), Bar("3", 8, 4.0)]


def test_many_bounds_are_shown_in_tenths_with_their_expected_counts() -> None:
    shown = bars({(2, 0): 6, (2, 1): 4, (20, 19): 20})
    assert [bar.label for bar in shown][:2] == ["0–10%", "10–20%"]
    assert [bar.observed for bar in shown] == [6, 0, 0, 0, 0, 4, 0, 0, 0, 20]
    assert [bar.expected for bar in shown] == [7.0, 2.0, 2.0, 2.0, 2.0, 7.0, 2.0, 2.0, 2.0, 2.0]


def test_a_tenth_in_which_no_value_can_lie_has_no_bar() -> None:
    assert bars({(2, 0): 3, (2, 1): 5, (3, 1): 6}) == [
        Bar("0–10%", 3, 6.0),
        Bar("30–40%", 6, 2.0),
        Bar("50–60%", 5, 4.0),
        Bar("60–70%", 0, 2.0),
    ]


def test_draws_with_one_possible_value_have_no_bars() -> None:
    assert bars({(1, 0): 12}) == []


def test_several_p_values_are_combined_into_one() -> None:
    assert overall([]) is None
    assert overall([0.3]) == pytest.approx(0.3)
    assert overall([0.01, 0.5, 0.9, 0.7]) == pytest.approx(1 - 0.99**4)
    assert overall([1.0, 1.0]) == 1.0
    assert overall([1e-20] * 3) == pytest.approx(3e-20)
