"""How results change ratings."""

import pytest

from kontor_games.domain.ladders import Kind
from kontor_games.service.ratings.model import Rating, rate

BEGINNERS = [Rating()] * 5


def test_a_tie_ranks_nobody_above_the_winners() -> None:
    means = [one.mean for one in rate("programs", BEGINNERS, [1, 1, 2, 3, 4])]
    assert means[0] == means[1] > means[2] > means[3] > means[4]
    assert [round(mean, 2) for mean in means] == [26.98, 26.98, 25.0, 23.68, 22.36]


@pytest.mark.parametrize("kind", ["people", "programs"])
def test_a_draw_of_equals_changes_no_mean(kind: Kind) -> None:
    assert [one.mean for one in rate(kind, BEGINNERS[:2], [1, 1])] == [25.0, 25.0]


def test_ratings_of_programs_do_not_lose_certainty_over_time() -> None:
    known = [Rating(30.0, 1.0, 50), Rating(20.0, 1.0, 50)]
    programs, people = rate("programs", known, [1, 2]), rate("people", known, [1, 2])
    assert all(one.deviation < 1.0 for one in programs)
    assert people[0].deviation > programs[0].deviation


def test_matches_are_counted_and_the_conservative_figure_begins_at_zero() -> None:
    assert [one.matches for one in rate("people", BEGINNERS[:2], [2, 1])] == [1, 1]
    assert Rating().conservative == pytest.approx(0.0)
