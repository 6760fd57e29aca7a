from math import isclose, log
from statistics import fmean, variance

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.statistics import (
    RunningMean,
    SequentialTest,
    beaten_share,
    bootstrap,
    bradley_terry,
    strengths,
)

CHANCE = Seeded(seed_from("statistics"))


def test_a_shared_place_counts_half() -> None:
    assert [beaten_share((1, 2, 2, 4), seat) for seat in range(4)] == [1, 0.5, 0.5, 0]


def test_bradley_terry_gives_the_odds_of_two_entrants() -> None:
    """Three wins to one, with the drawn comparisons against an average entrant pulling both to the middle."""
    found = bradley_terry([((0, 1), (1, 2))] * 300 + [((0, 1), (2, 1))] * 100)
    assert isclose(found[0] - found[1], log(3), abs_tol=0.02)
    assert isclose(found[0] + found[1], 0, abs_tol=1e-9)


def test_the_order_of_matches_does_not_matter_and_an_undefeated_entrant_is_not_infinitely_strong() -> None:
    matches = [((0, 1, 2), (1, 2, 3)), ((2, 0, 3), (3, 1, 2)), ((3, 1), (2, 1))]
    forwards, back = bradley_terry(matches), bradley_terry(matches[::-1])
    assert max(abs(forwards[name] - back[name]) for name in forwards) < 1e-6
    assert sorted(forwards, key=lambda name: -forwards[name])[0] == 0
    assert forwards[0] < 5


def played(blocks: int, better: float) -> list[list[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """Blocks of one match between 0 and 1, of which 0 wins a share; 2 and 3 are equal."""
    found: list[list[tuple[tuple[int, ...], tuple[int, ...]]]] = []
    for index in range(blocks):
        draws = CHANCE.draws("played", index)
        first = (1, 2) if draws.below(1000) < 1000 * better else (2, 1)
        second = (1, 2) if draws.below(2) else (2, 1)
        found.append([((0, 1), first), ((2, 3), second)])
    return found


@pytest.mark.untraced
def test_intervals_separate_unequal_entrants_but_not_equal_ones() -> None:
    found = strengths(played(80, 0.9), CHANCE.draws("resample", 0))
    assert found[0].interval[0] > found[1].interval[1]
    assert (
        found[2].interval[0] < found[3].value < found[2].interval[1] or found[3].interval[0] < found[2].value
    )
    assert found[0].ranks == (1, 1)


def test_a_bootstrap_interval_covers_the_estimate_and_shrinks_with_more_blocks() -> None:
    def width(blocks: int) -> float:
        scores = [float(CHANCE.draws("width", index).below(2)) for index in range(blocks)]
        low, high = bootstrap(scores, lambda drawn: {0: fmean(drawn)}, CHANCE.draws("bootstrap", 1))[0]
        assert low <= fmean(scores) <= high
        return high - low

    assert width(400) < width(25) / 2


@pytest.mark.parametrize(("mean", "verdict"), [(0.6, True), (0.45, False)])
def test_the_sequential_test_decides_for_the_right_side(mean: float, verdict: bool) -> None:
    test, running = SequentialTest(), RunningMean()
    decided, blocks = None, 0
    while decided is None:
        draws = CHANCE.draws(f"sprt {mean}", blocks)
        running.add(float(draws.below(1000) < 1000 * mean))
        blocks += 1
        decided = test.verdict(running.count, running.mean, running.variance)
    assert decided is verdict
    assert blocks >= test.least_blocks


def test_the_sequential_test_errs_rarely() -> None:
    """Of two hundred tests between equals, at most the announced share (with a margin) decides wrongly."""
    wrong = 0
    for duel in range(200):
        test, running, decided = SequentialTest(worse=0.5, better=0.6), RunningMean(), None
        while decided is None:
            running.add(float(CHANCE.draws(f"equals {duel}", running.count).below(2)))
            decided = test.verdict(running.count, running.mean, running.variance)
        wrong += decided
    assert wrong <= 20


def test_running_mean_and_variance_are_those_of_the_whole_list() -> None:
    values, running = [3.0, 1.0, 4.0, 1.0, 5.0], RunningMean()
    for value in values:
        running.add(value)
    assert isclose(running.mean, fmean(values))
    assert isclose(running.variance, variance(values))
    assert running.interval[0] < running.mean < running.interval[1]


def test_blocks_that_all_end_alike_are_decided_without_a_variance() -> None:
    test = SequentialTest()
    assert test.verdict(9, 1.0, 0.0) is None
    assert test.verdict(10, 1.0, 0.0) is True
    assert test.verdict(10, 0.5, 0.0) is False
