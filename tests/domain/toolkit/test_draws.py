"""Draws that are not uniform."""

from collections import Counter

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.toolkit.draws import weighted
from tests.support.scripted_chance import Scripted


@pytest.mark.parametrize(("drawn", "index"), [(0, 0), (1, 0), (2, 2), (4, 2), (5, 3)])
def test_each_index_has_as_many_numbers_as_its_weight(drawn: int, index: int) -> None:
    draws = Scripted({"x": [drawn]}).draws("x", 0)
    assert weighted(draws, [2, 0, 3, 1]) == index


def test_over_many_draws_every_index_comes_up_by_its_weight() -> None:
    draws = Seeded(seed_from("weights")).draws("x", 0)
    counts = Counter(weighted(draws, [1, 0, 3]) for _ in range(4000))
    assert set(counts) == {0, 2}
    assert 2800 < counts[2] < 3200


@pytest.mark.parametrize("weights", [[], [0, 0]])
def test_a_draw_without_any_weight_is_an_error(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="a draw needs at least one possible value"):
        weighted(Seeded(seed_from("none")).draws("x", 0), weights)
