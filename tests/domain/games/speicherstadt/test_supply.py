"""Supply and fires: S-10 to S-12."""

from collections.abc import Sequence

from kontor_games.domain.game import Fact
from kontor_games.domain.games.speicherstadt.facts.income import IncomePaid, MetalCoinPassed
from kontor_games.domain.games.speicherstadt.facts.loading import CubesLost, LoadingFinished
from kontor_games.domain.games.speicherstadt.facts.supply import CardsRevealed, FireFought, RoundBegun
from kontor_games.domain.games.speicherstadt.moves import FinishLoading
from kontor_games.domain.games.speicherstadt.rules.supply import fire_points
from tests.domain.games.speicherstadt.scenario import Cubes, Scenario


def last_of_a_round(
    seats: int, *next_cards: str, owns: Sequence[tuple[int, str]] = (), bag: Cubes = ()
) -> Scenario:
    """Seat 0 has one step to go before income and the next supply; the pile goes on with the given cards."""
    cards = [card for _, card in owns]
    scenario = Scenario(seats, pile=["ship_b1", *cards, *next_cards], bag=["tea", *bag])
    scenario.given(RoundBegun(1)).owns(0, "ship_b1", cubes=["tea"])
    for seat, card in owns:
        scenario.owns(seat, card)
    return scenario.loading(0)


def supply_of(scenario: Scenario) -> list[Fact]:
    facts = scenario.when(0, FinishLoading())
    return facts[[type(fact) for fact in facts].index(RoundBegun) :]


def test_the_row_is_filled_with_one_card_more_than_there_are_players() -> None:
    """S-10."""
    scenario = last_of_a_round(3, "bank", "port", "warehouse", "fireman_a1", "fireman_a2")
    assert supply_of(scenario) == [
        RoundBegun(2),
        CardsRevealed(("bank", "port", "warehouse", "fireman_a1"), ((), (), (), ())),
    ]


def test_a_ship_gets_three_cubes_from_the_bag_at_once() -> None:
    """S-11."""
    scenario = last_of_a_round(
        2, "ship_c1", "bank", "ship_c2", bag=["tea", "tea", "coffee", "carpet", "saffron", "rubber"]
    )
    assert supply_of(scenario) == [
        RoundBegun(2),
        CardsRevealed(
            ("ship_c1", "bank", "ship_c2"), (("tea", "tea", "coffee"), (), ("carpet", "saffron", "rubber"))
        ),
    ]


def test_a_fire_is_fought_at_once_and_the_next_card_takes_its_place() -> None:
    """S-12: seat 0 has 3, seat 1 has 2, seat 2 has no fireman and counts 0."""
    owns = [(0, "fireman_a1"), (0, "fireman_a2"), (1, "fireman_b2")]
    scenario = last_of_a_round(3, "bank", "fire_2", "port", "warehouse", "spice_trader", owns=owns)
    assert supply_of(scenario) == [
        RoundBegun(2),
        CardsRevealed(("bank",), ((),)),
        FireFought("fire_2", (3, 2, 0), (2, 0, -2)),
        CardsRevealed(("port", "warehouse", "spice_trader"), ((), (), ())),
    ]
    assert scenario.state.points == [2, 0, -2]
    assert scenario.state.discarded == ["fire_2"]


def test_the_card_that_replaces_a_fire_may_be_a_fire_again() -> None:
    """S-12."""
    scenario = last_of_a_round(2, "fire_1", "fire_2", "bank", "port", "warehouse", owns=[(1, "fireman_a1")])
    assert supply_of(scenario) == [
        RoundBegun(2),
        FireFought("fire_1", (0, 1), (-1, 1)),
        FireFought("fire_2", (0, 1), (-2, 2)),
        CardsRevealed(("bank", "port", "warehouse"), ((), (), ())),
    ]


def test_points_may_fall_below_zero() -> None:
    """S-12, ruling."""
    scenario = last_of_a_round(2, "fire_3", "bank", "port", "warehouse", owns=[(1, "fireman_a1")])
    supply_of(scenario)
    assert scenario.state.points == [-3, 3]


def test_all_who_tie_gain_or_lose_in_full() -> None:
    """S-12."""
    assert fire_points((5, 5, 2, 0, 0), 3) == (3, 3, 0, -3, -3)


def test_if_all_have_the_same_sum_nobody_gains_or_loses() -> None:
    """S-12."""
    assert fire_points((4, 4, 4), 2) == (0, 0, 0)
    assert fire_points((0, 0), 1) == (0, 0)


def test_income_and_the_passing_of_the_metal_coin_come_before_the_supply() -> None:
    """S-10, S-22."""
    scenario = last_of_a_round(2, "bank", "port", "warehouse")
    assert scenario.when(0, FinishLoading())[:4] == [
        LoadingFinished(0, "done"),
        CubesLost(0, ("tea",)),
        IncomePaid((1, 2), (1,), None),
        MetalCoinPassed(1),
    ]
