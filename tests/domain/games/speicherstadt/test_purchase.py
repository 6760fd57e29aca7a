"""Purchase: S-14 to S-17."""

from kontor_games.domain.games.speicherstadt.facts.income import IncomePaid, MetalCoinPassed
from kontor_games.domain.games.speicherstadt.facts.loading import LoadingBegun
from kontor_games.domain.games.speicherstadt.facts.purchase import (
    BuyerPassedOver,
    CardBought,
    CardDeclined,
    CardDiscarded,
    CardOffered,
)
from kontor_games.domain.games.speicherstadt.facts.supply import CardsRevealed, RoundBegun
from kontor_games.domain.games.speicherstadt.moves import Buy, Decline
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from tests.domain.games.speicherstadt.scenario import Cubes, Scenario


def test_the_first_in_line_buys_for_as_many_coins_as_there_are_workers_and_the_whole_line_goes_home() -> None:
    """S-14."""
    scenario = Scenario(2).row("bank", "port", "warehouse").lines(bank=[0, 1, 1], port=[1]).offered()
    assert scenario.when(0, Buy()) == [CardBought(0, "bank", 3, ()), CardOffered(1, "port", 1)]
    assert scenario.state.coins == [2, 5]
    assert scenario.state.cards == [("bank",), ()]
    assert [scenario.state.workers_at_home(seat) for seat in (0, 1)] == [3, 2]


def test_a_player_who_declines_takes_one_worker_home_and_the_next_is_asked_for_one_coin_less() -> None:
    """S-14."""
    scenario = Scenario(2).row("bank", "port", "warehouse").lines(bank=[0, 1, 1]).offered()
    assert scenario.when(0, Decline()) == [CardDeclined(0, "bank", 3), CardOffered(1, "bank", 2)]
    assert [scenario.state.workers_at_home(seat) for seat in (0, 1)] == [3, 1]


def test_a_player_with_several_workers_in_line_is_asked_for_each() -> None:
    """S-14."""
    scenario = Scenario(2).row("bank", "port", "warehouse").lines(bank=[0, 0, 0]).offered()
    assert scenario.when(0, Decline()) == [CardDeclined(0, "bank", 3), CardOffered(0, "bank", 2)]
    assert scenario.when(0, Decline()) == [CardDeclined(0, "bank", 2), CardOffered(0, "bank", 1)]
    assert scenario.when(0, Buy())[0] == CardBought(0, "bank", 1, ())


def test_a_ships_cubes_go_to_the_buyers_quay_immediately() -> None:
    """S-14, S-19."""
    aboard: dict[str, Cubes] = {"ship_b1": ["tea", "tea", "carpet"]}
    scenario = (
        Scenario(2, bag=aboard["ship_b1"])
        .row("ship_b1", "port", "bank", cubes=aboard)
        .lines(ship_b1=[1], bank=[0])
        .offered()
    )
    facts = scenario.when(1, Buy())
    assert facts == [
        CardBought(1, "ship_b1", 1, ("tea", "tea", "carpet")),
        CardDiscarded("port", ()),
        CardOffered(0, "bank", 1),
    ]
    assert unpack(scenario.state.quay[1]) == ("tea", "tea", "carpet")


def test_a_player_who_cannot_pay_is_skipped_without_being_asked() -> None:
    """S-15: seat 0 has spent all coins, seat 1 can pay."""
    scenario = Scenario(2, pile=["fireman_a1", "warehouse", "bank", "port"])
    scenario.owns(0, "fireman_a1", price=5).row("warehouse", "bank", "port").lines(
        warehouse=[1], bank=[0, 1]
    ).offered()
    assert scenario.when(1, Decline()) == [
        CardDeclined(1, "warehouse", 1),
        CardDiscarded("warehouse", ()),
        BuyerPassedOver(0, "bank", 2),
        CardOffered(1, "bank", 1),
    ]


