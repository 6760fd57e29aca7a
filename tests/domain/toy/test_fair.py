"""The Fair, played by script: what each of its hard parts looks like through the seam."""

from typing import Any

import pytest

from kontor_games.domain.chance import Scripted
from kontor_games.domain.codec import SPECTATOR
from kontor_games.domain.game import Fact, MatchOverError, NotYourTurnError, Refusal, WrongPhaseError
from tests.domain.toy.games import toy_games
from tests.domain.toy.games.fair import records as r
from tests.domain.toy.games.fair.rules import NoOfferError, NotEnoughCoinsError, NotYourCardError, TooManyOffersError
from tests.domain.toy.games.fair.state import Fair

RULES = toy_games()["fair"].rules("steep")
ORDER = list(range(24))
"""Seats draw from the end: with three seats 0 holds 23, 20, 17, seat 1 holds 22, 19, 16, seat 2 holds 21, 18, 15."""


class Table:
    """A match of three seats under a script."""

    def __init__(self, **options: Any) -> None:
        self.chance = Scripted({"deck": [ORDER], "tie": [1, 0, 0]})
        self.state: Fair = RULES.table(3, r.FairOptions(**options))
        self.dealt = RULES.deal(self.state, self.chance)

    def play(self, seat: int, move: Any) -> list[Fact]:
        return RULES.play(self.state, seat, move, self.chance)

    def opened(self) -> "Table":
        """All laid a card of value 60; seat 1 was drawn to hold the fair."""
        for seat, card in ((0, 17), (1, 19), (2, 18)):
            self.play(seat, r.LayCard(card))
        return self


def test_the_deal_gives_three_hidden_cards_to_each() -> None:
    table = Table()
    assert [fact.type for fact in table.dealt] == ["deck_shuffled", *["card_drawn"] * 6, "round_begun", *["card_drawn"] * 3]
    assert table.state.hands == [[23, 20, 17], [22, 19, 16], [21, 18, 15]]
    assert RULES.view(table.state, 1)["seats"][1]["hand"] == [16, 19, 22]
    assert "hand" not in RULES.view(table.state, SPECTATOR)["seats"][1]


def test_all_seats_lay_at_once_in_any_order_and_nobody_sees_what() -> None:
    table = Table()
    assert list(RULES.to_act(table.state)) == [0, 1, 2]
    laid = table.play(2, r.LayCard(15))
    assert laid == [r.CardLaid(2, 15)]
    assert RULES.fact_codec.redacted(laid[0], 1) == {"type": "card_laid", "seat": 2, "hidden": ["card"]}
    assert list(RULES.to_act(table.state)) == [0, 1]


def test_the_last_card_laid_turns_all_up_and_a_tie_is_drawn() -> None:
    table = Table()
    table.play(0, r.LayCard(17))
    table.play(1, r.LayCard(19))
    assert table.play(2, r.LayCard(15)) == [
        r.CardLaid(2, 15),
        r.CardsTurnedUp((17, 19, 15)),
        r.TieBroken((0, 1), 1),
        r.RoundTaken(1, 3),
    ]


def test_a_highest_card_takes_the_round_without_a_draw() -> None:
    table = Table()
    table.play(0, r.LayCard(23))
    table.play(1, r.LayCard(19))
    assert table.play(2, r.LayCard(15))[-2:] == [r.CardsTurnedUp((23, 19, 15)), r.RoundTaken(0, 3)]


def test_an_offer_cannot_be_listed_but_is_described() -> None:
    table = Table().opened()
    assert RULES.legal_moves(table.state, 1) == [r.CloseFair()]
    assert RULES.open_moves(table.state, 1) == (r.OfferCard,)
    assert table.play(1, r.OfferCard(22, price=4)) == [r.OfferMade(1, 4, 22)]
    assert RULES.view(table.state, 0)["offer"] == {"price": 4}
    assert RULES.view(table.state, 1)["offer"] == {"price": 4, "card": 22}


def test_a_seat_that_is_not_on_turn_may_answer_and_nobody_waits_for_it() -> None:
    table = Table().opened()
    table.play(1, r.OfferCard(22, price=4))
    assert list(RULES.to_act(table.state)) == [1]
    assert list(RULES.may_act(table.state)) == [0, 1, 2]
    sold = table.play(2, r.TakeOffer())
    assert sold == [r.CardSold(1, 2, 4, 22)]
    assert [RULES.tell(table.state, sold[0], viewer, ("Ada", "Bela", "Caro")) for viewer in (0, 1, 2)] == [
        "Caro buys a card from Bela for 4.",
        "Caro buys a 99 from Bela for 4.",
        "Caro buys a 99 from Bela for 4.",
    ]
    assert table.state.coins == [5, 9, 1]


def test_only_who_has_the_coins_may_answer() -> None:
    table = Table().opened()
    table.play(1, r.OfferCard(22, price=5))
    table.play(0, r.TakeOffer())
    table.play(1, r.OfferCard(16, price=1))
    assert list(RULES.may_act(table.state)) == [1, 2]


def test_closing_the_last_fair_ends_the_match_with_a_score() -> None:
    table = Table(rounds=1).opened()
    assert table.play(1, r.CloseFair()) == [r.FairClosed(1), r.MatchScored((0, 3, 0), (5, 5, 5), (2, 1, 2))]
    result = RULES.result(table.state)
    assert result is not None
    assert result.scores[1] == {"points": 3, "coins": 5}
    assert result.winners == (1,)


@pytest.mark.parametrize(
    ("seat", "move", "refusal", "rule"),
    [
        (0, r.LayCard(17), WrongPhaseError, "T-3"),
        (0, r.CloseFair(), NotYourTurnError, "T-5"),
        (1, r.OfferCard(23, price=0), NotYourCardError, "T-5"),
        (0, r.TakeOffer(), NoOfferError, "T-6"),
    ],
)
def test_what_cannot_be_done_at_the_fair_is_refused(seat: int, move: Any, refusal: type[Refusal], rule: str) -> None:
    _assert_refused(Table().opened(), seat, move, refusal, rule)


def test_a_fourth_offer_a_seller_and_a_buyer_without_coins_are_refused() -> None:
    table = Table().opened()
    for _ in range(3):
        table.play(1, r.OfferCard(22, price=6))
    _assert_refused(table, 1, r.OfferCard(22, price=6), TooManyOffersError, "T-5")
    _assert_refused(table, 1, r.TakeOffer(), NotYourTurnError, "T-6")
    _assert_refused(table, 0, r.TakeOffer(), NotEnoughCoinsError, "T-6")


def test_what_cannot_be_done_while_cards_are_laid_is_refused() -> None:
    table = Table()
    _assert_refused(table, 0, r.LayCard(22), NotYourCardError, "T-3")
    _assert_refused(table, 0, r.CloseFair(), WrongPhaseError, "T-5")
    table.play(0, r.LayCard(23))
    _assert_refused(table, 0, r.LayCard(20), NotYourTurnError, "T-3")


def test_after_the_end_nothing_moves() -> None:
    table = Table(rounds=1).opened()
    table.play(1, r.CloseFair())
    _assert_refused(table, 1, r.CloseFair(), MatchOverError, "T-8")


def _assert_refused(table: Table, seat: int, move: Any, refusal: type[Refusal], rule: str) -> None:
    untouched = table.state.digest()
    with pytest.raises(refusal) as caught:
        table.play(seat, move)
    assert caught.value.rule == rule
    assert table.state.digest() == untouched
