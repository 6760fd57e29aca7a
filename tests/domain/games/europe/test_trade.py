"""Trade between players: E-30."""

import pytest

from kontor_games.domain.game import WrongPhaseError
from kontor_games.domain.games.europe.data.components import Terms
from kontor_games.domain.games.europe.facts.trade import (
    OfferDeclined,
    OfferMade,
    OffersLapsed,
    OfferWithdrawn,
    TradeMade,
)
from kontor_games.domain.games.europe.moves import (
    AcceptOffer,
    BuyResource,
    CounterOffer,
    DeclineOffer,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlayLancer,
    StealCard,
    TradeWithSupply,
    WithdrawOffer,
)
from kontor_games.domain.games.europe.refusals import (
    BadTermsError,
    CannotPayError,
    NoSuchOfferError,
    NotTradingPartnersError,
    TooManyOffersError,
)
from tests.domain.games.europe.small import Small

WOOL, ORE, GOLD = Terms(wool=1), Terms(ore=1), Terms(gold=1)


def market() -> Small:
    """Seat 0 is on turn with three wool, the others have two ore each; everybody has gold."""
    game = Small()
    for seat in range(4):
        game.empty(seat).give(seat, **({"wool": 3} if seat == 0 else {"ore": 2}))
    return game.rolled()


def test_e30_the_player_on_turn_offers_to_all() -> None:
    game = market()
    assert game.play(0, OfferTrade(WOOL, ORE)) == [OfferMade(1, 0, (1, 2, 3), WOOL, ORE, None)]
    for seat in (1, 2, 3):
        assert game.rules.legal_moves(game.state, seat) == [AcceptOffer(1), DeclineOffer(1)]
    assert WithdrawOffer(1) in game.rules.legal_moves(game.state, 0)
    assert game.rules.view(game.state, 2)["offers"] == [
        {"offer": 1, "maker": 0, "to": [1, 2, 3], "give": {"wool": 1}, "want": {"ore": 1}}
    ]


def test_e30_or_to_some_of_them() -> None:
    game = market()
    assert game.play(0, OfferTrade(WOOL, ORE, (3, 1))) == [OfferMade(1, 0, (1, 3), WOOL, ORE, None)]
    assert game.rules.legal_moves(game.state, 2) == []
    assert type(game.refuse(2, AcceptOffer(1))) is NoSuchOfferError


def test_e30_the_first_to_accept_trades_at_once() -> None:
    game = market()
    game.play(0, OfferTrade(WOOL, Terms(ore=1, gold=1)))
    assert game.play(2, AcceptOffer(1)) == [TradeMade(1, 0, 2, WOOL, Terms(ore=1, gold=1))]
    assert (game.hand(0), game.hand(2)) == ({"wool": 2, "ore": 1}, {"wool": 1, "ore": 1})
    assert (game.state.gold[0], game.state.gold[2]) == (5, 3)
    assert type(game.refuse(1, AcceptOffer(1))) is NoSuchOfferError


def test_e30_offers_may_come_from_the_others_to_the_player_on_turn_only() -> None:
    game = market()
    assert game.play(1, OfferTrade(ORE, WOOL)) == [OfferMade(1, 1, (0,), ORE, WOOL, None)]
    assert game.play(2, OfferTrade(ORE, WOOL, (0,))) == [OfferMade(2, 2, (0,), ORE, WOOL, None)]
    refusal = game.refuse(3, OfferTrade(ORE, GOLD, (2,)))
    assert (type(refusal), refusal.rule) == (NotTradingPartnersError, "E-30")
    assert game.play(0, AcceptOffer(2)) == [TradeMade(2, 2, 0, ORE, WOOL)]


@pytest.mark.parametrize("to", [(0,), (1, 1), (1, 0)])
def test_e30_nobody_offers_to_oneself_or_twice(to: tuple[int, ...]) -> None:
    assert type(market().refuse(0, OfferTrade(WOOL, ORE, to))) is NotTradingPartnersError


