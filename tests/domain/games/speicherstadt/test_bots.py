"""House bots: they see what any player sees, and the greedy one plays sensibly."""

from collections.abc import Sequence
from typing import Any, Never

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Move, Result, Sight
from kontor_games.domain.games.speicherstadt import GAME
from kontor_games.domain.games.speicherstadt.bots.worth import Appraiser
from kontor_games.domain.games.speicherstadt.facts.loading import CubeDelivered
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
    StoreCube,
    TakeOut,
)
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.toolkit.random_bot import RandomBot
from tests.domain.games.speicherstadt.scenario import RULES, Cubes, Scenario
from tests.support.scripted_chance import Scripted

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

GREEDY = GAME.bots["greedy"](RULES)
NO_DRAWS = Scripted({}).draws("bot", 0)


def choice(scenario: Scenario, seat: int = 0) -> Move:
    """Return the choice of the greedy bot, which gets only the view and the legal moves."""
    chosen = GREEDY.choose(seat, Sight(RULES, scenario.state, seat), scenario.legal(seat), NO_DRAWS)
    assert chosen is not None
    return chosen


def play(bots: Sequence[str], seed: str, **options: Any) -> Result:
    chance = Seeded(seed_from(seed))
    players = [GAME.bots[bot](RULES) for bot in bots]
    state = RULES.table(len(bots), SpeicherstadtOptions(**options))
    RULES.deal(state, chance)
    asked = 0
    while waited := RULES.to_act(state):
        seat = waited[0]
        draws = chance.draws(f"bot-{seat}", asked)
        move = players[seat].choose(seat, Sight(RULES, state, seat), RULES.legal_moves(state, seat), draws)
        assert move is not None
        RULES.play(state, seat, move, chance)
        asked += 1
    result = RULES.result(state)
    assert result is not None
    return result


def test_greedy_beats_three_randoms_in_four_of_five_matches_from_every_seat() -> None:
    """It wins 99 of 100; a bot that won 80 would pass this with 80 matches once in 200 times."""
    matches = 80
    wins = 0.0
    for number in range(matches):
        bots = ["random"] * 4
        bots[number % 4] = "greedy"
        winners = play(bots, f"greedy {number}").winners
        wins += (number % 4 in winners) / len(winners)
    assert wins / matches >= 0.9


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_bots_play_matches_of_every_size_to_the_end(seats: int, simultaneous: bool) -> None:
    result = play((["greedy", "random"] * 3)[:seats], "sizes", simultaneous_loading=simultaneous)
    assert len(result.places) == seats


def unseen() -> Never:
    raise AssertionError("the bot read its view")


def test_random_chooses_among_the_legal_moves_without_reading_the_view() -> None:
    legal: list[Move] = [Buy(), Decline()]
    bot = RandomBot(RULES)
    assert [bot.choose(0, unseen, legal, Scripted({"bot": [n]}).draws("bot", 0)) for n in (0, 1)] == legal


# --- purchase -----------------------------------------------------------------------------------------------


def offer(*line: int) -> Scenario:
    return (
        Scenario(2, pile=["bank", "port", "warehouse"])
        .row("bank", "port", "warehouse")
        .lines(bank=line)
        .offered()
    )


def test_greedy_buys_a_card_that_is_worth_its_price() -> None:
    assert choice(offer(0)) == Buy()


def test_greedy_declines_a_card_that_is_too_expensive() -> None:
    scenario = (
        Scenario(2, pile=["contract_a3", "bank", "port"])
        .row("contract_a3", "bank", "port")
        .lines(contract_a3=[0, 1, 1, 1, 1])
        .offered()
    )
    assert choice(scenario) == Decline()


def test_greedy_waits_for_its_own_worker_further_back_in_line() -> None:
    """It comes cheaper by one coin, and nobody stands in between."""
    assert choice(offer(0, 0, 1)) == Decline()


def test_greedy_does_not_wait_if_somebody_in_between_can_pay() -> None:
    assert choice(offer(0, 1, 0)) == Buy()


