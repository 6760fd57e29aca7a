"""The searching bot: what it knows, how it loads, places and buys, and that it beats the greedy one."""

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Move, Sight
from kontor_games.domain.games.speicherstadt import GAME
from kontor_games.domain.games.speicherstadt import moves as m
from kontor_games.domain.games.speicherstadt.bots.searching.cargo import Depot, Prices, best_worth
from kontor_games.domain.games.speicherstadt.bots.searching.outlook import Outlook, rise
from kontor_games.domain.games.speicherstadt.bots.searching.position import Valuer
from kontor_games.domain.games.speicherstadt.bots.searching.round_game import RoundGame
from kontor_games.domain.games.speicherstadt.data.cards import KIND
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import MARK, pack
from kontor_games.domain.statistics import beaten_share
from kontor_games.domain.toolkit.searching import read_weights
from tests.domain.games.speicherstadt.scenario import RULES, Scenario
from tests.support.chi_square import fits_evenly

WEIGHTS = read_weights("kontor_games.domain.games.speicherstadt.bots.searching", 2)
QUICK = GAME.all_bots["search:1"](RULES)
SEED = Seeded(seed_from("searching"))


def choice(state: Table, seat: int, bot: Any = QUICK, number: int = 0) -> Move:
    chosen = bot.choose(
        seat, Sight(RULES, state, seat), RULES.legal_moves(state, seat), SEED.draws("bot", number)
    )
    assert chosen is not None
    return chosen  # type: ignore[no-any-return]


def positions(seats: int, seed: str) -> list[tuple[Table, int]]:
    """Every position of a match between quick searching bots, with the seat to move."""
    state, chance = RULES.table(seats, SpeicherstadtOptions()), Seeded(seed_from(seed))
    RULES.deal(state, chance)
    found = []
    while waited := RULES.to_act(state):
        found.append((state.copy(), waited[0]))
        RULES.play(state, waited[0], choice(state, waited[0], number=len(found)), chance)
    return found


# --- what it knows ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_it_makes_the_same_move_in_worlds_that_it_cannot_tell_apart(seats: int) -> None:
    for number, (state, seat) in enumerate(positions(seats, "worlds")[::5]):
        twin = RULES.resample(state, seat, Seeded(seed_from(f"twin {number}")))
        assert choice(twin, seat) == choice(state, seat)


def test_resampling_draws_every_order_of_pile_and_bag_equally_often() -> None:
    state = RULES.table(2, SpeicherstadtOptions())
    RULES.deal(state, SEED)
    state.revealed, state.drawn = len(state.pile) - 4, len(state.bag) - 3
    *cards, last = state.unrevealed()
    worlds = {
        ((*pile, last), bag) for pile in permutations(cards) for bag in permutations(state.bag[state.drawn :])
    }
    drawn = Counter[Any]()
    for number in range(20 * len(worlds)):
        world = RULES.resample(state, 0, Seeded(seed_from(f"world {number}")))
        drawn[world.unrevealed(), world.bag[world.drawn :]] += 1
    assert len(worlds) > 6
    assert fits_evenly(drawn, worlds)


# --- the value ----------------------------------------------------------------------------------------------


def test_fires_to_come_are_worth_what_they_bring_when_no_fireman_can_come_any_more() -> None:
    scene = Scenario(3).owns(0, "fireman_a1").owns(1, "fireman_a2")
    scene.state.revealed = len(scene.state.pile) - 1
    assert Outlook(scene.state, WEIGHTS).fire_values((1, 2, 0)) == (0.0, 4.0, -4.0)


def test_while_firemen_can_come_a_small_lead_is_worth_less_than_a_large_one() -> None:
    outlook = Outlook(Scenario(2).state, WEIGHTS)
    small, large = outlook.fire_values((2, 1))[0], outlook.fire_values((9, 1))[0]
    assert 0 < small < large < 1 + 2 + 3 + 4
    assert outlook.fire_values((3, 3)) == (0.0, 0.0)
    assert [rise(-1e9) < 0.001, rise(0), rise(1e9) > 0.999] == [True, 0.5, True]


def test_coins_are_worth_less_near_the_end_and_then_only_break_ties() -> None:
    scene = Scenario(2).row("bank", "coffee_roaster", "warehouse")
    values = []
    for number in (1, 15, 16):
        scene.state.round = number
        values.append(Outlook(scene.state, WEIGHTS).coins(3))
    assert values[0] > values[1] > values[2] > 0
    assert values[2] < 0.1