@pytest.mark.parametrize(
    ("give", "want"),
    [
        (Terms(), ORE),
        (WOOL, Terms()),
        (WOOL, WOOL),
        (Terms(wool=1, gold=1), Terms(ore=1, gold=2)),
        (Terms(), Terms()),
    ],
)
def test_e30_both_sides_must_give_something_and_no_kind_is_on_both_sides(give: Terms, want: Terms) -> None:
    assert type(market().refuse(0, OfferTrade(give, want))) is BadTermsError


def test_e30_only_cards_in_hand_can_be_offered() -> None:
    assert type(market().refuse(0, OfferTrade(ORE, WOOL))) is CannotPayError
    assert type(market().refuse(1, OfferTrade(Terms(gold=9), WOOL))) is CannotPayError


def test_e30_an_acceptance_that_cannot_be_paid_is_refused_and_nothing_moves() -> None:
    game = market()
    game.play(0, OfferTrade(WOOL, Terms(ore=3)))
    assert type(game.refuse(1, AcceptOffer(1))) is CannotPayError
    assert game.rules.legal_moves(game.state, 1) == [DeclineOffer(1)]
    golden = market().gold(1, 0)
    golden.play(0, OfferTrade(WOOL, Terms(gold=1)))
    assert type(golden.refuse(1, AcceptOffer(1))) is CannotPayError


def test_e30_an_offer_is_closed_when_everybody_has_declined() -> None:
    game = market()
    game.play(0, OfferTrade(WOOL, ORE, (1, 2)))
    assert game.play(1, DeclineOffer(1)) == [OfferDeclined(1, 1)]
    assert game.rules.view(game.state, 0)["offers"][0]["to"] == [2]
    assert type(game.refuse(1, AcceptOffer(1))) is NoSuchOfferError
    game.play(2, DeclineOffer(1))
    assert game.rules.view(game.state, 0)["offers"] == []


def test_e30_a_counter_offer_declines_and_offers_back() -> None:
    game = market()
    game.play(0, OfferTrade(WOOL, Terms(ore=2)))
    assert game.play(1, CounterOffer(1, ORE, WOOL)) == [
        OfferDeclined(1, 1),
        OfferMade(2, 1, (0,), ORE, WOOL, 1),
    ]
    assert game.play(0, CounterOffer(2, Terms(wool=2), Terms(ore=2))) == [
        OfferDeclined(2, 0),
        OfferMade(3, 0, (1,), Terms(wool=2), Terms(ore=2), 2),
    ]
    assert game.play(1, AcceptOffer(3)) == [
        TradeMade(3, 0, 1, Terms(wool=2), Terms(ore=2)),
        OffersLapsed((1,)),
    ]


def test_e30_a_counter_offer_needs_an_offer_and_terms() -> None:
    game = market()
    assert type(game.refuse(1, CounterOffer(1, ORE, WOOL))) is NoSuchOfferError
    game.play(0, OfferTrade(WOOL, ORE))
    assert type(game.refuse(1, CounterOffer(1, ORE, ORE))) is BadTermsError


def test_e30_an_offer_can_be_withdrawn_by_its_maker() -> None:
    game = market()
    game.play(0, OfferTrade(WOOL, ORE))
    assert type(game.refuse(1, WithdrawOffer(1))) is NoSuchOfferError
    assert game.play(0, WithdrawOffer(1)) == [OfferWithdrawn(1, 0)]
    assert type(game.refuse(1, AcceptOffer(1))) is NoSuchOfferError
    assert type(game.refuse(0, WithdrawOffer(1))) is NoSuchOfferError


def test_e30_an_offer_lapses_when_its_maker_gives_away_some_of_what_it_gives() -> None:
    game = market().gold(0, 1)
    game.play(0, OfferTrade(WOOL, ORE))
    game.play(0, OfferTrade(GOLD, ORE))
    game.play(1, OfferTrade(ORE, GOLD))
    assert game.play(0, TradeWithSupply("wool", "salt"))[-1] == OffersLapsed((1,))
    assert [offer.number for offer in game.state.offers] == [2, 3]
    assert game.play(0, AcceptOffer(3)) == [TradeMade(3, 1, 0, ORE, GOLD), OffersLapsed((2,))]


