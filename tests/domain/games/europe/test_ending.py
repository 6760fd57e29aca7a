"""The end of turns and of the match, and cards before and after the roll: E-20, E-49, E-60, E-62, E-70."""

import pytest

from kontor_games.domain.game import (
    MatchOverError,
    Move,
    Result,
    UnknownMoveError,
    record,
)
from kontor_games.domain.games.europe.data.components import Terms
from kontor_games.domain.games.europe.facts.delivery import GoodDelivered
from kontor_games.domain.games.europe.facts.ending import GameEnded
from kontor_games.domain.games.europe.facts.turn import TurnEnded
from kontor_games.domain.games.europe.moves import (
    Deliver,
    EndTurn,
    MoveCaravan,
    OfferTrade,
    PlayBribe,
)
from tests.domain.games.europe.small import Small, north


def test_a_move_of_another_game_is_refused() -> None:
    @record
    class UnknownMove(Move):
        """A move that no game has."""

    assert type(Small().refuse(0, UnknownMove())) is UnknownMoveError


def test_while_a_match_goes_on_there_is_no_result() -> None:
    game = Small()
    assert game.rules.result(game.state) is None
    assert game.rules.scene(game.state, 0, ("Ada", "Bela", "Caro", "Dario"))
    assert game.rules.tell(game.state, game.dealt[-1], 0, ("Ada", "Bela", "Caro", "Dario"))


def about_to_win() -> Small:
    game = Small().route(0, north(1), north(2)).caravan(0, 0, north(1))
    game.state.delivered[0] = 4
    return game


def test_e70_whoever_has_delivered_all_goods_wins_at_once() -> None:
    game = about_to_win().caravan(0, 0, north(2)).rolled().gold(1, 9)
    assert game.play(0, Deliver("n1")) == [GoodDelivered(0, "n1"), GameEnded("delivered", (1, 2, 3, 3))]
    scores = [{"goods": goods, "posts": 3, "gold": gold} for goods, gold in ((5, 4), (0, 9), (0, 4), (0, 4))]
    assert game.rules.result(game.state) == Result(tuple(scores), (1, 2, 3, 3))
    for seat in range(4):
        assert type(game.refuse(seat, EndTurn())) is MatchOverError
    assert game.rules.view(game.state, 0)["ended"] == "delivered"


def test_e30_an_offer_is_no_longer_open_when_the_match_is_over() -> None:
    game = about_to_win().caravan(0, 0, north(2)).rolled()
    game.play(0, OfferTrade(Terms(gold=1), Terms(wool=1)))
    assert [offer["offer"] for offer in game.rules.view(game.state, 1)["offers"]] == [1]
    game.play(0, Deliver("n1"))
    assert game.rules.view(game.state, 1)["offers"] == []


def test_e20_a_game_can_be_won_before_the_roll() -> None:
    game = about_to_win().card(0, "bribe")
    game.play(0, PlayBribe(0))
    game.play(0, MoveCaravan(0, (north(2),)))
    assert game.play(0, Deliver("n1"))[-1] == GameEnded("delivered", (1, 2, 2, 2))


def limited() -> Small:
    return Small(turn_limit=1).rolled()


def test_e70_at_the_turn_limit_the_match_ends_after_that_turn() -> None:
    game = limited()
    assert game.play(0, EndTurn()) == [TurnEnded(0), GameEnded("turn_limit", (1, 1, 1, 1))]
    assert game.rules.result(game.state).winners == (0, 1, 2, 3)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("goods", "post", "gold", "places"),
    [
        ((1, 0, 0, 0), None, (0, 9, 0, 0), (1, 2, 3, 3)),
        ((0, 0, 0, 0), 2, (9, 0, 0, 0), (2, 3, 1, 3)),
        ((2, 2, 1, 0), 1, (9, 0, 0, 0), (2, 1, 3, 4)),
        ((0, 0, 0, 0), None, (1, 2, 3, 3), (4, 3, 1, 1)),
    ],
)
def test_e70_most_goods_then_posts_then_gold_wins_and_equals_share(
    goods: tuple[int, ...], post: int | None, gold: tuple[int, ...], places: tuple[int, ...]
) -> None:
    game = limited()
    game.state.delivered, game.state.gold = list(goods), list(gold)
    if post is not None:
        game.post(post, "n6")
    assert game.play(0, EndTurn())[-1] == GameEnded("turn_limit", places)


def test_e70_without_a_limit_chosen_it_is_five_hundred() -> None:
    assert Small().state.setting.turn_limit == 500
