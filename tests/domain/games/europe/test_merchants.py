"""Merchants, posts and number tokens: E-40, E-43 to E-45, E-61."""

import pytest

from kontor_games.domain.game import DataSet
from kontor_games.domain.games.europe.facts.merchants import MerchantHired, MerchantMoved, PostFounded
from kontor_games.domain.games.europe.facts.tokens import TokenPlaced
from kontor_games.domain.games.europe.moves import (
    HireMerchant,
    MoveMerchant,
)
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    NoPieceLeftError,
    NoSuchPlaceError,
    OutOfReachError,
    PieceNotThereError,
    PlaceOccupiedError,
    PriceDiffersError,
)
from kontor_games.domain.games.europe.rules import VERSION_1, EuropeRules
from kontor_games.domain.games.europe.state import NEUTRAL
from tests.domain.games.europe.small import (
    DOCUMENT,
    MERCHANT_COST,
    RULES,
    RULES_2,
    Small,
    north,
    south,
    walker,
)


def merchant_buyer() -> Small:
    return Small().give(0, wool=4, grain=4, lumber=4).rolled()


def test_e40_a_merchant_costs_wool_grain_and_lumber_and_stands_on_ones_own_post() -> None:
    game = merchant_buyer()
    assert game.play(0, HireMerchant("n0")) == [MerchantHired(0, 0, "n0", MERCHANT_COST)]
    assert game.rules.view(game.state, 0)["players"][0]["merchants"] == ["0,0N", None]
    assert game.hand(0) == {"wool": 3, "grain": 4, "lumber": 4, "salt": 1}
    assert game.legal(HireMerchant) == [HireMerchant("n4"), HireMerchant("s2")]


def test_e40_not_on_another_s_post_not_beside_a_merchant_and_not_without_cards() -> None:
    game = merchant_buyer().merchant(1, 0, "0,0N")
    assert type(game.refuse(0, HireMerchant("n1"))) is PlaceOccupiedError
    assert type(game.refuse(0, HireMerchant("n6"))) is PlaceOccupiedError
    assert type(game.refuse(0, HireMerchant("n0"))) is PlaceOccupiedError
    assert type(game.refuse(0, HireMerchant("rome"))) is NoSuchPlaceError
    assert type(game.empty(0).refuse(0, HireMerchant("n4"))) is CannotPayError


def test_e40_with_both_on_the_board_the_player_chooses_which_one_moves_at_the_same_price() -> None:
    game = merchant_buyer().merchant(0, 0, "0,1N").merchant(0, 1, "1,1N")
    assert type(game.refuse(0, HireMerchant("n0"))) is NoPieceLeftError
    assert HireMerchant("n0", 1) in game.legal(HireMerchant)
    assert game.play(0, HireMerchant("n0", 1)) == [MerchantHired(0, 1, "n0", MERCHANT_COST)]
    assert game.rules.view(game.state, 0)["players"][0]["merchants"] == ["0,1N", "0,0N"]


def test_e40_nobody_moves_a_merchant_while_one_is_left() -> None:
    game = merchant_buyer().merchant(0, 0, "0,1N")
    assert type(game.refuse(0, HireMerchant("n0", 0))) is PieceNotThereError


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
    # TheftHistory the merchants on both sides, and past the post n1.
    assert {"0,0S", "2,-1S"} <= {move.to for move in game.legal(MoveMerchant)}


def test_e43_a_merchant_does_not_stay_where_it_is() -> None:
    assert type(walker().refuse(0, MoveMerchant(0, "0,0N"))) is PlaceOccupiedError


def test_e43_it_may_end_at_ones_own_post() -> None:
    game = walker("1,1N", grain=3)
    (moved,) = game.play(0, MoveMerchant(0, "0,0N"))
    assert moved.type == "merchant_moved"
    assert game.state.posts_left[0] == 4


def test_e43_a_merchant_cannot_go_where_no_path_leads() -> None:
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


@pytest.mark.parametrize("rules", [RULES, RULES_2], ids=["version 1", "version 2"])
def test_e40_a_merchant_must_be_moved_to_another_city(rules: EuropeRules) -> None:
    game = Small(rules=rules).give(0, wool=4, grain=4, lumber=4).rolled()
    game.play(0, HireMerchant("n0"))
    game.play(0, HireMerchant("s2"))
    assert type(game.refuse(0, HireMerchant("n0", 0))) is PlaceOccupiedError
    assert game.legal(HireMerchant) == [HireMerchant("n4", 0), HireMerchant("n4", 1)]