def test_a_price_that_has_fallen_far_enough_can_be_paid_by_a_later_worker() -> None:
    """S-15: with one coin, seat 0 is passed over at 2 and asked at 1."""
    scenario = Scenario(2, pile=["fireman_a1", "warehouse", "bank", "port"])
    scenario.owns(0, "fireman_a1", price=4).row("warehouse", "bank", "port").lines(
        warehouse=[1], bank=[0, 0]
    ).offered()
    assert scenario.when(1, Decline())[2:] == [BuyerPassedOver(0, "bank", 2), CardOffered(0, "bank", 1)]


def test_the_metal_coin_pays_for_nothing() -> None:
    """S-15: the first player without coins is passed over, even for a single coin."""
    scenario = Scenario(2, first=0, pile=["fireman_a1", "warehouse", "bank", "port"])
    scenario.owns(0, "fireman_a1", price=5).row("warehouse", "bank", "port").lines(
        warehouse=[1], bank=[0]
    ).offered()
    assert BuyerPassedOver(0, "bank", 1) in scenario.when(1, Decline())


def test_a_card_without_workers_and_a_card_that_nobody_buys_are_discarded() -> None:
    """S-16."""
    scenario = Scenario(2, pile=["bank", "port", "warehouse", "vulcanizer", "fireman_a1", "fireman_a2"])
    scenario.row("bank", "port", "warehouse").lines(bank=[0]).offered()
    assert scenario.when(0, Decline()) == [
        CardDeclined(0, "bank", 1),
        CardDiscarded("bank", ()),
        CardDiscarded("port", ()),
        CardDiscarded("warehouse", ()),
        IncomePaid((2, 2), (0, 1), None),
        MetalCoinPassed(1),
        RoundBegun(2),
        CardsRevealed(("vulcanizer", "fireman_a1", "fireman_a2"), ((), (), ())),
    ]
    assert scenario.state.discarded == ["bank", "port", "warehouse"]


def test_the_cubes_of_a_ship_that_nobody_bought_are_in_the_stock_for_this_rounds_loading() -> None:
    """S-16, ruling: never back into the bag."""
    cubes: dict[str, Cubes] = {"ship_b1": ["tea", "tea", "carpet"], "ship_b2": ["coffee", "coffee", "coffee"]}
    scenario = Scenario(2, bag=[*cubes["ship_b1"], *cubes["ship_b2"]])
    scenario.row("ship_b1", "ship_b2", "port", cubes=cubes).lines(ship_b2=[0]).given(
        CardDiscarded("ship_b1", ("tea", "tea", "carpet"))
    ).offered()
    assert scenario.when(0, Buy())[-1] == LoadingBegun((0,))
    assert unpack(scenario.state.stock) == ("tea", "tea", "carpet")
    assert scenario.state.drawn == 6


def test_when_nobody_can_pay_the_round_continues_automatically() -> None:
    """S-15, S-16: both players are broke, so nobody is asked until the next round."""
    scenario = Scenario(2, pile=["fireman_a1", "fireman_a2", "warehouse", "bank", "port"])
    scenario.owns(0, "fireman_a1", price=4).owns(1, "fireman_a2", price=5).row("warehouse", "bank", "port")
    scenario.lines(warehouse=[0], bank=[1, 0]).offered()
    facts = scenario.when(0, Buy())
    assert facts[:5] == [
        CardBought(0, "warehouse", 1, ()),
        BuyerPassedOver(1, "bank", 2),
        BuyerPassedOver(0, "bank", 1),
        CardDiscarded("bank", ()),
        CardDiscarded("port", ()),
    ]
    assert facts[5] == IncomePaid((1, 2), (1,), None)


def test_a_bank_pays_in_the_round_in_which_it_is_bought() -> None:
    """S-17, S-22."""
    scenario = Scenario(2).row("bank", "port", "warehouse").lines(bank=[1]).offered()
    assert IncomePaid((2, 2), (0,), 1) in scenario.when(1, Buy())


def test_a_merchant_bought_this_round_buys_in_this_rounds_loading() -> None:
    """S-17."""
    scenario = Scenario(2).row("tea_taster", "ship_b1", "port", cubes={"ship_b1": ["tea", "tea", "tea"]})
    scenario.lines(tea_taster=[0], ship_b1=[0]).offered()
    scenario.when(0, Buy())
    scenario.when(0, Buy())
    assert "sell_to_merchant" in {move.type for move in scenario.legal(0)}