def test_e30_gold_left_over_keeps_an_offer_open() -> None:
    game = market().gold(0, 3)
    game.play(0, OfferTrade(GOLD, ORE))
    game.play(0, BuyResource("ore"))
    assert game.state.offers[0].number == 1


def test_e30_an_offer_lapses_when_any_card_is_stolen_from_its_maker() -> None:
    game = market().card(0, "lancer")
    game.play(1, OfferTrade(ORE, WOOL))
    game.play(1, OfferTrade(GOLD, WOOL))
    game.play(2, OfferTrade(ORE, WOOL))
    game.play(0, PlayLancer())
    assert type(game.refuse(0, AcceptOffer(1))) is WrongPhaseError
    game.play(0, MoveRobber("1,0"))
    assert game.play(0, StealCard(1))[-1] == OffersLapsed((1, 2))
    assert [offer.number for offer in game.state.offers] == [3]


def test_e30_offers_lapse_at_the_end_of_the_turn() -> None:
    game = market()
    game.play(0, OfferTrade(WOOL, ORE))
    game.play(0, EndTurn())
    assert game.state.offers == ()


def test_e30_only_after_production_and_while_nothing_has_to_be_chosen() -> None:
    game = Small()
    assert type(game.refuse(0, OfferTrade(Terms(lumber=1), ORE))) is WrongPhaseError
    assert game.rules.open_moves(game.state, 0) == ()
    assert game.rules.may_act(game.state) == (0,)


def test_e30_offers_are_described_and_the_match_does_not_wait_for_them() -> None:
    game = market()
    assert game.rules.to_act(game.state) == (0,)
    assert game.rules.may_act(game.state) == (0, 1, 2, 3)
    assert game.rules.open_moves(game.state, 1) == (OfferTrade,)
    game.play(0, OfferTrade(WOOL, ORE, (1,)))
    assert game.rules.open_moves(game.state, 1) == (OfferTrade, CounterOffer)
    assert game.rules.open_moves(game.state, 2) == (OfferTrade,)
    assert game.rules.open_moves(game.empty(3).gold(3, 0).state, 3) == ()
    assert game.rules.may_act(game.state) == (0, 1, 2)


def test_e30_the_number_of_offers_is_limited() -> None:
    game = market()
    for _ in range(3):
        game.play(0, OfferTrade(WOOL, ORE))
    refusal = game.refuse(0, OfferTrade(WOOL, ORE))
    assert (type(refusal), refusal.rule) == (TooManyOffersError, "E-30")
    assert game.rules.open_moves(game.state, 0) == ()
    for number in (1, 2, 3):
        game.play(0, WithdrawOffer(number))
    for _ in range(3):
        game.play(0, OfferTrade(WOOL, ORE))
    for number in (4, 5, 6):
        game.play(0, WithdrawOffer(number))
    assert type(game.refuse(0, OfferTrade(WOOL, ORE))) is TooManyOffersError
    game.play(1, OfferTrade(ORE, WOOL))
    game.play(1, OfferTrade(ORE, GOLD))
    assert type(game.refuse(1, OfferTrade(ORE, WOOL))) is TooManyOffersError
    assert game.play(2, OfferTrade(ORE, WOOL))[0].type == "offer_made"


def test_e30_in_the_next_turn_everybody_may_offer_again_under_new_numbers() -> None:
    game = market()
    for _ in range(2):
        game.play(1, OfferTrade(ORE, WOOL))
    game.play(0, EndTurn())
    game.state.rolled = True
    game.state.phase = game.state.find_phase(game.state)
    assert game.play(1, OfferTrade(ORE, WOOL))[0] == OfferMade(3, 1, (0, 2, 3), ORE, WOOL, None)
