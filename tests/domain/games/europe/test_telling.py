"""Each fact as a sentence, for those who may know it."""

from typing import Any

import pytest
from click.testing import CliRunner

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.game import Fact
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.data.components import Cards, Terms
from kontor_games.domain.games.europe.facts import (
    buying,
    caravans,
    delivery,
    development_cards,
    ending,
    merchants,
    production,
    robber,
    routes,
    set_up,
    tokens,
    trade,
    turn,
)
from kontor_games.domain.games.europe.options import EuropeOptions
from kontor_games.domain.games.europe.text import MESSAGES
from kontor_games.domain.games.europe.text.phrases import cards
from kontor_games.domain.games.europe.text.sentences import MORE, SILENT
from kontor_games.service.cli import main

NAMES = ("Ada", "Bela", "Caro", "Klaus")
RULES = GAME.rules("expert")
ORE_LUMBER = Cards(ore=1, lumber=1)


@pytest.fixture
def state() -> Any:
    """The fixed set-up of the expert board: every city is where the sheet's examples are."""
    table = RULES.table(4, EuropeOptions(set_up="fixed"))
    RULES.deal(table, Seeded(seed_from("telling")))
    return table


def sentence_of(state: Any, fact: Fact, viewer: int = SPECTATOR) -> str:
    return RULES.tell(state, fact, viewer, NAMES)


