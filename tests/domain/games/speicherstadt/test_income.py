"""Income: S-22."""

from kontor_games.domain.games.speicherstadt.facts.income import IncomePaid, MetalCoinPassed
from kontor_games.domain.games.speicherstadt.facts.loading import CubeSold, TwoCubesSold
from kontor_games.domain.games.speicherstadt.moves import Buy, Decline, SellToMerchant, SellTwo
from tests.domain.games.speicherstadt.scenario import Scenario


def test_everybody_gets_a_coin_with_one_more_for_buying_nothing_and_one_more_for_the_bank() -> None:
    """S-22."""
    scenario = Scenario(3).owns(2, "bank").row("port", "warehouse").lines(port=[0], warehouse=[1]).offered()
    scenario.when(0, Buy())
    assert IncomePaid((1, 2, 3), (1, 2), 2) in scenario.when(1, Decline())
    assert scenario.state.coins == [5 - 1 + 1, 5 + 2, 5 + 3]


def test_the_metal_coin_goes_one_seat_to_the_left() -> None:
    """S-22."""
    scenario = Scenario(3, first=2).row("port").lines(port=[0]).offered()
    assert MetalCoinPassed(0) in scenario.when(0, Buy())
    assert scenario.state.first == 0
    assert scenario.rules.to_act(scenario.state) == (0,)


def test_coins_never_run_out_at_the_income() -> None:
    """S-22: the box holds 25 coins, but players get coins even if they own more."""
    scenario = Scenario(2).row("port").lines(port=[0]).offered()
    scenario.state.coins = [60, 60]
    assert IncomePaid((2, 2), (0, 1), None) in scenario.when(0, Decline())
    assert scenario.state.coins == [62, 62]


def test_coins_never_run_out_in_loading() -> None:
    """S-22, ruling; S-19: both ways to sell cubes pay, however many coins the players own."""
    scenario = (
        Scenario(2)
        .owns(0, "tea_taster")
        .owns(0, "ship_b1", cubes=["tea", "coffee", "coffee", "carpet"])
        .loading(0)
    )
    scenario.state.coins = [60, 60]
    assert scenario.when(0, SellToMerchant("tea", "quay")) == [CubeSold(0, "tea", "quay")]
    assert scenario.when(0, SellTwo(("coffee", "coffee"))) == [
        TwoCubesSold(0, ("coffee", "coffee"), ("quay", "quay"))
    ]
    assert scenario.state.coins == [62, 60]
