"""Merchants, posts and number tokens: E-40, E-43 to E-45, E-61."""

import pytest

from kontor_games.domain.game import DataSet, WrongPhaseError
from kontor_games.domain.games.europe.facts.development_cards import TreatyPlayed
from kontor_games.domain.games.europe.facts.merchants import MerchantHired, MerchantMoved, PostFounded
from kontor_games.domain.games.europe.facts.tokens import HexLeftEmpty, TokenPlaced, TokenShifted
from kontor_games.domain.games.europe.moves import (
    EndTurn,
    HireMerchant,
    LeaveHexEmpty,
    MoveMerchant,
    PlaceToken,
    PlayTreatyForGold,
    PlayTreatyForMerchant,
    ShiftToken,
)
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    NoPieceLeftError,
    NoSuchCardError,
    NoSuchChoiceError,
    NoSuchPlaceError,
    OutOfReachError,
    PieceNotThereError,
    PlaceOccupiedError,
    PriceDiffersError,
)
from kontor_games.domain.games.europe.rules import VERSION_1, EuropeRules
from kontor_games.domain.games.europe.state import NEUTRAL
from tests.domain.games.europe.small import DOCUMENT, MERCHANT_COST, Small, north, south


def hirer() -> Small:
    return Small().give(0, wool=4, grain=4, lumber=4).rolled()


def test_e40_a_merchant_costs_wool_grain_and_lumber_and_stands_on_ones_own_post() -> None:
    game = hirer()
    assert game.play(0, HireMerchant("n0")) == [MerchantHired(0, 0, "n0", MERCHANT_COST)]
    assert game.rules.view(game.state, 0)["players"][0]["merchants"] == ["0,0N", None]
    assert game.hand(0) == {"wool": 3, "grain": 4, "lumber": 4, "salt": 1}
    assert game.legal(HireMerchant) == [HireMerchant("n4"), HireMerchant("s2")]


def test_e40_not_on_another_s_post_not_beside_a_merchant_and_not_without_cards() -> None:
    game = hirer().merchant(1, 0, "0,0N")
    assert type(game.refuse(0, HireMerchant("n1"))) is PlaceOccupiedError
    assert type(game.refuse(0, HireMerchant("n6"))) is PlaceOccupiedError
    assert type(game.refuse(0, HireMerchant("n0"))) is PlaceOccupiedError
    assert type(game.refuse(0, HireMerchant("rome"))) is NoSuchPlaceError
    assert type(game.empty(0).refuse(0, HireMerchant("n4"))) is CannotPayError


def test_e40_with_both_on_the_board_one_of_choice_is_moved_at_the_same_price() -> None:
    game = hirer().merchant(0, 0, "0,1N").merchant(0, 1, "1,1N")
    assert type(game.refuse(0, HireMerchant("n0"))) is NoPieceLeftError
    assert HireMerchant("n0", 1) in game.legal(HireMerchant)
    assert game.play(0, HireMerchant("n0", 1)) == [MerchantHired(0, 1, "n0", MERCHANT_COST)]
    assert game.rules.view(game.state, 0)["players"][0]["merchants"] == ["0,1N", "0,0N"]


def test_e40_nobody_moves_a_merchant_while_one_is_left() -> None:
    game = hirer().merchant(0, 0, "0,1N")
    assert type(game.refuse(0, HireMerchant("n0", 0))) is PieceNotThereError


def walker(at: str = "0,0N", grain: int = 1) -> Small:
    """Seat 0 after the roll with a merchant, grain for it and no gold."""
    return Small().empty(0).give(0, grain=grain).merchant(0, 0, at).rolled().gold(0, 0)


def test_e43_one_grain_moves_a_merchant_three_crossroads() -> None:
    game = walker()
    assert game.play(0, MoveMerchant(0, "0,0S")) == [MerchantMoved(0, 0, ("0,-1S", "-1,1N", "0,0S"), 1)]
    assert game.hand(0) == {}
    assert game.state.supply[2] == 17


