"""The robber: E-24 and E-25."""

import pytest

from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.game import NotYourTurnError, WrongPhaseError
from kontor_games.domain.games.europe.data.components import Cards
from kontor_games.domain.games.europe.facts.production import DiceRolled
from kontor_games.domain.games.europe.facts.robber import (
    CardsDiscarded,
    CardStolen,
    RobberMoved,
    RobberWoken,
    TheftForgone,
)
from kontor_games.domain.games.europe.moves import (
    DiscardCard,
    DiscardCards,
    EndTurn,
    ForgoTheft,
    MoveRobber,
    RollDice,
    StealCard,
)
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    NoSuchPlaceError,
    NoVictimError,
    RobberStaysError,
    WrongCountError,
)
from tests.domain.games.europe.small import Small


def seven(**cards: int) -> Small:
    """Seat 0 rolled a 7; seat 1 holds 9 cards, seat 2 holds 8."""
    game = Small().give(1, ore=6).give(2, wool=5, **cards)
    game.play(0, RollDice(), dice=[0, 5])
    return game


def test_e24_on_a_seven_nobody_gets_anything_and_more_than_seven_cards_are_halved() -> None:
    game = Small().give(1, ore=6).give(2, wool=4).give(3, wool=5)
    assert game.play(0, RollDice(), dice=[0, 5]) == [DiceRolled(0, (1, 6)), RobberWoken((0, 4, 0, 4))]
    assert game.state.gold == [3] * 4
    assert list(game.rules.to_act(game.state)) == [1, 3]


def test_e24_cards_are_given_back_one_by_one_or_as_a_set_in_any_order() -> None:
    game = seven()
    assert game.play(2, DiscardCards(Cards(wool=3, lumber=1))) == [CardsDiscarded(2, Cards(wool=3, lumber=1))]
    for left in (3, 2, 1, 0):
        assert game.play(1, DiscardCard("ore")) == [CardsDiscarded(1, Cards(ore=1))]
        assert game.state.due[1] == left
    assert list(game.rules.to_act(game.state)) == [0]
    assert game.hand(1) == {"salt": 1, "wool": 1, "ore": 3}
    assert all(isinstance(move, MoveRobber) for move in game.rules.legal_moves(game.state, 0))


def test_e24_a_set_is_described_not_listed() -> None:
    game = seven()
    assert game.rules.open_moves(game.state, 1) == (DiscardCards,)
    assert game.rules.open_moves(game.state, 0) == ()
    assert game.rules.legal_moves(game.state, 1) == [
        DiscardCard("wool"),
        DiscardCard("ore"),
        DiscardCard("salt"),
    ]
    assert game.rules.legal_moves(game.state, 3) == []


def test_e24_only_cards_that_are_due_and_in_hand_are_given_back() -> None:
    game = seven()
    assert type(game.refuse(1, DiscardCards(Cards(ore=3)))) is WrongCountError
    assert type(game.refuse(1, DiscardCards(Cards(ore=2, grain=2)))) is CannotPayError
    assert type(game.refuse(1, DiscardCard("grain"))) is CannotPayError
    assert type(game.refuse(0, DiscardCard("grain"))) is NotYourTurnError
    assert type(game.refuse(0, MoveRobber("0,0"))) is WrongPhaseError


def test_e24_when_nobody_owes_cards_the_robber_moves_at_once() -> None:
    game = Small()
    game.play(0, RollDice(), dice=[2, 3])
    assert list(game.rules.to_act(game.state)) == [0]
    assert type(game.refuse(1, DiscardCard("ore"))) is WrongPhaseError


def woken() -> Small:
    game = Small()
    game.play(0, RollDice(), dice=[0, 5])
    return game


def test_e24_the_robber_must_move_to_another_hex_that_bears_a_number() -> None:
    game = woken()
    game.state.robber = game.board.hex_index["0,0"]
    for hexagon in ("0,0", "4,1", "0,-1"):
        refusal = game.refuse(0, MoveRobber(hexagon))
        assert (type(refusal), refusal.rule) == (RobberStaysError, "E-24")
    assert type(game.refuse(0, MoveRobber("9,9"))) is NoSuchPlaceError
    numbered = {h.id for i, h in enumerate(game.board.hexes) if game.state.number[i]}
    assert {move.hex for move in game.legal(MoveRobber)} == numbered - {"0,0"}


def test_e24_the_roller_may_steal_from_a_player_beside_the_robber() -> None:
    game = woken()
    # Beside the pasture 1,0 lies n1 of seat 1, who holds wool, ore and salt, in this order.
    assert game.play(0, MoveRobber("1,0")) == [RobberMoved(0, "1,0", (1,))]
    assert game.rules.legal_moves(game.state, 0) == [StealCard(1), ForgoTheft()]
    assert game.play(0, StealCard(1), theft=[1]) == [CardStolen(0, 1, "ore")]
    assert game.hand(1) == {"wool": 1, "salt": 1}
    assert game.hand(0) == {"lumber": 1, "grain": 1, "salt": 1, "ore": 1}
    assert EndTurn() in game.rules.legal_moves(game.state, 0)


@pytest.mark.parametrize(("card", "resource"), [(0, "wool"), (1, "ore"), (2, "salt")])
def test_e24_every_card_of_the_hand_can_be_stolen(card: int, resource: str) -> None:
    game = woken()
    game.play(0, MoveRobber("1,0"))
    assert game.play(0, StealCard(1), theft=[card]) == [CardStolen(0, 1, resource)]  # type: ignore[arg-type]


def test_e24_the_roller_may_do_without_stealing() -> None:
    game = woken()
    game.play(0, MoveRobber("1,0"))
    assert game.play(0, ForgoTheft()) == [TheftForgone(0)]
    assert type(game.refuse(0, ForgoTheft())) is WrongPhaseError


def test_e24_nobody_steals_from_those_without_cards_from_neutral_posts_or_from_oneself() -> None:
    game = woken().empty(1)
    assert game.play(0, MoveRobber("1,0")) == [RobberMoved(0, "1,0", ())]
    neutral = Small(seats=3)
    neutral.play(0, RollDice(), dice=[0, 5])
    # Beside the mountain 3,0 lies n3, neutral with three players.
    assert neutral.play(0, MoveRobber("3,0")) == [RobberMoved(0, "3,0", ())]
    own = woken()
    assert own.play(0, MoveRobber("0,0")) == [RobberMoved(0, "0,0", ())]
    assert EndTurn() in own.rules.legal_moves(own.state, 0)


def test_e24_a_victim_must_be_one_of_those_beside_the_robber() -> None:
    game = woken()
    game.play(0, MoveRobber("1,0"))
    for victim in (0, 2, 3):
        assert type(game.refuse(0, StealCard(victim))) is NoVictimError
    assert type(game.refuse(0, EndTurn())) is WrongPhaseError


def test_e25_only_thief_and_victim_see_what_was_stolen() -> None:
    game = woken()
    game.play(0, MoveRobber("1,0"))
    (stolen,) = game.play(0, StealCard(1), theft=[0])
    shown = {
        viewer: game.rules.fact_codec.redacted(stolen, viewer) for viewer in (0, 1, 2, 3, SPECTATOR, ARBITER)
    }
    assert all(shown[viewer]["resource"] == "wool" for viewer in (0, 1, ARBITER))
    for viewer in (2, 3, SPECTATOR):
        assert shown[viewer] == {"type": "card_stolen", "thief": 0, "victim": 1, "hidden": ["resource"]}
