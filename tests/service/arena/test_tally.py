import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from kontor_games.domain.statistics import wilson
from kontor_games.service.arena import Length, Line, Outcome, Tally


def outcome(
    number: int,
    bots: Sequence[str],
    places: Sequence[int],
    *,
    starter: int = 0,
    points: Sequence[int] | None = None,
) -> Outcome:
    scores = tuple({"points": point} for point in points or [0] * len(bots))
    return Outcome(
        number, tuple(bots), starter, tuple(places), scores, facts=10 + number, decisions=5, rounds=None
    )


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_wilson_gives_the_published_intervals(wins: int, matches: int, low: float, high: float) -> None:
    assert wilson(wins, matches) == pytest.approx((low, high), abs=5e-5)


def test_without_matches_the_interval_is_0_to_1() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def approximately(value: float) -> Any:
    """Equal to every number close to this one."""
    return pytest.approx(value)


def test_bots_of_one_name_count_together() -> None:
    tally = Tally(
        [outcome(0, "abb", (1, 2, 3), points=(9, 4, 2)), outcome(1, "bab", (1, 2, 3), points=(7, 5, 0))]
    )
    assert tally.by_bot() == [
        Line("a", 2, 1.0, approximately(1 / 3), (1, 1, 0), {"points": 7.0}),
        Line("b", 2, 1.0, approximately(2 / 3), (1, 1, 2), {"points": 3.25}),
    ]


def test_a_shared_win_counts_in_equal_parts() -> None:
    tally = Tally([outcome(0, "abc", (1, 1, 3)), outcome(1, "abc", (1, 2, 3))])
    assert [line.wins for line in tally.by_bot()] == [1.5, 0.5, 0.0]
    assert tally.shared == 1


def test_wins_by_seat_do_not_depend_on_the_bots() -> None:
    tally = Tally([outcome(0, "ab", (1, 2)), outcome(1, "ba", (1, 2))])
    assert [(line.name, line.share) for line in tally.by_seat()] == [("seat 0", 1.0), ("seat 1", 0.0)]


def test_the_order_of_play_counts_from_the_seat_that_moved_first() -> None:
    tally = Tally([outcome(0, "abc", (1, 2, 3), starter=2), outcome(1, "abc", (3, 2, 1), starter=1)])
    assert [(line.name, line.wins) for line in tally.by_order()] == [
        ("moves 1st", 0.0),
        ("moves 2nd", 2.0),
        ("moves 3rd", 0.0),
    ]


def test_wins_are_counted_for_each_bot_on_each_seat() -> None:
    tally = Tally([outcome(0, "ab", (1, 2)), outcome(1, "ba", (1, 2))])
    assert [(line.name, line.matches, line.wins) for line in tally.by_bot_and_seat()] == [
        ("a, seat 0", 1, 1.0),
        ("a, seat 1", 1, 0.0),
        ("b, seat 0", 1, 1.0),
        ("b, seat 1", 1, 0.0),
    ]


def test_a_line_has_the_mean_place_and_the_share_of_wins() -> None:
    line = Line("a", 4, 1.0, 0.5, (1, 3), {})
    assert (line.place, line.share) == (1.75, 0.25)


@pytest.mark.parametrize(("wins", "verdict"), [(80, 1), (50, 0), (20, -1)])
def test_the_verdict_is_given_only_beyond_chance(wins: int, verdict: int) -> None:
    assert Line("a", 100, wins, 0.5, (wins, 100 - wins), {}).verdict == verdict


def test_lengths_omit_counts_that_the_game_does_not_have() -> None:
    tally = Tally([outcome(0, "ab", (1, 2)), outcome(4, "ab", (1, 2)), outcome(5, "ab", (1, 2))])
    assert tally.lengths() == {"decisions": Length(5.0, 5, 5, 5), "facts": Length(13.0, 14, 10, 15)}


def test_memory_does_not_grow_with_the_number_of_matches() -> None:
    played = [outcome(number, "ab", (1, 2), starter=number % 2) for number in range(50)]
    tally = Tally(played)
    before = len(pickle.dumps(tally))
    for _ in range(200):
        for one in played:
            tally.add(one)
    assert tally.matches == 10_050
    assert len(pickle.dumps(tally)) < before + 200  # larger numbers only