def test_e43_the_price_is_listed_with_every_place_within_reach() -> None:
    game = walker(grain=2)
    prices = {move.to: move.grain for move in game.legal(MoveMerchant)}
    away = game.state.tables.distances(game.board.crossroads_index["0,0N"])
    assert prices["0,0S"] == 1
    assert all(
        prices[game.board.crossroads[at]] == -(-steps // 3)
        for at, steps in away.items()
        if game.board.crossroads[at] in prices
    )
    assert max(away[game.board.crossroads_index[to]] for to in prices) == 6


def test_e43_several_grain_add_up_for_one_merchant() -> None:
    game = walker(grain=2)
    (moved,) = game.play(0, MoveMerchant(0, "1,1N", 2))
    assert isinstance(moved, MerchantMoved)
    assert (len(moved.way), moved.grain) == (4, 2)


def test_e43_not_farther_than_the_grain_reaches_and_not_for_another_price() -> None:
    game = walker()
    assert type(game.refuse(0, MoveMerchant(0, "1,1N"))) is CannotPayError
    rich = walker(grain=3)
    assert type(rich.refuse(0, MoveMerchant(0, "1,1N", 3))) is PriceDiffersError
    assert type(rich.refuse(0, MoveMerchant(1, "1,1N"))) is PieceNotThereError
    assert type(rich.refuse(0, MoveMerchant(0, "9,9N"))) is NoSuchPlaceError


def test_e43_it_may_pass_anybody_but_not_end_at_a_merchant_or_a_foreign_or_neutral_post() -> None:
    game = walker(grain=3).merchant(0, 1, "0,-1S").merchant(1, 0, "1,-1S").post(NEUTRAL, "n6")
    for end in ("0,-1S", "1,-1S", "1,0N", "6,0N"):
        refusal = game.refuse(0, MoveMerchant(0, end))
        assert (type(refusal), refusal.rule) == (PlaceOccupiedError, "E-43")
    # Past the merchants on both sides, and past the post n1.
    assert {"0,0S", "2,-1S"} <= {move.to for move in game.legal(MoveMerchant)}


def test_e43_a_merchant_does_not_stay_where_it_is() -> None:
    assert type(walker().refuse(0, MoveMerchant(0, "0,0N"))) is PlaceOccupiedError


def test_e43_it_may_end_at_ones_own_post() -> None:
    game = walker("1,1N", grain=3)
    (moved,) = game.play(0, MoveMerchant(0, "0,0N"))
    assert moved.type == "merchant_moved"
    assert game.state.posts_left[0] == 4


def test_e43_where_no_way_leads_no_merchant_goes() -> None:
    roads = {"land": [road(step) for road in (north, south) for step in range(14)], "sea": [], "double": []}
    apart = EuropeRules(
        VERSION_1, DataSet("apart", {**DOCUMENT, "paths": roads, "cities": DOCUMENT["cities"][:14]})
    )
    game = Small(rules=apart).give(0, grain=9).merchant(0, 0, "0,0N").rolled()
    refusal = game.refuse(0, MoveMerchant(0, "6,1S"))
    assert (type(refusal), refusal.rule) == (OutOfReachError, "E-43")


def test_e44_a_merchant_that_ends_in_a_city_without_post_becomes_one_at_once() -> None:
    game = walker("6,-1S")
    # n6 lies beside the mountain 6,0 without number; the sea holds ore tokens 3 and 10.
    facts = game.play(0, MoveMerchant(0, "6,0N"), tokens=[1])
    assert facts == [
        MerchantMoved(0, 0, ("6,0N",), 1),
        PostFounded(0, 0, "n6", 2, ("6,0",)),
        TokenPlaced(0, "6,0", 10),
    ]
    player = game.rules.view(game.state, 0)["players"][0]
    assert player["merchants"] == [None, None]
    assert player["goods"] == {"covered": 3, "free": 2, "delivered": 0}
    assert (player["gold"], player["posts_left"]) == (2, 3)
    assert game.state.sea[3] == (3,)


def test_e44_to_pass_an_empty_city_all_is_paid_at_once() -> None:
    game = walker("6,-1S", grain=2)
    (moved,) = game.play(0, MoveMerchant(0, "7,-1S"))
    assert isinstance(moved, MerchantMoved)
    assert moved.way == ("6,0N", "7,-1S")
    assert game.state.posts_left[0] == 4


def test_e44_with_no_post_left_it_may_not_end_there() -> None:
    game = walker("6,-1S")
    game.post(0, "s6", "m2", "m4", "n1")
    assert game.state.posts_left[0] == 0
    refusal = game.refuse(0, MoveMerchant(0, "6,0N"))
    assert (type(refusal), refusal.rule) == (NoPieceLeftError, "E-44")
    assert "6,0N" not in {move.to for move in game.legal(MoveMerchant)}


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


def dry() -> Small:
    """The sea holds no forest token, and a new post at m4 lies beside the empty forest 4,1."""
    game = walker("4,0S", grain=1)
    game.state.sea[0] = ()
    game.state.set_number(game.board.hex_index["5,0"], 11)
    return game


def test_e45_if_the_sea_is_out_of_a_colour_a_placed_token_may_be_moved_ringed_ones_too() -> None:
    game = dry()
    assert game.play(0, MoveMerchant(0, "4,1N"))[-1] == PostFounded(0, 0, "m4", 0, ("4,1",))
    assert game.rules.legal_moves(game.state, 0) == [ShiftToken("5,0", "4,1"), LeaveHexEmpty()]
    assert game.play(0, ShiftToken("5,0", "4,1")) == [TokenShifted(0, "5,0", "4,1", 11)]
    numbers = game.rules.view(game.state, 0)["numbers"]
    assert "5,0" not in numbers
    assert numbers["4,1"] == 11


def test_e45_or_the_hex_is_left_empty() -> None:
    game = dry()
    game.play(0, MoveMerchant(0, "4,1N"))
    assert game.play(0, LeaveHexEmpty()) == [HexLeftEmpty(0)]
    assert EndTurn() in game.rules.legal_moves(game.state, 0)


@pytest.mark.parametrize("source", ["0,0", "1,1", "4,1"])
def test_e45_never_a_printed_number_nor_another_colour(source: str) -> None:
    game = dry()
    game.play(0, MoveMerchant(0, "4,1N"))
    assert type(game.refuse(0, ShiftToken(source, "4,1"))) is NoSuchChoiceError
    assert type(game.refuse(0, PlaceToken("4,1"))) is NoSuchChoiceError


def test_e45_even_a_hex_whose_colour_has_run_out_may_be_picked() -> None:
    game = dry()
    game.state.set_number(game.board.hex_index["4,0"], 0)
    game.play(0, MoveMerchant(0, "4,1N"))
    assert game.rules.legal_moves(game.state, 0) == [
        PlaceToken("4,0"),
        ShiftToken("5,0", "4,1"),
        LeaveHexEmpty(),
    ]


def test_e45_a_hex_that_loses_its_token_produces_no_more() -> None:
    game = dry().post(1, "n6")
    game.play(0, MoveMerchant(0, "4,1N"))
    game.play(0, ShiftToken("5,0", "4,1"))
    assert game.state.index.hexes_with[11] == (game.board.hex_index["4,1"],)


def test_e45_a_post_beside_numbered_hexes_only_places_nothing() -> None:
    game = walker("2,0S", grain=1)
    assert game.play(0, MoveMerchant(0, "2,1N"))[-1] == PostFounded(0, 0, "m2", 0, ())
    assert EndTurn() in game.rules.legal_moves(game.state, 0)


def test_e8_a_token_may_come_to_the_robber_s_hex_and_the_robber_stays() -> None:
    game = walker("5,0S", grain=1)
    game.state.set_robber(game.board.hex_index["4,1"])
    game.play(0, MoveMerchant(0, "4,1N"), tokens=[0])
    assert game.state.number[game.state.robber] == 9
    assert game.board.hexes[game.state.robber].id == "4,1"


def test_e61_a_trade_treaty_moves_a_merchant_seven_crossroads_free() -> None:
    game = walker(grain=0).card(0, "trade_treaty")
    reach = {move.to for move in game.legal(PlayTreatyForMerchant)}
    away = game.state.tables.distances(game.board.crossroads_index["0,0N"])
    assert max(away[game.board.crossroads_index[to]] for to in reach) == 7
    facts = game.play(0, PlayTreatyForMerchant(0, "3,-1S"))
    assert facts[0] == TreatyPlayed(0, 0)
    assert isinstance(facts[1], MerchantMoved)
    assert (len(facts[1].way), facts[1].grain) == (5, 0)


def test_e61_or_it_takes_three_gold() -> None:
    game = Small().card(0, "trade_treaty").gold(0, 0)
    assert game.play(0, PlayTreatyForGold()) == [TreatyPlayed(0, 3)]
    assert game.state.gold[0] == 3
    assert game.state.discarded == [0, 0, 1, 0]


def test_e61_no_farther_than_seven_and_no_card_no_move() -> None:
    game = walker(grain=0).card(0, "trade_treaty")
    refusal = game.refuse(0, PlayTreatyForMerchant(0, "4,0N"))
    assert (type(refusal), refusal.rule) == (OutOfReachError, "E-61")
    assert type(walker().refuse(0, PlayTreatyForMerchant(0, "0,0S"))) is NoSuchCardError


def test_e61_a_post_may_be_founded_before_the_roll() -> None:
    game = Small().merchant(0, 0, "6,-1S").card(0, "trade_treaty")
    facts = game.play(0, PlayTreatyForMerchant(0, "6,0N"), tokens=[0])
    assert [fact.type for fact in facts] == [
        "treaty_played",
        "merchant_moved",
        "post_founded",
        "token_placed",
    ]
    assert game.rules.view(game.state, 0)["phase"] == "roll"
