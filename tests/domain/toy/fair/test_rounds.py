"""Rounds (T-3, T-4)."""

from kontor_games.domain.game import NotYourTurnError, WrongPhaseError
from tests.domain.toy.fair.table import RULES, Table
from tests.domain.toy.games.fair.facts.rounds import CardLaid, CardsTurnedUp, RoundTaken, TieBroken
from tests.domain.toy.games.fair.moves import CloseFair, LayCard
from tests.domain.toy.games.fair.refusals import NotYourCardError


def test_all_seats_lay_a_hidden_card_in_any_order() -> None:
    table = Table()
    assert list(RULES.to_act(table.state)) == [0, 1, 2]
    laid = table.play(2, LayCard(15))
    assert laid == [CardLaid(2, 15)]
    assert RULES.fact_codec.redacted(laid[0], 1) == {"type": "card_laid", "seat": 2, "hidden": ["card"]}
    assert list(RULES.to_act(table.state)) == [0, 1]


def test_the_last_card_laid_turns_all_up_and_a_tie_is_drawn() -> None:
    assert Table().lay(17, 19, 15) == [
        CardLaid(2, 15),
        CardsTurnedUp((17, 19, 15)),
        TieBroken((0, 1), 1),
        RoundTaken(1, 3),
    ]


def test_a_highest_card_takes_the_round_without_a_draw() -> None:
    assert Table().lay(23, 19, 15)[-2:] == [CardsTurnedUp((23, 19, 15)), RoundTaken(0, 3)]


def test_a_card_of_another_hand_and_a_second_card_are_refused() -> None:
    table = Table()
    table.assert_refused(0, LayCard(22), NotYourCardError, "T-3")
    table.play(0, LayCard(23))
    table.assert_refused(0, LayCard(20), NotYourTurnError, "T-3")


def test_no_card_is_laid_while_the_fair_is_open() -> None:
    Table().opened().assert_refused(0, LayCard(20), WrongPhaseError, "T-3")


def test_the_next_round_begins_when_the_fair_is_closed() -> None:
    table = Table().opened()
    kinds = [fact.type for fact in table.play(1, CloseFair())]
    assert kinds == ["fair_closed", "round_begun", *["card_drawn"] * 3]
    assert (table.state.round, list(RULES.to_act(table.state))) == (2, [0, 1, 2])
