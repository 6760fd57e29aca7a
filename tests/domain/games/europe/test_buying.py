"""Purchases from the supply: E-31, E-32, the card of E-40, E-64."""

import pytest

from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.game import WrongPhaseError
from kontor_games.domain.games.europe.data.components import Cards
from kontor_games.domain.games.europe.facts.buying import (
    CardBought,
    PileRenewed,
    ResourceBought,
    SupplyTraded,
)
from kontor_games.domain.games.europe.moves import (
    BuyCard,
    BuyResource,
    EndTurn,
    RollDice,
    TradeWithSupply,
)
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    OncePerTurnError,
    SameKindError,
    SupplyEmptyError,
)
from tests.domain.games.europe.small import Small


def test_e31_two_gold_buy_a_resource() -> None:
    game = Small().rolled().gold(0, 5)
    assert game.play(0, BuyResource("ore")) == [ResourceBought(0, "ore", 2)]
    assert game.state.gold[0] == 3
    assert game.hand(0) == {"lumber": 1, "grain": 1, "salt": 1, "ore": 1}
    assert game.state.supply == [17, 17, 16, 16, 16]


def test_e31_at_most_twice_a_turn() -> None:
    game = Small().rolled().gold(0, 9)
    game.play(0, BuyResource("ore"))
    game.play(0, BuyResource("ore"))
    refusal = game.refuse(0, BuyResource("ore"))
    assert (type(refusal), refusal.rule) == (OncePerTurnError, "E-31")
    game.play(0, EndTurn())
    game.play(1, RollDice(), dice=[5, 5])
    assert game.legal(BuyResource, 1)


def test_e31_not_without_gold_and_not_before_the_roll() -> None:
    game = Small()
    assert type(game.refuse(0, BuyResource("ore"))) is WrongPhaseError
    assert type(game.rolled().gold(0, 1).refuse(0, BuyResource("ore"))) is CannotPayError


def test_e32_three_alike_for_another_resource_or_for_gold() -> None:
    game = Small().give(0, wool=6).rolled().gold(0, 0)
    assert game.play(0, TradeWithSupply("wool", "ore")) == [SupplyTraded(0, "wool", 3, "ore")]
    assert game.play(0, TradeWithSupply("wool", "gold")) == [SupplyTraded(0, "wool", 3, "gold")]
    assert game.hand(0) == {"lumber": 1, "grain": 1, "salt": 1, "ore": 1}
    assert game.state.gold[0] == 1


def test_e32_all_offers_of_the_supply_are_listed() -> None:
    game = Small().empty(0).give(0, wool=3).rolled().gold(0, 2)
    others = ["lumber", "grain", "ore", "salt", "gold"]
    assert game.legal(TradeWithSupply) == [TradeWithSupply("wool", take) for take in others]  # type: ignore[arg-type]
    assert [move.resource for move in game.legal(BuyResource)] == ["lumber", "wool", "grain", "ore", "salt"]


def test_e32_not_for_the_same_and_not_with_fewer_than_three() -> None:
    game = Small().empty(0).give(0, wool=3, ore=2).rolled()
    assert type(game.refuse(0, TradeWithSupply("wool", "wool"))) is SameKindError
    assert type(game.refuse(0, TradeWithSupply("ore", "wool"))) is CannotPayError


def test_e32_only_while_the_supply_holds_the_wanted_card() -> None:
    game = Small().empty(0).give(0, wool=3).give(3, ore=17).rolled().gold(0, 2)
    assert game.state.supply[3] == 0
    for move in (TradeWithSupply("wool", "ore"), BuyResource("ore")):
        refusal = game.refuse(0, move)
        assert (type(refusal), refusal.rule) == (SupplyEmptyError, "E-32")
    assert [move.take for move in game.legal(TradeWithSupply)] == ["lumber", "grain", "salt", "gold"]
    assert [move.resource for move in game.legal(BuyResource)] == ["lumber", "wool", "grain", "salt"]


def test_e40_a_development_card_costs_wool_and_salt() -> None:
    game = Small().give(0, wool=1).rolled()
    assert game.play(0, BuyCard(), deck=[12]) == [CardBought(0, Cards(wool=1, salt=1), "safe_conduct")]
    assert game.hand(0) == {"lumber": 1, "grain": 1}
    assert game.state.pile == [10, 4, 5, 5]


@pytest.mark.parametrize(
    ("draw", "card"),
    [(0, "lancer"), (9, "lancer"), (10, "safe_conduct"), (15, "trade_treaty"), (24, "bribe")],
)
def test_e40_every_card_of_the_pile_is_equally_likely(draw: int, card: str) -> None:
    game = Small().give(0, wool=1).rolled()
    assert game.play(0, BuyCard(), deck=[draw])[0] == CardBought(0, Cards(wool=1, salt=1), card)  # type: ignore[arg-type]


def test_e40_at_most_one_card_a_turn() -> None:
    game = Small().give(0, wool=2, salt=2).rolled()
    game.play(0, BuyCard())
    assert type(game.refuse(0, BuyCard())) is OncePerTurnError
    assert not game.legal(BuyCard)


def test_e40_not_without_wool_and_salt() -> None:
    game = Small().rolled()
    assert type(game.refuse(0, BuyCard())) is CannotPayError


def test_e25_only_the_buyer_sees_the_card() -> None:
    game = Small().give(0, wool=1).rolled()
    (bought,) = game.play(0, BuyCard(), deck=[0])
    assert game.rules.fact_codec.redacted(bought, 0)["card"] == "lancer"
    for viewer in (1, 2, 3, SPECTATOR):
        assert "card" not in game.rules.fact_codec.redacted(bought, viewer)
    assert game.rules.view(game.state, 0)["players"][0]["new_card"] == "lancer"
    assert game.rules.view(game.state, 1)["players"][0]["card_count"] == 1


def test_e64_an_empty_pile_is_renewed_from_the_played_cards() -> None:
    game = Small().give(0, wool=1).rolled()
    game.state.pile, game.state.discarded = [0, 0, 0, 0], [2, 0, 1, 0]
    assert game.play(0, BuyCard(), deck=[2]) == [
        PileRenewed(3),
        CardBought(0, Cards(wool=1, salt=1), "trade_treaty"),
    ]
    assert (game.state.pile, game.state.discarded) == ([2, 0, 0, 0], [0, 0, 0, 0])


def test_e64_with_pile_and_played_cards_empty_none_can_be_bought() -> None:
    game = Small().give(0, wool=1).rolled()
    game.state.pile = [0, 0, 0, 0]
    refusal = game.refuse(0, BuyCard())
    assert (type(refusal), refusal.rule) == (SupplyEmptyError, "E-64")
