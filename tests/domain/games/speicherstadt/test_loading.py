"""Loading: S-18 to S-21."""

from typing import Any

import pytest

from kontor_games.domain.games.speicherstadt.data.cards import Good
from kontor_games.domain.games.speicherstadt.facts.income import IncomePaid
from kontor_games.domain.games.speicherstadt.facts.loading import (
    CubeDelivered,
    CubeKept,
    CubesConverted,
    CubesLost,
    CubeSold,
    CubeStored,
    CubeTakenOut,
    LoadingBegun,
    LoadingFinished,
    TwoCubesSold,
)
from kontor_games.domain.games.speicherstadt.moves import (
    Buy,
    Convert,
    FinishLoading,
    KeepCube,
    PutOnContract,
    SellToMerchant,
    SellTwo,
    StoreCube,
    TakeOut,
)
from kontor_games.domain.games.speicherstadt.state import Place
from kontor_games.domain.games.speicherstadt.state.cubes import unpack
from tests.domain.games.speicherstadt.scenario import RULES, Cubes, Scenario


def loading(cubes: Cubes = ("tea", "coffee", "carpet"), *cards: str, seats: int = 2) -> Scenario:
    """Seat 0 loads these cubes and owns these cards."""
    return Scenario(seats).owns(0, *cards).owns(0, "ship_b1", cubes=cubes).loading(0)


# --- who loads ----------------------------------------------------------------------------------------------


def last_purchase(**options: Any) -> Scenario:
    """Seat 1 of 3 is first player and about to buy; seat 0 has a cube in the market hall, seat 2 none."""
    scenario = Scenario(3, first=1, **options).kept(0, "tea", "ship_b1")
    return scenario.row("ship_b2", cubes={"ship_b2": ["tea", "tea", "tea"]}).lines(ship_b2=[1]).offered()


def test_players_with_a_cube_outside_contracts_load_in_turn_from_the_first_player() -> None:
    """S-18: a cube in the market hall is enough; seat 2 is passed over."""
    scenario = last_purchase()
    assert scenario.when(1, Buy())[-1] == LoadingBegun((1, 0))
    assert scenario.rules.to_act(scenario.state) == (1,)
    scenario.when(1, FinishLoading())
    assert scenario.rules.to_act(scenario.state) == (0,)


def test_a_cube_in_the_warehouse_is_enough_to_load() -> None:
    """S-18."""
    scenario = (
        Scenario(2).owns(1, "warehouse").stored(1, ["tea"], "ship_b1").row("bank").lines(bank=[0]).offered()
    )
    assert scenario.when(0, Buy())[-1] == LoadingBegun((1,))


def test_a_cube_on_a_contract_is_not_enough_to_load() -> None:
    """S-18."""
    scenario = Scenario(2).owns(1, "contract_b1").owns(1, "ship_b1", cubes=["tea"])
    scenario.given(CubeDelivered(1, "contract_b1", "tea", "quay")).row("bank").lines(bank=[0]).offered()
    assert LoadingBegun not in {type(fact) for fact in scenario.when(0, Buy())}


def test_with_simultaneous_loading_all_act_together_in_any_order() -> None:
    """S-18, option."""
    scenario = last_purchase(simultaneous=True)
    scenario.when(1, Buy())
    assert scenario.rules.to_act(scenario.state) == (1, 0)
    assert scenario.when(0, TakeOut("tea", "market_hall")) == [CubeTakenOut(0, "tea", "market_hall")]
    assert scenario.when(1, KeepCube("tea", "quay")) == [CubeKept(1, "tea", "quay")]


def test_with_simultaneous_loading_the_phase_ends_when_all_have_finished_and_nobody_resumes() -> None:
    """S-18, option."""
    scenario = last_purchase(simultaneous=True)
    scenario.when(1, Buy())
    assert scenario.when(0, FinishLoading()) == [LoadingFinished(0, "done")]
    assert scenario.rules.to_act(scenario.state) == (1,)
    assert scenario.legal(0) == []
    assert IncomePaid((2, 1, 2), (0, 2), None) in scenario.when(1, FinishLoading())


def test_with_simultaneous_loading_the_stock_is_shared_in_the_order_of_steps() -> None:
    """S-18, option: what one gives up the other can take."""
    scenario = Scenario(2, simultaneous=True).owns(0, "ship_b1", cubes=["tea", "tea"])
    scenario.owns(1, "ship_b2", cubes=["coffee", "coffee", "coffee"]).loading(0, 1)
    take = Convert(("coffee", "coffee", "coffee"), "tea")
    assert take not in scenario.legal(1)
    scenario.when(0, SellTwo(("tea", "tea")))
    assert take in scenario.legal(1)
    assert scenario.when(1, take)[0] == CubesConverted(1, ("coffee",) * 3, ("quay",) * 3, "tea")