SENTENCES: list[tuple[Fact, str]] = [
    (
        set_up.StartRolled(
            (set_up.StartRoll(0, (3, 4)), set_up.StartRoll(1, (6, 6)), set_up.StartRoll(2, (1, 2)))
        ),
        "They roll for the first turn: Ada 7, Bela 12 and Caro 3.",
    ),
    (set_up.FirstPlayerFound(1), "Bela begins."),
    (
        set_up.NeutralPostsPlaced(("bern", "turin", "prague")),
        "Neutral posts stand in Bern, Turin and Prague.",
    ),
    (set_up.PlacementOpened(0, "post"), ""),
    (set_up.StartPostPlaced(0, "lubeck"), "Ada opens a post in Lübeck."),
    (set_up.StartCardsTaken(0, Cards(salt=1, lumber=1)), "Ada takes 1 lumber and 1 salt."),
    (set_up.NeutralPostPlaced(2, "bern"), "Caro puts a neutral post in Bern."),
    (
        set_up.StartRoutePlaced(0, "8,4SW"),
        "Ada lays a first route between Cologne and Brussels, with a caravan on it.",
    ),
    (turn.TurnBegan(3, 12), "Turn 12: Klaus."),
    (production.DiceRolled(0, (3, 5)), "Ada rolls 8 (3 and 5)."),
    (
        production.ResourcesProduced(
            (production.Gain(0, Cards(ore=2)), production.Gain(1, Cards(ore=1, wool=1))), (2, 3), ()
        ),
        "Ada gets 2 ore; Bela gets 1 wool and 1 ore; Caro and Klaus get 1 gold each.",
    ),
    (
        production.ResourcesProduced((), (2,), ("salt", "ore")),
        "Caro gets 1 gold; there is too little salt and ore for all, so nobody gets any.",
    ),
    (
        robber.RobberWoken((0, 4, 0, 1)),
        "The robber wakes. To be given back: Bela four cards and Klaus one card.",
    ),
    (robber.RobberWoken((0, 0, 0, 0)), "The robber wakes. Nobody holds too many cards."),
    (robber.CardsDiscarded(1, Cards(grain=3, salt=1)), "Bela gives back 3 grain and 1 salt."),
    (
        robber.RobberMoved(0, "8,5", (1,)),
        "Ada sends the robber to the field between Cologne and Nuremberg (5).",
    ),
    (robber.TheftForgone(0), "Ada steals nothing."),
    (turn.TurnEnded(0), ""),
    (ending.GameEnded("delivered", (2, 1, 3, 4)), "Bela has delivered all eight goods and wins."),
    (
        ending.GameEnded("turn_limit", (1, 1, 3, 4)),
        "That was the last of 500 turns: Ada and Bela share the win.",
    ),
    (ending.GameEnded("turn_limit", (2, 1, 3, 4)), "That was the last of 500 turns: Bela wins."),
    (buying.ResourceBought(0, "ore", 2), "Ada buys 1 ore for 2 gold."),
    (buying.SupplyTraded(0, "wool", 3, "gold"), "Ada gives 3 wool to the supply for 1 gold."),
    (buying.PileRenewed(20), "The 20 played cards are shuffled into a new pile."),
    (merchants.MerchantHired(0, 0, "prague", Cards(wool=1)), "Ada hires a merchant in Prague."),
    (
        caravans.CaravanFormed(0, 0, "8,4SW", Cards(ore=1)),
        "Ada forms a caravan between Cologne and Brussels.",
    ),
    (
        routes.RouteBuilt(0, "8,4SW", "paid", ORE_LUMBER, False),
        "Ada builds a route between Cologne and Brussels.",
    ),
    (
        routes.RouteBuilt(0, "12,2SW", "safe_conduct", Cards(), True),
        "Ada builds a route between Riga and Kaliningrad under safe conduct; "
        "its double arrow brings another one.",
    ),
    (
        routes.RouteBuilt(3, "7,4SE", "double_arrow", Cards(), False),
        "Klaus builds a route between Brussels and Paris free of charge, thanks to the double arrow.",
    ),
    (
        routes.ChainsTied(0, ("bern",), (("8,4SW",), ("7,4SE",))),
        "Two chains are equally short; Ada picks the one that pays.",
    ),
    (
        routes.ConnectionPaid(("turin", "venice"), ("8,4SW", "7,4SE"), (1, 2, 0, 0)),
        "Turin and Venice are no longer isolated: 1 gold for Ada and 2 gold for Bela.",
    ),
    (
        routes.ConnectionPaid(("bern",), ("8,4SW",), (0, 0, 0, 1)),
        "Bern is no longer isolated: 1 gold for Klaus.",
    ),
    (routes.RouteForgone(0, "double_arrow"), "Ada gives up the free route."),
    (
        merchants.MerchantMoved(3, 0, ("11,3S", "11,3N"), 1),
        "Klaus' merchant goes to Kaliningrad for 1 grain.",
    ),
    (
        merchants.MerchantMoved(0, 0, ("10,4N",), 0),
        "Ada's merchant goes to the crossroads between Wroclaw and Kaliningrad.",
    ),
    (
        merchants.PostFounded(0, 0, "belgrade", 0, ("9,7",)),
        "Ada founds a post in Belgrade, and another good is free.",
    ),
    (
        merchants.PostFounded(0, 0, "naples", 2, ()),
        "Ada founds a post in Naples, and another good is free; the coast pays 2 gold.",
    ),
    (
        tokens.TokenPlaced(0, "12,2", 11),
        "An 11 comes from the sea to the salt works between Kaliningrad and Riga.",
    ),
    (
        tokens.TokenShifted(0, "7,8", "10,7", 9),
        "Ada moves the 9 from the mountain between Pisa and Naples to the mountain of Belgrade.",
    ),
    (tokens.HexLeftEmpty(0), "Ada moves no number token."),
    (
        caravans.CaravanMoved(0, 0, ("6,6E", "7,4SE", "8,4SW"), 1, (2,), 0, False),
        "Ada's caravan goes three routes on for 1 salt and 1 gold toll to Caro; "
        "it stands between Cologne and Brussels.",
    ),
    (
        caravans.CaravanMoved(0, 0, ("8,4SW",), 0, (), 4, True),
        "Ada's caravan goes one route on; it stands between Cologne and Brussels.",
    ),
    (caravans.StepsLapsed(0, 0, 2), ""),
    (development_cards.SafeConductPlayed(0, 2), "Ada plays a safe conduct for two free routes."),
    (development_cards.TreatyPlayed(0, 3), "Ada plays a trade treaty and takes 3 gold."),
    (development_cards.TreatyPlayed(0, 0), "Ada plays a trade treaty and sends a merchant on its way."),
    (development_cards.LancerPlayed(0, 2), "Ada plays a lancer and takes 2 gold."),
    (
        development_cards.BribePlayed(0, 1, 5),
        "Ada plays a bribe: a caravan may go five routes free of charge.",
    ),
    (
        trade.OfferMade(1, 0, (1, 2, 3), Terms(wool=2), Terms(gold=1, ore=1), None),
        "Ada offers: 2 wool for 1 ore and 1 gold.",
    ),
    (
        trade.OfferMade(1, 0, (1, 3), Terms(wool=2), Terms(ore=1), None),
        "Ada offers to Bela and Klaus: 2 wool for 1 ore.",
    ),
    (
        trade.OfferMade(2, 1, (0,), Terms(ore=1), Terms(wool=3), 1),
        "Bela offers instead to Ada: 1 ore for 3 wool.",
    ),
    (trade.OfferDeclined(1, 2), "Caro declines."),
    (trade.OfferWithdrawn(1, 0), "Ada takes the offer back."),
    (trade.OffersLapsed((4,)), "An offer has lapsed."),
    (trade.OffersLapsed((4, 5)), "Two offers have lapsed."),
    (trade.TradeMade(1, 0, 2, Terms(wool=2), Terms(ore=1)), "Caro accepts: 2 wool from Ada for 1 ore."),
]


@pytest.mark.parametrize(
    ("fact", "sentence"), SENTENCES, ids=[f"{fact.type}-{i}" for i, (fact, _) in enumerate(SENTENCES)]
)
def test_the_sentence_about_a_fact_is_right(state: Any, fact: Fact, sentence: str) -> None:
    assert sentence_of(state, fact) == sentence


def test_every_fact_has_its_sentence() -> None:
    """Each kind of fact is tested in this file, in the list above or separately, except silent ones."""
    known = set(RULES.facts)
    elsewhere = {set_up.ColourPlaced, robber.CardStolen, buying.CardBought, delivery.GoodDelivered}
    assert known - {type(fact) for fact, _ in SENTENCES} == elsewhere
    assert {fact for fact in known if f"facts.{fact.type}" in MESSAGES["en"].texts} == known - {*SILENT}
    assert known - {*SILENT} >= MORE.keys()


