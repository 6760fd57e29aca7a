"""The fit of the value of positions: it finds the weights by which matches were decided."""

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.games.europe.bots.searching import LEVELS
from tests.bench.fit_value import Sample, chances, fitted, loss, names, sampled, solved

WEIGHTS = [0.8, -1.5]


def decided(number: int) -> list[Sample]:
    """Positions with random features, won by chance with the probabilities of the weights."""
    draws = Seeded(seed_from("fit")).draws("positions", 0)
    samples = []
    for _ in range(number):
        features = tuple([[draws.below(1000) / 250 for _ in WEIGHTS] for _ in range(3)])
        left, won = draws.below(10**6) / 10**6, [0.0] * 3
        for seat, chance in enumerate(chances(WEIGHTS, Sample(features, won))):
            if 0 <= left < chance:
                won[seat] = 1.0
            left -= chance
        samples.append(Sample(features, won))
    return samples


@pytest.mark.slow
def test_weights_are_found_again_and_no_others_have_a_smaller_loss() -> None:
    samples = decided(3000)
    found = fitted(samples)
    assert found == pytest.approx(WEIGHTS, abs=0.1)
    for change in (-0.05, 0.05):
        assert loss([found[0] + change, found[1]], samples) > loss(found, samples)


def test_linear_equations_are_solved() -> None:
    assert solved([[2.0, 1.0], [1.0, 3.0]], [5.0, 10.0]) == pytest.approx([1.0, 3.0])


def test_positions_of_a_match_have_all_features_of_all_seats_and_a_winner() -> None:
    samples = sampled("short-2", 4, "greedy", "fit", 0)
    assert len(samples) > 5
    assert {*names()} < {*LEVELS["search:1"].weights}
    for sample in samples:
        assert [len(row) for row in sample.features] == [len(names())] * 4
        assert sum(sample.won) == 1
