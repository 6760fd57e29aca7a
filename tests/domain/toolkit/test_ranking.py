"""Places of seats, computed from their results."""

from typing import Any

import pytest

from kontor_games.domain.toolkit.ranking import places


@pytest.mark.parametrize(
    ("worth", "expected"),
    [
        ([], ()),
        ([7], (1,)),
        ([3, 9, 5], (3, 1, 2)),
        ([4, 4, 1, 4], (1, 1, 4, 1)),
        ([1, 4, 4, 2], (4, 1, 1, 3)),
        ([(5, 2), (5, 3), (6, 0)], (3, 2, 1)),
    ],
)
def test_the_highest_worth_is_first_and_equals_share_a_place(
    worth: list[Any], expected: tuple[int, ...]
) -> None:
    assert places(worth) == expected