@pytest.mark.parametrize("viewer", [0, 1, ARBITER])
def test_thief_and_victim_read_what_was_stolen(state: Any, viewer: int) -> None:
    assert sentence_of(state, robber.CardStolen(0, 1, "ore"), viewer) == "Ada steals 1 ore from Bela."


@pytest.mark.parametrize("viewer", [2, 3, SPECTATOR])
def test_others_read_only_that_something_was_stolen(state: Any, viewer: int) -> None:
    assert sentence_of(state, robber.CardStolen(0, 1, "ore"), viewer) == "Ada steals a card from Bela."


@pytest.mark.parametrize(
    ("viewer", "sentence"),
    [
        (0, "Ada buys a development card: a safe conduct."),
        (ARBITER, "Ada buys a development card: a safe conduct."),
        (1, "Ada buys a development card."),
        (SPECTATOR, "Ada buys a development card."),
    ],
)
def test_only_the_buyer_reads_which_card_it_was(state: Any, viewer: int, sentence: str) -> None:
    assert sentence_of(state, buying.CardBought(0, Cards(wool=1, salt=1), "safe_conduct"), viewer) == sentence


def test_a_delivery_says_whose_post_it_was_and_how_many_there_are_by_now(state: Any) -> None:
    owner = state.post[RULES.board.city_index["bern"]]  # type: ignore[attr-defined]
    seat = (owner + 1) % 4
    fact = delivery.GoodDelivered(seat, "bern")
    fact.fold(state)
    assert (
        sentence_of(state, fact) == f"{NAMES[seat]} delivers a good to "
        f"{NAMES[owner]}{chr(39) if NAMES[owner] == 'Klaus' else chr(39) + 's'} post in Bern: 1 of 8."
    )


def test_a_delivery_to_a_neutral_post_says_so() -> None:
    table = RULES.table(3, EuropeOptions(set_up="fixed"))
    RULES.deal(table, Seeded(seed_from("three")))
    neutral = GAME.data_set("expert").document["fixed"]["orange"]["posts"][0]
    fact = delivery.GoodDelivered(0, neutral)
    fact.fold(table)
    assert "to the neutral post in" in RULES.tell(table, fact, SPECTATOR, NAMES)


def test_the_set_up_of_a_colour_has_its_sentence(state: Any) -> None:
    fact = set_up.ColourPlaced(0, ("bern", "turin", "prague"), "6,6E", Cards(lumber=1, grain=1, salt=1))
    assert sentence_of(state, fact) == (
        "Ada plays red: posts in Bern, Turin and Prague, a route with a caravan between Bern and Lyon, "
        "and 1 lumber, 1 grain and 1 salt in hand."
    )


def test_the_table_shows_each_player_and_hides_what_is_hidden(state: Any) -> None:
    buying.CardBought(state.active, Cards(), "bribe").fold(state)
    for viewer in (0, 1, 2, 3, SPECTATOR):
        lines = RULES.scene(state, viewer, NAMES).splitlines()
        for seat, name in enumerate(NAMES):
            head = next(line for line in lines if line[2:].startswith(f"{name} ("))
            assert ("three resources" in head) == (seat != viewer)
            assert ("bribe" in head) == (seat == viewer == state.active)
            assert ("one development card" in head) == (seat != viewer and seat == state.active)
            assert "0 of 8 goods delivered, 1 free · 3 gold" in head
    everything = RULES.scene(state, ARBITER, NAMES)
    assert "bribe" in everything
    assert "resources" not in everything


def test_the_table_shows_posts_pieces_robber_and_supply(state: Any) -> None:
    scene = RULES.scene(state, SPECTATOR, NAMES)
    for colour in ("red", "blue", "white", "orange"):
        start = GAME.data_set("expert").document["fixed"][colour]
        assert all(GAME.words["en"][city] in scene for city in start["posts"])
    assert scene.count("caravan between") == 4
    assert "robber on the forest at the rim · supply" in scene
    assert "pile 25 cards" in scene


def test_a_post_that_holds_a_good_is_marked(state: Any) -> None:
    delivery.GoodDelivered(0, "bern").fold(state)
    assert "Bern•" in RULES.scene(state, SPECTATOR, NAMES)


def test_the_parts_of_sentences() -> None:
    show = MESSAGES["en"].show
    assert [show(cards(Cards())), show(cards(Terms(gold=2, ore=1)))] == ["nothing", "1 ore and 2 gold"]


def test_a_players_sentence_has_their_mark_even_after_a_fact_without_a_sentence() -> None:
    watched = (
        CliRunner(env={"COLUMNS": "160"}).invoke(main, ["watch", "europe", "--seed", "2"]).stdout.splitlines()
    )
    bought = [line for line in watched if " buys 1 " in line]
    assert any("delivers a good" in watched[watched.index(line) - 1] for line in bought), (
        "its caravan had steps left"
    )
    assert all(line.startswith("● ") for line in bought)
