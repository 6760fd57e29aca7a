"""Every fact as a sentence, and the table as a few lines."""

from dataclasses import replace

import pytest

from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.game import Fact
from kontor_games.domain.games.speicherstadt.facts import FACTS
from kontor_games.domain.games.speicherstadt.facts.demand import WorkerPlaced
from kontor_games.domain.games.speicherstadt.facts.ending import GameEnded
from kontor_games.domain.games.speicherstadt.facts.income import IncomePaid, MetalCoinPassed
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
from kontor_games.domain.games.speicherstadt.facts.purchase import (
    BuyerPassedOver,
    CardBought,
    CardDeclined,
    CardDiscarded,
    CardOffered,
)
from kontor_games.domain.games.speicherstadt.facts.set_up import BagFilled, FirstPlayerChosen, PileStacked
from kontor_games.domain.games.speicherstadt.facts.supply import CardsRevealed, FireFought, RoundBegun
from kontor_games.domain.games.speicherstadt.moves import PlaceWorker
from kontor_games.domain.games.speicherstadt.options import SpeicherstadtOptions
from kontor_games.domain.games.speicherstadt.state import Score
from kontor_games.domain.games.speicherstadt.text import MESSAGES
from kontor_games.domain.games.speicherstadt.text.phrases import goods
from tests.domain.games.speicherstadt.playing import fast_picks, random_match
from tests.domain.games.speicherstadt.scenario import NAMES, RULES, Cubes, Scenario

TEA_SHIP: dict[str, Cubes] = {"ship_b1": ["tea", "tea", "coffee"]}


def tell(scenario: Scenario, fact: Fact) -> str:
    """Fold the fact and return its sentence."""
    scenario.given(fact)
    return RULES.tell(scenario.state, fact, SPECTATOR, NAMES[: scenario.state.seats])


def two_ships() -> Scenario:
    return Scenario(3).row(
        "ship_b1", "ship_b2", "bank", "st_michaelis", cubes={**TEA_SHIP, "ship_b2": ["carpet"] * 3}
    )


def test_the_set_up_has_its_sentences() -> None:
    assert (
        tell(Scenario(), FirstPlayerChosen(1, True)) == "Bruno holds the metal coin and goes first, by lot."
    )
    assert (
        tell(Scenario(), FirstPlayerChosen(1, False))
        == "Bruno holds the metal coin and goes first, as agreed."
    )
    assert tell(Scenario(), BagFilled(())) == "All 45 cubes go into the bag, nine of each good."
    state = RULES.table(4, SpeicherstadtOptions())
    stacked = random_match(4, "pile", fast_picks(1)).__next__().facts[1]
    assert isinstance(stacked, PileStacked)
    stacked.fold(state)
    assert RULES.tell(state, stacked, SPECTATOR, NAMES) == "The pile is stacked, winter on top: 54 cards."
    removed = replace(stacked, removed=("port", "fireman_d1"), pile=stacked.pile[2:])
    assert (
        tell(Scenario(), removed) == "The pile is stacked, winter on top: 52 cards; "
        "the port and the fireman of value 3 stay in the box."
    )


def test_supply_and_rounds_have_their_sentences() -> None:
    assert tell(Scenario(3, first=2), RoundBegun(4)) == "Round 4 begins, and Clara is first player."
    shown = CardsRevealed(
        ("ship_b1", "bank", "counting_office_a1", "st_michaelis"), (("tea", "coffee", "tea"), (), (), ())
    )
    assert (
        tell(Scenario(3), shown)
        == "Into the row come a ship with 2 tea and coffee, the bank, a counting office and St. Michaelis."
    )
    assert (
        tell(Scenario(), CardsRevealed(("contract_b1",), ((),)))
        == "Into the row comes a contract for tea and carpet."
    )


def test_the_last_round_is_announced() -> None:
    """S-30."""
    scenario = Scenario()
    scenario.state.revealed = len(scenario.state.pile) - 2
    told = tell(scenario, CardsRevealed(("bank",), ((),)))
    assert (
        told == "Into the row comes the bank. Only the last fire is left in the pile: this is the last round."
    )


def test_fires_have_their_sentences() -> None:
    """S-12."""
    assert tell(Scenario(4), FireFought("fire_2", (3, 3, 1, 0), (2, 2, 0, -2))) == (
        "Fire, the second! Firemen worth 3 bring Anna and Bruno 2 points; "
        "Detlev, with no fireman, loses 2 points; Clara stays unharmed."
    )
    assert tell(Scenario(3), FireFought("fire_1", (4, 2, 2), (1, -1, -1))) == (
        "Fire, the first! Firemen worth 4 bring Anna 1 point; "
        "Bruno and Clara, with firemen worth 2, lose 1 point."
    )
    assert tell(Scenario(2), FireFought("fire_4", (0, 0), (0, 0))) == (
        "Fire, the fourth! Everybody's firemen are equal, so nobody gains and nobody loses."
    )