def test_coins_that_can_hardly_be_spent_are_worth_less() -> None:
    outlook = Outlook(Scenario(2).state, WEIGHTS)
    assert outlook.coins(31) - outlook.coins(30) < outlook.coins(2) - outlook.coins(1)


@pytest.mark.parametrize(
    ("card", "least"), [("boatsmen_church", 3), ("st_michaelis", 4), ("coffee_roaster", 1), ("warehouse", 1)]
)
def test_a_card_is_worth_at_least_its_points(card: str, least: float) -> None:
    valuer = Valuer(Scenario(4).state, WEIGHTS)
    assert valuer.worth(0, (card,), 0) - valuer.worth(0, (), 0) >= least


def test_the_second_counting_office_is_worth_more_than_the_first() -> None:
    first = Valuer(Scenario(2).state, WEIGHTS)
    second = Valuer(Scenario(2).owns(0, "counting_office_a1").state, WEIGHTS)
    offices = ("counting_office_b1",)
    gains = [valuer.worth(0, offices, 0) - valuer.worth(0, (), 0) for valuer in (first, second)]
    assert gains[0] < gains[1]


# --- cubes --------------------------------------------------------------------------------------------------

PRICES = Prices(reach=(1.0, 0.5, 0.25, 0.125, 0.0625), waiting=1.0, coin=0.6, stored=1.2, kept=0.4)


def depot(*goods: str, contracts: Any = (), trades: int = 0, room: int = 0) -> Depot:
    return Depot(pack(goods), contracts, trades, room)


def test_cubes_without_use_are_kept_and_sold_in_pairs() -> None:
    assert best_worth(depot("tea"), 0, PRICES) == 0.4
    assert best_worth(depot("tea", "tea"), 0, PRICES) == 0.6
    assert best_worth(depot("tea", "tea", "coffee"), 0, PRICES) == 1.0
    assert best_worth(depot("tea", "tea", "coffee", room=4), 0, PRICES) == pytest.approx(3.6)


def test_a_contract_gets_its_cubes_and_the_rest_goes_to_the_merchant() -> None:
    tea = MARK["tea"]
    contracts = ((5, pack(("coffee", "tea"))),)
    assert best_worth(depot("coffee", "tea", "tea", contracts=contracts, trades=tea), 0, PRICES) == 5.6


def test_three_cubes_are_converted_into_the_good_that_completes_a_contract() -> None:
    rubber = MARK["rubber"]
    held = depot("tea", "tea", "tea", "tea", contracts=((8, pack(("rubber",))),))
    assert best_worth(held, 0, PRICES) == pytest.approx(4 + 1.2)
    assert best_worth(held, rubber, PRICES) == pytest.approx(8 + 0.4)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_loading_ends_after_few_steps_and_keeps_the_value_of_its_plan(seats: int) -> None:
    """It never takes out a cube, and each loading has at most as many steps as the seat has cubes."""
    loadings = Counter[tuple[int, int]]()
    for state, seat in positions(seats, "loading"):
        if state.phase == "loading":
            move = choice(state, seat)
            loadings[state.round, seat] += 1
            assert not isinstance(move, m.TakeOut)
            assert loadings[state.round, seat] <= 9
    assert loadings


def test_it_completes_a_contract_from_quay_and_market_hall() -> None:
    scene = Scenario(2).owns(0, "contract_b1").kept(0, "tea", "ship_b1")
    scene.owns(0, "ship_b2", cubes=("carpet",)).loading(0)
    steps: list[Move] = []
    while scene.state.phase == "loading" and len(steps) < 2:
        steps.append(choice(scene.state, 0))
        if len(steps) < 2:
            scene.when(0, steps[-1])
    assert {(step.good, step.origin) for step in steps if isinstance(step, m.PutOnContract)} == {
        ("tea", "market_hall"),
        ("carpet", "quay"),
    }


# --- demand and purchase ------------------------------------------------------------------------------------


