"""Number tokens: E-8 and E-45."""

import pytest

from kontor_games.domain.game import WrongPhaseError
from kontor_games.domain.games.europe.facts.merchants import PostFounded
from kontor_games.domain.games.europe.facts.tokens import HexLeftEmpty, TokenPlaced, TokenShifted
from kontor_games.domain.games.europe.moves import (
    EndTurn,
    LeaveHexEmpty,
    MoveMerchant,
    PlaceToken,
    ShiftToken,
)
from kontor_games.domain.games.europe.refusals import (
    NoSuchChoiceError,
)
from kontor_games.domain.games.europe.rules import EuropeRules
from tests.domain.games.europe.small import (
    RULES,
    RULES_3,
    Small,
    walker,
)


def test_e45_beside_several_empty_hexes_the_builder_picks_one() -> None:
    game = walker("6,0S", grain=2).post(1, "n6", "s6")
    city = game.board.city_index["m4"]
    game.state.set_number(game.board.hex_index["4,0"], 0)
    facts = game.play(0, MoveMerchant(0, "4,1N"))
    assert facts[1:] == [PostFounded(0, 0, "m4", 0, ("4,0", "4,1"))]
    assert game.state.post[city] == 0
    assert game.rules.legal_moves(game.state, 0) == [PlaceToken("4,0"), PlaceToken("4,1")]
    assert type(game.refuse(0, EndTurn())) is WrongPhaseError
    assert type(game.refuse(0, PlaceToken("0,0"))) is NoSuchChoiceError
    assert type(game.refuse(0, LeaveHexEmpty())) is NoSuchChoiceError
    assert type(game.refuse(0, ShiftToken("5,0", "4,1"))) is NoSuchChoiceError
    assert game.play(0, PlaceToken("4,1"), tokens=[0]) == [TokenPlaced(0, "4,1", 9)]
    assert game.state.sea[0] == (11,)


def no_forest_token_left(rules: EuropeRules = RULES) -> Small:
    """The sea holds no forest token, and a new post at m4 lies beside the empty forest 4,1."""
    game = walker("4,0S", grain=1, rules=rules)
    game.state.sea[0] = ()
    game.state.set_number(game.board.hex_index["5,0"], 11)
    return game


def test_e45_if_the_sea_is_out_of_a_colour_a_placed_token_may_be_moved_ringed_ones_too() -> None:
    game = no_forest_token_left()
    assert game.play(0, MoveMerchant(0, "4,1N"))[-1] == PostFounded(0, 0, "m4", 0, ("4,1",))
    assert game.rules.legal_moves(game.state, 0) == [ShiftToken("5,0", "4,1"), LeaveHexEmpty()]
    assert game.play(0, ShiftToken("5,0", "4,1")) == [TokenShifted(0, "5,0", "4,1", 11)]
    numbers = game.rules.view(game.state, 0)["numbers"]
    assert "5,0" not in numbers
    assert numbers["4,1"] == 11


def test_e45_or_the_hex_is_left_empty() -> None:
    game = no_forest_token_left()
    game.play(0, MoveMerchant(0, "4,1N"))
    assert game.play(0, LeaveHexEmpty()) == [HexLeftEmpty(0)]
    assert EndTurn() in game.rules.legal_moves(game.state, 0)


@pytest.mark.parametrize("source", ["0,0", "1,1", "4,1"])
def test_e45_never_a_printed_number_nor_another_colour(source: str) -> None:
    game = no_forest_token_left()
    game.play(0, MoveMerchant(0, "4,1N"))
    assert type(game.refuse(0, ShiftToken(source, "4,1"))) is NoSuchChoiceError
    assert type(game.refuse(0, PlaceToken("4,1"))) is NoSuchChoiceError


def test_e45_even_a_hex_whose_colour_has_run_out_may_be_picked() -> None:
    game = no_forest_token_left()
    game.state.set_number(game.board.hex_index["4,0"], 0)
    game.play(0, MoveMerchant(0, "4,1N"))
    assert game.rules.legal_moves(game.state, 0) == [
        PlaceToken("4,0"),
        ShiftToken("5,0", "4,1"),
        LeaveHexEmpty(),
    ]


def test_e45_by_version_3_a_hex_stays_empty_only_if_every_colour_has_run_out() -> None:
    game = no_forest_token_left(RULES_3)
    game.state.set_number(game.board.hex_index["4,0"], 0)
    game.play(0, MoveMerchant(0, "4,1N"))
    assert game.rules.legal_moves(game.state, 0) == [PlaceToken("4,0"), ShiftToken("5,0", "4,1")]
    assert game.refuse(0, LeaveHexEmpty()).detail == "The sea holds a token, so you must place or move one."
    assert game.play(0, ShiftToken("5,0", "4,1")) == [TokenShifted(0, "5,0", "4,1", 11)]
    alone = no_forest_token_left(RULES_3)
    alone.play(0, MoveMerchant(0, "4,1N"))
    assert alone.play(0, LeaveHexEmpty()) == [HexLeftEmpty(0)]


def test_e45_a_hex_that_loses_its_token_produces_no_more() -> None:
    game = no_forest_token_left().post(1, "n6")
    game.play(0, MoveMerchant(0, "4,1N"))
    game.play(0, ShiftToken("5,0", "4,1"))
    assert game.state.index.hexes_with[11] == (game.board.hex_index["4,1"],)


def test_e45_a_post_beside_numbered_hexes_only_places_nothing() -> None:
    game = walker("2,0S", grain=1)
    assert game.play(0, MoveMerchant(0, "2,1N"))[-1] == PostFounded(0, 0, "m2", 0, ())
    assert EndTurn() in game.rules.legal_moves(game.state, 0)


def test_e8_a_token_may_come_to_the_robber_s_hex_and_the_robber_stays() -> None:
    game = walker("5,0S", grain=1)
    game.state.robber = game.board.hex_index["4,1"]
    game.play(0, MoveMerchant(0, "4,1N"), tokens=[0])
    assert game.state.number[game.state.robber] == 9
    assert game.board.hexes[game.state.robber].id == "4,1"
