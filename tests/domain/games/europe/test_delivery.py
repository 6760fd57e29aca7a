"""Deliveries: E-48 and E-50."""

import pytest

from kontor_games.domain.game import DataSet, WrongPhaseError
from kontor_games.domain.games.europe.facts.caravans import CaravanMoved
from kontor_games.domain.games.europe.facts.delivery import GoodDelivered
from kontor_games.domain.games.europe.facts.ending import GameEnded
from kontor_games.domain.games.europe.moves import (
    BuyResource,
    Deliver,
    EndTurn,
    Halt,
    MoveCaravan,
    PlayBribe,
)
from kontor_games.domain.games.europe.refusals import (
    CannotDeliverError,
    CannotPayError,
    NoSuchPlaceError,
    NotBesideError,
    NothingToDeliverError,
    PlaceOccupiedError,
)
from kontor_games.domain.games.europe.rules import VERSION_1, EuropeRules
from kontor_games.domain.games.europe.state import NEUTRAL
from tests.domain.games.europe.small import DOCUMENT, Small, north, road, way


def full_customer(salt: int) -> Small:
    """Two others stand on the route to n1, where a good can be left."""
    return road(salt=salt).caravan(1, 0, north(2)).caravan(2, 0, north(2))


def test_e48_in_passing_a_full_route_a_good_can_be_left_if_the_caravan_can_go_on() -> None:
    game = full_customer(1)
    assert game.play(0, MoveCaravan(0, way(1, 2))) == [CaravanMoved(0, 0, way(1, 2), 1, (), 1, False)]
    assert game.rules.view(game.state, 0)["phase"] == "go_on"
    assert game.rules.legal_moves(game.state, 0) == [
        Deliver("n1"),
        MoveCaravan(0, way(3), 0, 0),
        MoveCaravan(0, way(1), 0, 0),
    ]
    for move in (EndTurn(), Halt(), BuyResource("ore")):
        assert type(game.refuse(0, move)) is WrongPhaseError
    assert game.play(0, Deliver("n1")) == [GoodDelivered(0, "n1")]
    assert game.play(0, MoveCaravan(0, way(3)))[0].type == "caravan_moved"
    assert EndTurn() in game.rules.legal_moves(game.state, 0)


def test_e48_no_good_can_be_left_there_if_the_caravan_could_not_go_on() -> None:
    game = road(p3=3, gold=0).caravan(1, 0, north(3)).caravan(2, 0, north(3))
    assert type(game.refuse(0, MoveCaravan(0, way(1, 2, 3)))) is CannotPayError
    stuck = road().caravan(1, 0, north(3)).caravan(2, 0, north(3))
    assert type(stuck.refuse(0, MoveCaravan(0, way(1, 2, 3)))) is PlaceOccupiedError
    assert MoveCaravan(0, way(1, 2, 3), 1, 0) not in stuck.legal(MoveCaravan)
    assert MoveCaravan(0, way(1, 2, 3), 1, 0) in stuck.give(0, salt=1).legal(MoveCaravan)


@pytest.mark.parametrize(("start", "full", "city"), [(10, 11, "n5"), (8, 9, None)])
def test_e48_a_caravan_stops_on_a_full_route_only_beside_a_post_that_takes_a_good(
    start: int, full: int, city: str | None
) -> None:
    game = road().caravan(0, 0, north(start)).caravan(1, 0, north(full)).caravan(2, 0, north(full))
    stop = MoveCaravan(0, way(full), 1, 0)
    if city is None:
        assert type(game.refuse(0, stop)) is PlaceOccupiedError
    else:
        assert game.play(0, stop)[0].type == "caravan_moved"
        assert game.legal(Deliver) == [Deliver(city)]


def test_e48_while_one_caravan_has_to_go_on_the_other_waits() -> None:
    game = full_customer(2).caravan(0, 1, north(5))
    game.play(0, MoveCaravan(0, way(1, 2)))
    assert type(game.refuse(0, MoveCaravan(1, way(6)))) is PlaceOccupiedError


def test_e48_a_good_is_left_at_a_foreign_post_beside_the_caravan() -> None:
    game = road()
    game.play(0, MoveCaravan(0, way(1, 2)))
    assert game.play(0, Deliver("n1")) == [GoodDelivered(0, "n1")]
    view = game.rules.view(game.state, 1)
    assert view["posts"]["n1"] == {"owner": 1, "good": 0}
    assert view["players"][0]["goods"] == {"covered": 4, "free": 0, "delivered": 1}


def test_e48_a_caravan_that_did_not_move_can_deliver() -> None:
    game = road().goods(0, 2).caravan(0, 0, north(2)).caravan(0, 1, north(5))
    assert game.legal(Deliver) == [Deliver("n1"), Deliver("n2")]


def test_e48_both_ends_may_be_served() -> None:
    between = {"id": "between", "name": "Between", "at": "2,-1S"}
    game = Small(
        rules=EuropeRules(VERSION_1, DataSet("close", {**DOCUMENT, "cities": [*DOCUMENT["cities"], between]}))
    )
    game.rolled().goods(0, 2).post(2, "between").route(1, north(3)).caravan(0, 0, north(3))
    assert game.legal(Deliver) == [Deliver("n1"), Deliver("between")]
    game.play(0, Deliver("between"))
    assert game.play(0, Deliver("n1")) == [GoodDelivered(0, "n1")]


def test_e48_neutral_posts_take_goods() -> None:
    game = road().post(NEUTRAL, "n6").caravan(0, 0, north(12))
    assert game.play(0, Deliver("n6")) == [GoodDelivered(0, "n6")]


def test_e48_each_post_takes_one_good_and_never_ones_own_or_an_empty_city() -> None:
    game = road().goods(0, 3).caravan(0, 0, north(2)).caravan(0, 1, north(8))
    game.play(0, Deliver("n1"))
    assert type(game.refuse(0, Deliver("n1"))) is CannotDeliverError
    assert type(game.refuse(0, Deliver("n4"))) is CannotDeliverError
    assert type(game.caravan(0, 1, north(12)).refuse(0, Deliver("n6"))) is CannotDeliverError
    assert type(game.refuse(0, Deliver("n2"))) is NotBesideError
    assert type(game.refuse(0, Deliver("rome"))) is NoSuchPlaceError


def test_e48_only_free_goods_are_delivered() -> None:
    game = road().goods(0, 0).caravan(0, 0, north(2))
    refusal = game.refuse(0, Deliver("n1"))
    assert (type(refusal), refusal.rule) == (NothingToDeliverError, "E-48")


def test_e48_not_before_the_roll_but_during_a_bribe() -> None:
    game = (
        Small().route(0, north(1), north(2)).caravan(0, 0, north(2)).caravan(0, 1, north(5)).card(0, "bribe")
    )
    assert type(game.refuse(0, Deliver("n1"))) is NotBesideError
    game.play(0, PlayBribe(0))
    assert game.legal(Deliver) == [Deliver("n1")]
    assert game.play(0, Deliver("n1")) == [GoodDelivered(0, "n1")]


def test_e50_the_win_is_checked_after_every_delivery() -> None:
    game = road(salt=2).goods(0, 2)
    game.state.delivered[0] = 3
    game.play(0, MoveCaravan(0, way(1, 2)))
    game.play(0, Deliver("n1"))
    game.play(0, MoveCaravan(0, way(3, 4)))
    facts = game.play(0, Deliver("n2"))
    assert facts == [GoodDelivered(0, "n2"), GameEnded("delivered", (1, 2, 2, 2))]
    assert game.rules.to_act(game.state) == ()