def test_workers_have_their_sentences() -> None:
    scenario = two_ships()
    assert tell(scenario, WorkerPlaced(0, "bank")) == "Anna opens the line for the bank."
    assert tell(scenario, WorkerPlaced(1, "bank")) == "Bruno puts a worker on the bank, second in line."
    assert tell(scenario, WorkerPlaced(0, "bank")) == "Anna puts another worker on the bank, third in line."
    assert tell(scenario, WorkerPlaced(0, "st_michaelis")) == "Anna opens the line for St. Michaelis."


def test_one_of_several_ships_is_named_by_its_cargo() -> None:
    scenario = two_ships()
    assert (
        tell(scenario, WorkerPlaced(2, "ship_b1"))
        == "Clara opens the line for the ship with coffee and 2 tea."
    )
    assert (
        tell(scenario, CardOffered(2, "ship_b1", 1))
        == "Clara may have the ship with coffee and 2 tea for 1 coin."
    )
    assert tell(scenario, CardBought(2, "ship_b1", 1, ("tea", "tea", "coffee"))) == (
        "Clara buys the ship for 1 coin; 2 tea and coffee land on the quay."
    )
    assert tell(scenario, WorkerPlaced(2, "ship_b2")) == "Clara opens the line for the ship."


def test_the_purchase_has_its_sentences() -> None:
    scenario = two_ships().lines(ship_b1=[0, 1, 2], ship_b2=[0])
    assert tell(scenario, CardDeclined(0, "ship_b1", 3)) == "Anna lets the ship with coffee and 2 tea go."
    scenario.state.coins = [5, 1, 0]
    assert tell(scenario, BuyerPassedOver(1, "ship_b1", 2)) == (
        "Bruno has 1 coin, too little for the ship with coffee and 2 tea at 2, and is passed over."
    )
    assert tell(scenario, BuyerPassedOver(2, "ship_b1", 1)) == (
        "Clara has no coin, too little for the ship with coffee and 2 tea at 1, and is passed over."
    )
    assert (
        tell(scenario, CardDiscarded("ship_b1", ("coffee", "tea", "tea")))
        == "Nobody takes the ship; coffee and 2 tea go to the stock."
    )
    assert tell(scenario, CardBought(0, "bank", 2, ())) == "Anna buys the bank for 2 coins."
    assert tell(scenario, CardDiscarded("bank", ())) == "Nobody takes the bank."


def test_loading_has_its_sentences() -> None:
    scenario = Scenario(3)
    assert tell(scenario, LoadingBegun((2,))) == "Loading: Clara alone has cubes."
    assert tell(scenario, LoadingBegun((2, 0, 1))) == "Loading: first Clara, then Anna, then Bruno."
    assert (
        tell(Scenario(3, simultaneous=True), LoadingBegun((2, 0, 1)))
        == "Loading: Clara, Anna and Bruno, all at once."
    )


@pytest.fixture
def loading() -> Scenario:
    scenario = (
        Scenario(2)
        .owns(0, "warehouse", "contract_b1")
        .owns(0, "ship_b1", "ship_b2", cubes=["tea", "tea", "carpet"])
    )
    return scenario.stock(["saffron"] * 3, "ship_b3").loading(0)


def test_each_loading_step_has_its_sentence(loading: Scenario) -> None:
    assert (
        tell(loading, CubeDelivered(0, "contract_b1", "tea", "quay"))
        == "Anna puts tea on the contract for tea and carpet; carpet still to come."
    )
    assert tell(loading, CubeStored(0, "tea", "quay")) == "Anna stores tea in the warehouse, now 1 of 4."
    assert tell(loading, CubeKept(0, "carpet", "quay")) == "Anna keeps carpet in the market hall."
    assert (
        tell(loading, CubeTakenOut(0, "tea", "warehouse"))
        == "Anna takes tea from the warehouse back to the quay."
    )
    assert tell(loading, CubeDelivered(0, "contract_b1", "carpet", "market_hall")) == (
        "Anna puts carpet from the market hall on the contract for tea and carpet and completes it: 5 points!"
    )
    assert tell(loading, CubeSold(0, "tea", "quay")) == "Anna sells tea to the tea taster for 1 coin."
    assert tell(loading, CubesConverted(0, ("tea", "tea", "carpet"), ("quay",) * 3, "saffron")) == (
        "Anna changes 2 tea and carpet for saffron in the market hall."
    )
    assert (
        tell(loading, TwoCubesSold(0, ("saffron", "saffron"), ("quay", "quay")))
        == "Anna sells 2 saffron in the market hall for 1 coin."
    )


def test_the_end_of_loading_has_its_sentences(loading: Scenario) -> None:
    assert tell(loading, LoadingFinished(0, "done")) == "Anna leaves all cubes where they are."
    loading.state.steps[0] = 200
    assert tell(loading, LoadingFinished(0, "done")) == "Anna has finished loading."
    assert tell(loading, LoadingFinished(0, "no_cubes")) == "Anna has no cube left to load."
    assert (
        tell(loading, LoadingFinished(0, "step_limit")) == "Anna has made 200 steps, and no more are allowed."
    )
    assert tell(loading, CubesLost(0, ("tea", "tea"))) == "Left on the quay by Anna and lost: 2 tea."


