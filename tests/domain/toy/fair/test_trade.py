"""Trade (T-5, T-6)."""

import pytest

from kontor_games.domain.game import Move, NotYourTurnError, Refusal, WrongPhaseError
from tests.domain.toy.fair.table import RULES, Table
from tests.domain.toy.games.fair.facts.trade import CardSold, OfferMade
from tests.domain.toy.games.fair.moves import CloseFair, OfferCard, TakeOffer
from tests.domain.toy.games.fair.refusals import (
    NoOfferError,
    NotEnoughCoinsError,
    NotYourCardError,
    TooManyOffersError,
)


def test_an_offer_cannot_be_listed_but_is_described() -> None:
    table = Table().opened()
    assert RULES.legal_moves(table.state, 1) == [CloseFair()]
    assert RULES.open_moves(table.state, 1) == (OfferCard,)
    assert table.play(1, OfferCard(22, price=4)) == [OfferMade(1, 4, 22)]
    assert RULES.view(table.state, 0)["offer"] == {"price": 4}
    assert RULES.view(table.state, 1)["offer"] == {"price": 4, "card": 22}


def test_a_seat_that_is_not_on_turn_may_take_the_offer_but_the_match_does_not_wait_for_it() -> None:
    table = Table().opened()
    table.play(1, OfferCard(22, price=4))
    assert list(RULES.to_act(table.state)) == [1]
    assert list(RULES.may_act(table.state)) == [0, 1, 2]
    sold = table.play(2, TakeOffer())
    assert sold == [CardSold(1, 2, 4, 22)]
    assert [RULES.tell(table.state, sold[0], viewer, ("Ada", "Bela", "Caro")) for viewer in (0, 1, 2)] == [
        "Caro buys a card from Bela for 4.",
        "Caro buys a 99 from Bela for 4.",
        "Caro buys a 99 from Bela for 4.",
    ]
    assert table.state.coins == [5, 9, 1]


def test_only_a_seat_that_can_pay_may_take_the_offer() -> None:
    table = Table().opened()
    table.play(1, OfferCard(22, price=5))
    table.play(0, TakeOffer())
    table.play(1, OfferCard(16, price=1))
    assert list(RULES.may_act(table.state)) == [1, 2]


def test_an_absent_holder_closes_the_fair() -> None:
    table = Table().opened()
    assert RULES.quiet_moves(table.state, 1) == [CloseFair()]


@pytest.mark.parametrize(
    ("seat", "move", "refusal", "rule"),
    [
        (0, CloseFair(), NotYourTurnError, "T-5"),
        (0, OfferCard(20, price=0), NotYourTurnError, "T-5"),
        (1, OfferCard(23, price=0), NotYourCardError, "T-5"),
        (0, TakeOffer(), NoOfferError, "T-6"),
    ],
)
def test_what_cannot_be_done_at_the_fair_is_refused(
    seat: int, move: Move, refusal: type[Refusal], rule: str
) -> None:
    Table().opened().assert_refused(seat, move, refusal, rule)


def test_a_fourth_offer_a_seller_and_a_buyer_without_coins_are_refused() -> None:
    table = Table().opened()
    for _ in range(3):
        table.play(1, OfferCard(22, price=6))
    table.assert_refused(1, OfferCard(22, price=6), TooManyOffersError, "T-5")
    table.assert_refused(1, TakeOffer(), NotYourTurnError, "T-6")
    table.assert_refused(0, TakeOffer(), NotEnoughCoinsError, "T-6")


def test_moves_of_the_fair_are_refused_while_cards_are_laid() -> None:
    table = Table()
    table.assert_refused(0, CloseFair(), WrongPhaseError, "T-5")
    table.assert_refused(0, OfferCard(20, price=0), WrongPhaseError, "T-5")
    table.assert_refused(0, TakeOffer(), NoOfferError, "T-6")