def test_a_player_without_cubes_finishes_automatically() -> None:
    """S-18, ruling: a player who cannot act is never asked."""
    scenario = loading(["tea"], "tea_taster")
    assert scenario.when(0, SellToMerchant("tea", "quay"))[:2] == [
        CubeSold(0, "tea", "quay"),
        LoadingFinished(0, "no_cubes"),
    ]


# --- the steps ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["quay", "market_hall", "warehouse"])
def test_a_cube_goes_from_anywhere_to_an_open_place_of_a_contract(origin: Place) -> None:
    """S-19."""
    scenario = everywhere("tea", "contract_b1")
    assert scenario.when(0, PutOnContract("contract_b1", "tea", origin)) == [
        CubeDelivered(0, "contract_b1", "tea", origin)
    ]
    assert unpack(scenario.state.open_places["contract_b1"]) == ("carpet",)
    assert not scenario.state.heaps(origin)[0]
    assert scenario.state.heaps("warehouse" if origin != "warehouse" else "quay")[0]


def everywhere(good: Good, *cards: str) -> Scenario:
    """Seat 0 owns the warehouse and these cards, and has a cube of the good in each of the three places."""
    scenario = Scenario(2).owns(0, "warehouse", *cards).stored(0, [good], "ship_b1").kept(0, good, "ship_b2")
    return scenario.owns(0, "ship_b3", cubes=[good]).loading(0)


def test_a_cube_on_a_contract_never_comes_off_again() -> None:
    """S-19: no move takes it, and its place is not open any more."""
    scenario = loading(["tea", "tea"], "contract_b1")
    scenario.when(0, PutOnContract("contract_b1", "tea", "quay"))
    assert not [move for move in scenario.legal(0) if isinstance(move, PutOnContract)]
    assert {move.type for move in scenario.legal(0)} == {"keep_cube", "finish_loading"}


@pytest.mark.parametrize("origin", ["quay", "market_hall", "warehouse"])
def test_a_merchant_pays_a_coin_for_a_cube_of_its_good_which_goes_to_the_stock(origin: Place) -> None:
    """S-19."""
    scenario = everywhere("saffron", "spice_trader")
    assert scenario.when(0, SellToMerchant("saffron", origin)) == [CubeSold(0, "saffron", origin)]
    assert scenario.state.coins == [6, 5]
    assert unpack(scenario.state.stock) == ("saffron",)


@pytest.mark.parametrize(
    ("merchant", "good"),
    [
        ("coffee_roaster", "coffee"),
        ("tea_taster", "tea"),
        ("spice_trader", "saffron"),
        ("vulcanizer", "rubber"),
        ("carpet_trader", "carpet"),
    ],
)
def test_each_merchant_trades_in_its_own_good(merchant: str, good: Good) -> None:
    """S-4, S-19."""
    scenario = loading(["coffee", "tea", "saffron", "rubber", "carpet"], merchant)
    assert [move for move in scenario.legal(0) if isinstance(move, SellToMerchant)] == [
        SellToMerchant(good, "quay")
    ]


def test_a_cube_goes_into_the_warehouse_and_out_again() -> None:
    """S-19."""
    scenario = loading(["tea"], "warehouse")
    assert scenario.when(0, StoreCube("tea", "quay")) == [CubeStored(0, "tea", "quay")]
    assert unpack(scenario.state.warehouse[0]) == ("tea",)
    assert scenario.when(0, TakeOut("tea", "warehouse")) == [CubeTakenOut(0, "tea", "warehouse")]
    assert unpack(scenario.state.quay[0]) == ("tea",)


def test_a_warehouse_never_holds_more_than_four_cubes() -> None:
    """S-19."""
    scenario = loading(["tea"] * 5, "warehouse")
    for _ in range(4):
        scenario.when(0, StoreCube("tea", "quay"))
    assert StoreCube("tea", "quay") not in scenario.legal(0)


def test_a_cube_goes_into_the_market_hall_and_out_again_and_never_a_second_one() -> None:
    """S-19."""
    scenario = loading(["tea", "coffee"])
    assert scenario.when(0, KeepCube("tea", "quay")) == [CubeKept(0, "tea", "quay")]
    assert KeepCube("coffee", "quay") not in scenario.legal(0)
    assert scenario.when(0, TakeOut("tea", "market_hall")) == [CubeTakenOut(0, "tea", "market_hall")]


def test_cubes_go_straight_between_warehouse_and_market_hall() -> None:
    """S-19: cubes for any step may come from any place."""
    scenario = Scenario(2).owns(0, "warehouse").stored(0, ["tea"], "ship_b1").loading(0)
    assert scenario.when(0, KeepCube("tea", "warehouse")) == [CubeKept(0, "tea", "warehouse")]
    assert scenario.when(0, StoreCube("tea", "market_hall")) == [CubeStored(0, "tea", "market_hall")]


