"""The course of a turn: E-49."""

import pytest

from kontor_games.domain.game import (
    NoSuchSeatError,
    NotYourTurnError,
    WrongPhaseError,
)
from kontor_games.domain.games.europe.facts.routes import RouteForgone
from kontor_games.domain.games.europe.facts.turn import TurnBegan, TurnEnded
from kontor_games.domain.games.europe.moves import (
    BuildRoute,
    EndTurn,
    PlaySafeConduct,
    RollDice,
)
from tests.domain.games.europe.small import (
    DOUBLE,
    Small,
    builder,
    north,
    road,
)


def test_e49_ending_the_turn_lets_the_bonus_lapse() -> None:
    game = builder().route(0, north(8))
    game.play(0, BuildRoute(DOUBLE[0]))
    assert game.play(0, EndTurn()) == [RouteForgone(0, "double_arrow"), TurnEnded(0), TurnBegan(1, 2)]


def test_e49_ending_the_turn_lets_the_arrow_and_the_safe_conduct_lapse() -> None:
    game = Small().card(0, "safe_conduct").route(0, north(8)).rolled()
    game.play(0, PlaySafeConduct())
    game.play(0, BuildRoute(DOUBLE[0]))
    assert game.play(0, EndTurn())[:2] == [RouteForgone(0, "double_arrow"), RouteForgone(0, "safe_conduct")]


def test_e49_the_turn_goes_to_the_next_clockwise() -> None:
    game = Small().rolled()
    assert game.play(0, EndTurn()) == [TurnEnded(0), TurnBegan(1, 2)]
    assert game.rules.to_act(game.state) == (1,)
    game.play(1, RollDice(), dice=[5, 5])
    game.play(1, EndTurn())
    game.play(2, RollDice(), dice=[5, 5])
    game.play(2, EndTurn())
    game.play(3, RollDice(), dice=[5, 5])
    assert game.play(3, EndTurn()) == [TurnEnded(3), TurnBegan(0, 5)]


def test_e49_not_before_production_and_not_while_a_choice_is_pending() -> None:
    game = Small()
    assert type(game.refuse(0, EndTurn())) is WrongPhaseError
    game.play(0, RollDice(), dice=[0, 5])
    assert type(game.refuse(0, EndTurn())) is WrongPhaseError


def test_nobody_moves_in_another_s_turn() -> None:
    game = Small()
    refusal = game.refuse(1, RollDice())
    assert (type(refusal), refusal.rule) == (NotYourTurnError, "E-13")
    assert type(game.refuse(4, RollDice())) is NoSuchSeatError


@pytest.mark.parametrize("game", [Small(), Small().rolled(), road(), road().empty(0)])
def test_each_rule_lists_its_part_of_the_legal_moves(game: Small) -> None:
    for seat in range(4):
        legal = game.rules.legal_moves(game.state, seat)
        for kind, rule in game.rules.move_rules.items():
            assert list(rule.listed(game.state, seat)) == [move for move in legal if type(move) is kind]


def test_an_absent_player_rolls_ends_turns_and_declines_the_rest() -> None:
    game = Small().give(0, ore=3, lumber=3, wool=3)
    assert game.rules.quiet_moves(game.state, 0) == [RollDice()]
    game.rolled()
    assert game.rules.quiet_moves(game.state, 0) == [EndTurn()]
    assert game.rules.quiet_moves(game.state, 1) == []