def test_greedy_waits_if_nobody_in_between_can_pay() -> None:
    scenario = offer(0, 1, 0)
    scenario.state.coins[1] = 1
    assert choice(scenario) == Decline()


def test_greedy_keeps_its_coins_for_something_better() -> None:
    """Two coins: either the fireman now or the bank, first in line, at two coins."""
    scenario = Scenario(2, pile=["fireman_a1", "spice_trader", "bank", "port"]).owns(0, "fireman_a1", price=3)
    scenario.row("spice_trader", "bank", "port").lines(spice_trader=[0], bank=[0, 1]).offered()
    assert choice(scenario) == Decline()
    scenario.state.coins[0] = 3
    assert choice(scenario) == Buy()


# --- demand -------------------------------------------------------------------------------------------------


def test_greedy_opens_the_line_at_the_best_card() -> None:
    scenario = Scenario(2, pile=["contract_a3", "fireman_b1", "bank"]).row(
        "contract_a3", "fireman_b1", "bank"
    )
    assert choice(scenario) == PlaceWorker("bank")


def test_greedy_does_not_drive_up_its_own_price() -> None:
    scenario = Scenario(2, pile=["contract_a3", "fireman_b1", "bank"]).row(
        "contract_a3", "fireman_b1", "bank"
    )
    scenario.when(0, PlaceWorker("bank"))
    scenario.when(1, PlaceWorker("contract_a3"))
    assert choice(scenario) != PlaceWorker("bank")


# --- what cards are worth -----------------------------------------------------------------------------------


def worth(scenario: Scenario, card: str, seat: int = 0, cubes: Cubes = ()) -> float:
    """What greedy thinks a card in the row is worth to a seat."""
    shown = RULES.view(scenario.row(card, cubes={card: cubes}).state, seat)
    return Appraiser(RULES, shown).worth(shown["row"][-1], seat)


def late(seats: int = 2) -> Scenario:
    """All ships and fires but the last one are gone."""
    scenario = Scenario(seats)
    scenario.state.revealed = len(scenario.state.pile) - 2
    return scenario


def test_offices_are_worth_more_to_a_player_who_has_some() -> None:
    assert worth(Scenario().owns(0, "counting_office_a1"), "counting_office_b1") > worth(
        Scenario(), "counting_office_b1"
    )


def test_the_port_is_worth_its_ships_and_the_chamber_of_commerce_its_coins() -> None:
    assert worth(late().owns(0, "ship_b1", "ship_b2"), "port") == worth(late(), "port") + 2
    assert (
        worth(late(), "chamber_of_commerce", 0)
        == worth(late().owns(0, "fireman_a1", price=3), "chamber_of_commerce") + 3
    )


def test_cards_that_depend_on_ships_are_worth_less_when_the_ships_are_gone() -> None:
    for card in ("tea_taster", "warehouse", "contract_b2"):
        assert worth(Scenario(), card) > worth(late(), card) > 0


def test_churches_are_worth_what_they_score() -> None:
    assert [worth(Scenario(), card) for card in ("boatsmen_church", "st_michaelis")] == [3, 4]


def test_a_contract_is_worth_more_with_its_goods_at_hand_and_less_beside_other_open_ones() -> None:
    at_hand = Scenario().kept(0, "tea", "ship_b1")
    waiting = Scenario().owns(0, "contract_a1")
    assert worth(at_hand, "contract_b1") > worth(Scenario(), "contract_b1") > worth(waiting, "contract_b1")


def test_a_fireman_is_worth_most_to_a_player_who_takes_the_lead_with_it() -> None:
    """S-12."""
    behind = Scenario().owns(1, "fireman_c2", "fireman_d3")
    assert worth(Scenario(), "fireman_a2") > worth(behind, "fireman_a2") > 0


def test_a_ship_is_worth_what_its_cubes_complete_and_a_point_more_with_the_port() -> None:
    cubes: Cubes = ["tea", "carpet", "tea"]
    plain, wanted = (
        worth(Scenario(), "ship_b1", cubes=cubes),
        worth(Scenario().owns(0, "contract_b1"), "ship_b1", cubes=cubes),
    )
    assert wanted > plain > 0
    assert worth(Scenario().owns(0, "port"), "ship_b1", cubes=cubes) == plain + 1