def test_income_has_its_sentences() -> None:
    assert tell(Scenario(2), IncomePaid((1, 1), (), None)) == "Income: 1 coin each."
    assert tell(Scenario(3), IncomePaid((2, 2, 2), (0, 1), 2)) == (
        "Income: 1 coin each; 1 more for Anna and Bruno, who bought nothing; 1 more for Clara from the bank."
    )
    assert tell(Scenario(3), MetalCoinPassed(2)) == "The metal coin goes to Clara."


def ended(totals: tuple[int, ...], coins: tuple[int, ...], places: tuple[int, ...]) -> GameEnded:
    return GameEnded(tuple(Score(0, total, 0, 0, 0, 0, 0, 0, total) for total in totals), coins, places)


def test_the_end_has_its_sentences() -> None:
    assert tell(Scenario(3), ended((7, 12, 9), (0, 1, 2), (3, 1, 2))) == (
        "The game is over: Bruno wins with 12 points, before Clara (9) and Anna (7)."
    )
    assert (
        tell(Scenario(2), ended((7, 7), (4, 1), (1, 2)))
        == "The game is over: Anna wins with 7 points and more coins (4), before Bruno (7)."
    )
    assert tell(Scenario(3), ended((7, 7, 1), (4, 4, 0), (1, 1, 3))) == (
        "The game is over: Anna and Bruno share the win with 7 points, before Clara (1)."
    )
    assert (
        tell(Scenario(2), ended((7, 7), (4, 4), (1, 1)))
        == "The game is over: Anna and Bruno share the win with 7 points."
    )


def test_there_is_a_sentence_for_every_fact_of_whole_matches() -> None:
    told = set()
    for seed in range(6):
        followed = RULES.table(4, SpeicherstadtOptions())
        for played in random_match(4, f"told {seed}", fast_picks(seed)):
            for fact in played.facts:
                fact.fold(followed)
                sentence = RULES.tell(followed, fact, SPECTATOR, NAMES[:4])
                assert sentence[0].isupper()
                assert sentence[-1] in ".!"
                assert "  " not in sentence
                assert "_" not in sentence
                told.add(type(fact))
    assert told == set(FACTS)


def test_the_scene_shows_players_row_pile_bag_and_stock() -> None:
    scenario = Scenario(2, first=1).owns(
        0,
        "contract_a2",
        "fireman_a2",
        "counting_office_a1",
        "tea_taster",
        "st_michaelis",
        "warehouse",
        price=0,
    )
    scenario.stored(0, ["tea", "tea"], "ship_b2").kept(0, "rubber", "ship_b3").owns(
        0, "ship_b4", cubes=["coffee", "saffron"]
    )
    scenario.given(CubeDelivered(0, "contract_a2", "coffee", "quay")).stock(["carpet"], "ship_b5")
    scenario.row("ship_b1", "bank", cubes=TEA_SHIP).lines(ship_b1=[1, 0])
    pile = len(scenario.state.unrevealed())
    assert RULES.scene(scenario.state, SPECTATOR, NAMES[:2]).splitlines() == [
        "  Anna   5 coins, 9 points · contract coffee+[tea]+[saffron] · firemen 2 · offices 1 · ships 3 · "
        "tea taster · St. Michaelis · warehouse (2 tea) · market hall (rubber) · quay (saffron)",
        "◆ Bruno  5 coins, 0 points",
        "  1. a ship with coffee and 2 tea  ← Bruno Anna",
        "  2. the bank",
        f"pile {pile} · bag {45 - scenario.state.drawn} · stock carpet",
    ]


def test_goods_are_counted_in_words() -> None:
    show = MESSAGES["en"].show
    assert show(goods(("tea",))) == "tea"
    assert show(goods(("tea", "coffee", "tea"))) == "2 tea and coffee"


def test_a_repr_is_one_short_line() -> None:
    """Secrets of the pile and the bag are not in it: S-9."""
    scenario = Scenario(2).row("bank", "port", "warehouse")
    assert repr(scenario.state) == "<Table: round 1, demand, row bank port warehouse, coins [5, 5]>"
    assert repr(RULES) == "<Speicherstadt version 1 with standard>"
    assert repr(RULES.move_rules[PlaceWorker]) == "<PlaceWorkerRule>"
    assert repr(PlaceWorker("bank")) == "PlaceWorker(card='bank')"
    for played in random_match(5, "printed", fast_picks(3)):
        for printed in map(repr, [played.state, played.move, *played.facts]):
            assert "\n" not in printed
            assert len(printed) < 600
        for fact in played.facts[1:3] if played.move is None else ():
            assert len(repr(fact)) < 80
