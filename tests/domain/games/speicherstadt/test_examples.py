"""The worked examples of the printed rules, played to their printed outcomes."""

import pytest

from kontor_games.domain.games.speicherstadt.facts.income import IncomePaid
from kontor_games.domain.games.speicherstadt.facts.loading import CubeDelivered
from kontor_games.domain.games.speicherstadt.facts.purchase import CardBought, CardDeclined
from kontor_games.domain.games.speicherstadt.facts.supply import FireFought
from kontor_games.domain.games.speicherstadt.moves import (
    Buy,
    Convert,
    Decline,
    FinishLoading,
    KeepCube,
    PlaceWorker,
    PutOnContract,
    SellToMerchant,
    SellTwo,
)
from kontor_games.domain.games.speicherstadt.rules.ending import score
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from tests.domain.games.speicherstadt.scenario import Scenario, refusal_of

BEIGE, ORANGE, VIOLET = range(3)
LEFT, RIGHT = "contract_b1", "contract_c4"
"""The contracts of the example of loading, of 5 and of 11 points."""


def test_orange_may_put_a_worker_on_each_of_the_four_cards() -> None:
    """S-13: there are three players, and two of them have placed a worker."""
    cards = ("bank", "port", "warehouse", "vulcanizer")
    scenario = Scenario(3, first=VIOLET).row(*cards)
    scenario.when(VIOLET, PlaceWorker("bank"))
    scenario.when(BEIGE, PlaceWorker("bank"))
    assert scenario.legal(ORANGE) == [PlaceWorker(card) for card in cards]


def test_a_card_costs_beige_4_orange_3_beige_2_and_violet_1() -> None:
    """S-14."""
    scenario = Scenario(3).row("port").lines(port=[BEIGE, ORANGE, BEIGE, VIOLET]).offered()
    for seat, price in ((BEIGE, 4), (ORANGE, 3), (BEIGE, 2)):
        assert scenario.when(seat, Decline())[0] == CardDeclined(seat, "port", price)
    assert scenario.when(VIOLET, Buy())[0] == CardBought(VIOLET, "port", 1, ())


def two_ships() -> Scenario:
    """Blue has bought two ships; tea lies on the left contract, the right one is empty."""
    scenario = Scenario(2).owns(0, LEFT, RIGHT, "tea_taster")
    scenario.owns(0, "ship_b1", cubes=["tea"]).given(CubeDelivered(0, LEFT, "tea", "quay"))
    scenario.owns(0, "ship_b2", cubes=["rubber", "tea", "carpet"])
    scenario.owns(0, "ship_b3", cubes=["rubber", "tea", "saffron"]).loading(0)
    scenario.when(0, PutOnContract(RIGHT, "rubber", "quay"))
    scenario.when(0, PutOnContract(RIGHT, "tea", "quay"))
    return scenario


def test_blue_keeps_the_carpet_and_sells_three_cubes_for_2_coins() -> None:
    """S-19, S-20: nothing is left on the quay when blue has finished."""
    scenario = two_ships()
    scenario.when(0, KeepCube("carpet", "quay"))
    scenario.when(0, SellToMerchant("tea", "quay"))
    scenario.when(0, SellTwo(("rubber", "saffron")))
    assert scenario.state.coins[0] == 5 + 1 + 1
    assert (unpack(scenario.state.quay[0]), unpack(scenario.state.market_hall[0])) == ((), ("carpet",))
    scenario.when(0, FinishLoading())
    assert unpack(scenario.state.market_hall[0]) == ("carpet",)


def test_the_carpet_would_have_completed_the_left_contract_for_5_points() -> None:
    """S-32."""
    scenario = two_ships()
    scenario.when(0, PutOnContract(LEFT, "carpet", "quay"))
    assert score(scenario.state, 0).contracts == 5


def test_three_cubes_converted_into_coffee_would_have_completed_the_right_contract_for_11_points() -> None:
    """S-19, S-32: the coffee has to be in the stock."""
    convert = Convert(("tea", "saffron", "rubber"), "coffee")
    assert refusal_of(two_ships(), 0, convert).rule == "S-19"
    scenario = two_ships().stock(["coffee"], "ship_b4")
    scenario.when(0, convert)
    scenario.when(0, PutOnContract(RIGHT, "coffee", "quay"))
    scenario.when(0, PutOnContract(RIGHT, "carpet", "quay"))
    assert score(scenario.state, 0).contracts == 11


@pytest.mark.parametrize(("move", "coins"), [(Buy(), 2), (Decline(), 3)], ids=["bought", "bought nothing"])
def test_the_owner_of_the_bank_gets_2_coins_or_3_without_a_purchase(move: Buy | Decline, coins: int) -> None:
    """S-22."""
    scenario = Scenario(2).owns(0, "bank").row("port").lines(port=[0]).offered()
    (income,) = (fact for fact in scenario.when(0, move) if isinstance(fact, IncomePaid))
    assert income.coins[0] == coins


@pytest.mark.parametrize(("count", "points"), [(1, 2), (2, 5), (3, 9), (4, 14)])
def test_counting_offices_are_worth_2_5_9_or_14_points(count: int, points: int) -> None:
    """S-4, S-32."""
    offices = [f"counting_office_{name}" for name in ("a1", "b1", "d1", "d2")]
    assert score(Scenario(4).owns(0, *offices[:count]).state, 0).counting_offices == points


def test_a_third_fire_right_above_the_fourth_is_carried_out_with_it() -> None:
    """S-31: 3 and then 4 points change hands, and the game is over."""
    pile = [card for card in Scenario(4).state.pile if card not in ("fireman_a1", "fire_3", "fire_4")]
    scenario = Scenario(4, pile=[*pile, "fireman_a1", "fire_3", "fire_4"])
    scenario.state.revealed = len(pile)
    scenario.row("fireman_a1", number=10).lines(fireman_a1=[0]).offered()
    fires = [fact for fact in scenario.when(0, Buy()) if isinstance(fact, FireFought)]
    assert fires == [
        FireFought("fire_3", (1, 0, 0, 0), (3, -3, -3, -3)),
        FireFought("fire_4", (1, 0, 0, 0), (4, -4, -4, -4)),
    ]
    assert scenario.state.phase == "over"