def last_worker(coins: tuple[int, int] = (5, 5)) -> Scenario:
    """Seat 1 places the last worker; the church has a line of its own, the others are worth little."""
    scene = Scenario(2, first=0).row("coffee_roaster", "st_michaelis", "bank", number=16)
    scene.lines(coffee_roaster=[0, 1, 0], st_michaelis=[], bank=[1, 0])
    scene.state.placed -= 1
    scene.state.coins = [*coins]
    return scene


def test_the_last_worker_goes_to_the_card_that_is_worth_most() -> None:
    assert choice(last_worker().state, 1) == m.PlaceWorker("st_michaelis")


def test_a_line_whose_card_it_cannot_pay_for_is_not_joined() -> None:
    scene = last_worker(coins=(5, 0))
    game = RoundGame(RULES.steps.price, scene.state, WEIGHTS)
    joined = tuple((1,) if place == 1 else line for place, line in enumerate(scene.state.lines))
    assert game.sold(joined) == game.sold(tuple(scene.state.lines))


def test_it_buys_a_card_worth_more_than_its_price_and_declines_one_worth_less() -> None:
    for card, coins, expected in (("st_michaelis", 3, m.BUY), ("bank", 3, m.DECLINE)):
        scene = Scenario(2).row(card, "warehouse", "coffee_roaster", number=16).lines(**{card: [0]}).offered()
        scene.state.coins = [coins, coins]
        assert choice(scene.state, 0) == expected


def test_it_declines_when_the_next_worker_of_its_own_can_buy_more_cheaply() -> None:
    scene = (
        Scenario(2).row("st_michaelis", "warehouse", "coffee_roaster").lines(st_michaelis=[0, 0]).offered()
    )
    assert choice(scene.state, 0) == m.DECLINE


def test_a_demand_within_the_budget_is_solved_without_a_draw() -> None:
    class NoDraws:
        def below(self, bound: int) -> int:
            return 0 if bound == 1 << 64 else pytest.fail("it drew")

        def shuffled(self, items: Any) -> Any:
            return pytest.fail("it drew")

    state = RULES.table(2, SpeicherstadtOptions())
    RULES.deal(state, SEED)
    bot = GAME.all_bots["search:3"](RULES)
    chosen = bot.choose(0, Sight(RULES, state, 0), RULES.legal_moves(state, state.first), NoDraws())
    assert isinstance(chosen, m.PlaceWorker)


def test_larger_purchases_follow_a_policy() -> None:
    scene = Scenario(3).row("st_michaelis", "warehouse", "coffee_roaster", "bank", number=1)
    state = scene.state
    game = RoundGame(RULES.steps.price, state, WEIGHTS)
    alone, twice = (game.sold((((0,) * workers), (), (), ()))[0] for workers in (1, 2))
    assert alone == twice, "with two workers in line it waits until the card costs one coin"
    assert game.sold(((1, 0), (), (), ()))[1] < game.sold(((1,), (), (), ()))[1], "a rival raises the price"


# --- strength -----------------------------------------------------------------------------------------------


def share_beaten(bot: str, rival: str, seats: int, deals: int) -> float:
    """The share of opponents that a bot beats, each deal once from every seat."""
    total = 0.0
    for number in range(deals * seats):
        names = [rival] * seats
        names[number % seats] = bot
        players = [GAME.all_bots[name](RULES) for name in names]
        chance = Seeded(seed_from(f"strength/{number // seats}"))
        state = RULES.table(seats, SpeicherstadtOptions())
        RULES.deal(state, chance)
        asked = 0
        while waited := RULES.to_act(state):
            legal, draws = RULES.legal_moves(state, waited[0]), chance.draws(f"bot-{waited[0]}", asked)
            move = players[waited[0]].choose(waited[0], Sight(RULES, state, waited[0]), legal, draws)
            assert move in legal
            RULES.play(state, waited[0], move, chance)
            asked += 1
        total += beaten_share(state.places, number % seats)
    return total / (deals * seats)


@pytest.mark.slow
@pytest.mark.untraced
@pytest.mark.parametrize(("seats", "deals"), [(2, 20), (4, 4)])
def test_it_beats_the_greedy_bot(seats: int, deals: int) -> None:
    assert share_beaten("search:2", "greedy", seats, deals) > 0.6


def test_every_fire_card_has_its_kind_in_the_outlook() -> None:
    state = Scenario(2).state
    assert len(Outlook(state, WEIGHTS).fires) == sum(KIND[card] == "fire" for card in state.unrevealed()) == 4