def test_three_cubes_are_exchanged_for_one_from_the_stock() -> None:
    """S-19: it comes to the quay."""
    scenario = (
        Scenario(2)
        .stock(["saffron"], "ship_b2")
        .owns(0, "ship_b1", cubes=["tea", "tea", "coffee"])
        .loading(0)
    )
    move = Convert(("tea", "coffee", "tea"), "saffron")
    assert scenario.when(0, move) == [
        CubesConverted(0, ("coffee", "tea", "tea"), ("quay", "quay", "quay"), "saffron")
    ]
    assert unpack(scenario.state.quay[0]) == ("saffron",)
    assert unpack(scenario.state.stock) == ("coffee", "tea", "tea")


def test_the_cubes_given_cannot_be_taken_back() -> None:
    """S-19, ruling: the cube must have been in the stock before."""
    scenario = (
        Scenario(2)
        .stock(["saffron"], "ship_b2")
        .owns(0, "ship_b1", cubes=["tea", "tea", "coffee"])
        .loading(0)
    )
    assert [move for move in scenario.legal(0) if isinstance(move, Convert)] == [
        Convert(("coffee", "tea", "tea"), "saffron")
    ]


def test_the_order_in_which_cubes_are_named_does_not_matter() -> None:
    """S-19."""
    assert Convert(("carpet", "tea", "coffee"), "tea") == Convert(("coffee", "tea", "carpet"), "tea")
    assert SellTwo(("tea", "coffee")) == SellTwo(("coffee", "tea"))


def test_any_two_cubes_bring_one_coin() -> None:
    """S-19."""
    scenario = loading(["tea", "coffee", "coffee"])
    assert scenario.when(0, SellTwo(("tea", "coffee"))) == [
        TwoCubesSold(0, ("coffee", "tea"), ("quay", "quay"))
    ]
    assert scenario.state.coins == [6, 5]
    assert unpack(scenario.state.stock) == ("coffee", "tea")


def test_several_cubes_are_taken_from_quay_then_market_hall_then_warehouse() -> None:
    """S-19, ruling."""
    scenario = everywhere("tea")
    assert scenario.when(0, SellTwo(("tea", "tea"))) == [
        TwoCubesSold(0, ("tea", "tea"), ("quay", "market_hall"))
    ]
    scenario = everywhere("tea").stock(["saffron"], "ship_b4").loading(0)
    facts = scenario.when(0, Convert(("tea", "tea", "tea"), "saffron"))
    assert facts == [CubesConverted(0, ("tea",) * 3, ("quay", "market_hall", "warehouse"), "saffron")]
    assert not scenario.state.warehouse[0]


# --- the end of loading -------------------------------------------------------------------------------------


def test_cubes_left_on_the_quay_are_lost_to_the_stock() -> None:
    """S-20: never into the bag."""
    scenario = loading(["tea", "coffee"])
    drawn = scenario.state.drawn
    facts = scenario.when(0, FinishLoading())
    assert facts[:2] == [LoadingFinished(0, "done"), CubesLost(0, ("coffee", "tea"))]
    assert unpack(scenario.state.stock) == ("coffee", "tea")
    assert (scenario.state.quay[0], scenario.state.drawn) == (0, drawn)


def test_cubes_in_market_hall_and_warehouse_stay_there() -> None:
    """S-19, S-20."""
    scenario = everywhere("tea")
    scenario.when(0, FinishLoading())
    assert [unpack(scenario.state.heaps(place)[0]) for place in ("quay", "market_hall", "warehouse")] == [
        (),
        ("tea",),
        ("tea",),
    ]


def test_after_200_steps_loading_is_over() -> None:
    """S-20, ruling."""
    scenario = loading(["tea", "coffee"])
    for _ in range(99):
        scenario.when(0, KeepCube("tea", "quay"))
        scenario.when(0, TakeOut("tea", "market_hall"))
    assert scenario.when(0, KeepCube("tea", "quay")) == [CubeKept(0, "tea", "quay")]
    facts = scenario.when(0, TakeOut("tea", "market_hall"))
    assert facts[:3] == [
        CubeTakenOut(0, "tea", "market_hall"),
        LoadingFinished(0, "step_limit"),
        CubesLost(0, ("coffee", "tea")),
    ]
    assert scenario.state.phase != "loading"


def test_the_count_of_steps_restarts_in_every_loading() -> None:
    """S-20, ruling."""
    scenario = loading(["tea"])
    scenario.when(0, KeepCube("tea", "quay"))
    assert scenario.given(LoadingBegun((0,))).state.steps == [0, 0]


def test_no_move_gives_anything_to_another_player() -> None:
    """S-21: no kind of move names another seat."""
    assert not [
        cls
        for cls in RULES.moves
        if {"seat", "seats", "partner", "to"} & set(vars(cls)["__dataclass_fields__"])
    ]