def test_a_coin_is_worth_little_at_the_end_but_for_the_chamber_of_commerce() -> None:
    """S-32."""
    scenario = Scenario(4).owns(0, "chamber_of_commerce").row("bank", number=10)
    appraiser = Appraiser(RULES, RULES.view(scenario.state, 0))
    assert (appraiser.coin(0), appraiser.coin(1)) == (1.0, 0.2)


# --- loading ------------------------------------------------------------------------------------------------


def loading(cubes: Cubes, *cards: str, stock: Cubes = ()) -> Scenario:
    scenario = Scenario(2).owns(0, *cards)
    if stock:
        scenario.stock(stock, "ship_b5")
    return scenario.owns(0, "ship_b1", cubes=cubes).loading(0)


def steps(scenario: Scenario) -> list[Move]:
    """Return all loading steps of the greedy bot."""
    done = []
    while scenario.state.phase == "loading":
        move = choice(scenario)
        done.append(move)
        if move == FinishLoading():
            break
        scenario.when(0, move)
    return done


def test_greedy_fills_contracts_first() -> None:
    assert choice(loading(["tea", "carpet", "coffee"], "contract_b1")) in (
        PutOnContract("contract_b1", "tea", "quay"),
        PutOnContract("contract_b1", "carpet", "quay"),
    )


def test_greedy_completes_a_contract_by_exchanging_cubes_that_it_does_not_need() -> None:
    scenario = loading(
        ["tea", "saffron", "rubber", "coffee", "coffee", "coffee"], "contract_a3", stock=["carpet"]
    )
    assert set(steps(scenario)) == {
        Convert(("coffee", "coffee", "coffee"), "carpet"),
        *(PutOnContract("contract_a3", good, "quay") for good in ("tea", "saffron", "rubber", "carpet")),
    }


def test_greedy_sells_to_its_merchants_and_stores_and_keeps_the_rest() -> None:
    assert steps(loading(["saffron", "saffron"], "spice_trader")) == [SellToMerchant("saffron", "quay")] * 2
    assert steps(loading(["tea"], "warehouse")) == [StoreCube("tea", "quay"), FinishLoading()]
    assert steps(loading(["tea"])) == [KeepCube("tea", "quay"), FinishLoading()]
    assert steps(loading(["tea", "tea"])) == [SellTwo(("tea", "tea"))]


def test_greedy_leaves_a_kept_cube_where_it_is() -> None:
    scenario = Scenario(2).kept(0, "tea", "ship_b1").loading(0)
    assert scenario.legal(0) == [TakeOut("tea", "market_hall"), FinishLoading()]
    assert choice(scenario) == FinishLoading()


def test_greedy_uses_what_it_kept() -> None:
    scenario = Scenario(2).kept(0, "tea", "ship_b1").owns(0, "contract_b1").loading(0)
    assert choice(scenario) == PutOnContract("contract_b1", "tea", "market_hall")


def test_greedy_also_exchanges_cubes_from_market_hall_and_warehouse() -> None:
    """Late in the match, carpet completes the contract.

    Two of the three cubes given lie in the warehouse and the market hall.
    """
    scenario = (
        late()
        .owns(0, "warehouse", "contract_a3")
        .stored(0, ["rubber"], "ship_b1")
        .kept(0, "rubber", "ship_b2")
    )
    scenario.stock(["carpet"], "ship_b3").owns(0, "ship_b4", cubes=["tea", "saffron", "rubber"])
    scenario.given(*(CubeDelivered(0, "contract_a3", good, "quay") for good in ("tea", "saffron", "rubber")))
    assert steps(scenario.owns(0, "ship_b5", cubes=["coffee"]).loading(0)) == [
        Convert(("coffee", "rubber", "rubber"), "carpet"),
        PutOnContract("contract_a3", "carpet", "quay"),
    ]
