"""Caravans, tolls and deliveries: E-40, E-46 to E-50, E-63."""

import pytest

from kontor_games.domain.game import DataSet, Refusal, WrongPhaseError
from kontor_games.domain.games.europe.data.components import Terms
from kontor_games.domain.games.europe.facts.caravans import CaravanFormed, CaravanMoved, StepsLapsed
from kontor_games.domain.games.europe.facts.delivery import GoodDelivered
from kontor_games.domain.games.europe.facts.development_cards import BribePlayed
from kontor_games.domain.games.europe.facts.ending import GameEnded
from kontor_games.domain.games.europe.facts.production import DiceRolled
from kontor_games.domain.games.europe.facts.routes import RouteBuilt
from kontor_games.domain.games.europe.facts.turn import TurnEnded
from kontor_games.domain.games.europe.moves import (
    BuildRoute,
    BuyResource,
    DeclineOffer,
    Deliver,
    EndTurn,
    FormCaravan,
    Halt,
    MoveCaravan,
    OfferTrade,
    PlayBribe,
    RollDice,
)
from kontor_games.domain.games.europe.refusals import (
    CannotDeliverError,
    CannotPayError,
    NoPieceLeftError,
    NoSuchPlaceError,
    NotBesideError,
    NothingLeftError,
    NothingToDeliverError,
    OutOfReachError,
    PieceNotThereError,
    PlaceOccupiedError,
    PriceDiffersError,
)
from kontor_games.domain.games.europe.rules import VERSION_1, EuropeRules
from kontor_games.domain.games.europe.state import NEUTRAL
from tests.domain.games.europe.small import CARAVAN_COST, DOCUMENT, ROUTE_COST, Small, middle, north, stairs


def former() -> Small:
    return Small().give(0, ore=4, lumber=4, salt=4).rolled()


def test_e40_a_caravan_costs_ore_lumber_and_salt_and_stands_on_ones_route_beside_ones_post() -> None:
    game = former()
    assert game.legal(FormCaravan) == [FormCaravan(north(0))]
    assert game.play(0, FormCaravan(north(0))) == [CaravanFormed(0, 1, north(0), CARAVAN_COST)]
    assert game.rules.view(game.state, 0)["players"][0]["caravans"] == [north(0), north(0)]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (north(1), NotBesideError),
        (north(2), NotBesideError),
        (north(5), NotBesideError),
        ("x", NoSuchPlaceError),
    ],
)
def test_e40_not_on_other_routes_and_not_away_from_ones_posts(path: str, kind: type[Refusal]) -> None:
    game = former().route(0, north(2)).route(1, north(1))
    assert type(game.refuse(0, FormCaravan(path))) is kind


def test_e40_not_where_two_stand_and_not_without_cards() -> None:
    game = former().route(0, north(1)).caravan(1, 0, north(1)).caravan(2, 0, north(1))
    assert type(game.refuse(0, FormCaravan(north(1)))) is PlaceOccupiedError
    assert type(game.empty(0).refuse(0, FormCaravan(north(0)))) is CannotPayError


def test_e40_with_both_on_the_board_one_of_choice_is_moved() -> None:
    game = former().route(0, north(1), north(2)).caravan(0, 1, north(2))
    assert type(game.refuse(0, FormCaravan(north(1)))) is NoPieceLeftError
    assert game.play(0, FormCaravan(north(1), 1)) == [CaravanFormed(0, 1, north(1), CARAVAN_COST)]
    assert type(former().refuse(0, FormCaravan(north(0), 1))) is PieceNotThereError


def road(salt: int = 1, gold: int = 3, **owners: int) -> Small:
    """The north road from end to end, each piece of seat 0 unless said otherwise (`p3=1`); its caravan stands on the first one."""
    game = Small().empty(0).give(0, salt=salt).rolled().gold(0, gold)
    for step in range(14):
        if step not in (0, 5):
            game.route(owners.get(f"p{step}", 0), north(step))
    return game


def way(*steps: int) -> tuple[str, ...]:
    return tuple(north(step) for step in steps)


def test_e46_one_salt_moves_a_caravan_three_routes() -> None:
    game = road()
    assert game.play(0, MoveCaravan(0, way(1, 2, 3))) == [CaravanMoved(0, 0, way(1, 2, 3), 1, (), 0, False)]
    assert game.hand(0) == {}
    assert game.rules.view(game.state, 0)["players"][0]["caravans"] == [north(3), None]


def test_e46_several_salt_add_up() -> None:
    game = road(salt=2)
    assert game.play(0, MoveCaravan(0, way(1, 2, 3, 4), 2, 0)) == [
        CaravanMoved(0, 0, way(1, 2, 3, 4), 2, (), 2, False)
    ]


def test_e46_steps_left_can_be_used_until_something_else_is_done() -> None:
    game = road()
    game.play(0, MoveCaravan(0, way(1)))
    assert game.rules.view(game.state, 0)["choice"]["moving"] == {
        "caravan": 0,
        "steps": 2,
        "toll_free": False,
    }
    assert game.play(0, MoveCaravan(0, way(2, 3))) == [CaravanMoved(0, 0, way(2, 3), 0, (), 0, False)]


def test_e46_another_action_lets_the_steps_lapse() -> None:
    game = road().give(0, ore=1, lumber=1)
    game.play(0, MoveCaravan(0, way(1)))
    assert game.play(0, BuildRoute(stairs(0))) == [
        StepsLapsed(0, 0, 2),
        RouteBuilt(0, stairs(0), "paid", ROUTE_COST, False),
    ]
    assert not game.legal(MoveCaravan)


def test_e46_moving_the_other_caravan_lets_the_steps_of_the_first_lapse() -> None:
    game = road(salt=2).caravan(0, 1, north(0))
    game.play(0, MoveCaravan(0, way(1)))
    assert game.play(0, MoveCaravan(1, way(1)))[0] == StepsLapsed(0, 0, 2)


def test_e46_talk_does_not_cost_the_steps() -> None:
    game = road().give(1, wool=1)
    game.play(0, MoveCaravan(0, way(1)))
    game.play(1, OfferTrade(Terms(wool=1), Terms(gold=1)))
    assert [fact.type for fact in game.play(0, DeclineOffer(1))] == ["offer_declined"]
    assert game.play(0, MoveCaravan(0, way(2)))[0] == CaravanMoved(0, 0, way(2), 0, (), 1, False)


def test_e46_steps_can_be_given_up() -> None:
    game = road()
    assert type(game.refuse(0, Halt())) is NothingLeftError
    game.play(0, MoveCaravan(0, way(1)))
    assert game.play(0, Halt()) == [StepsLapsed(0, 0, 2)]
    assert type(game.refuse(0, MoveCaravan(0, way(2)))) is CannotPayError


def test_e46_steps_lapse_at_the_end_of_the_turn() -> None:
    game = road()
    game.play(0, MoveCaravan(0, way(1)))
    assert game.play(0, EndTurn())[:2] == [StepsLapsed(0, 0, 2), TurnEnded(0)]


def test_e46_only_along_routes_each_beside_the_one_before() -> None:
    game = road()
    assert type(game.refuse(0, MoveCaravan(0, (stairs(1),)))) is OutOfReachError
    assert type(game.refuse(0, MoveCaravan(0, way(2)))) is NotBesideError
    assert type(game.refuse(0, MoveCaravan(0, ("x",)))) is NoSuchPlaceError
    assert type(game.refuse(0, MoveCaravan(0, way(1, 2, 3, 4)))) is CannotPayError
    assert type(game.refuse(0, MoveCaravan(1, way(1)))) is PieceNotThereError
    assert type(game.refuse(0, MoveCaravan(0, way(1, 0)))) is PlaceOccupiedError


def test_e46_listed_are_single_steps_and_farther_places_where_a_good_can_be_left() -> None:
    game = road()
    # n1 has a post of seat 1: the routes on both sides of it are worth a longer way.
    assert game.legal(MoveCaravan) == [
        MoveCaravan(0, way(1), 1, 0),
        MoveCaravan(0, way(1, 2), 1, 0),
        MoveCaravan(0, way(1, 2, 3), 1, 0),
    ]
    assert game.goods(0, 0).legal(MoveCaravan) == [MoveCaravan(0, way(1), 1, 0)]


def test_e46_it_may_pass_but_not_end_where_two_others_stand() -> None:
    game = road().goods(0, 0).caravan(1, 0, north(1)).caravan(2, 0, north(1))
    refusal = game.refuse(0, MoveCaravan(0, way(1)))
    assert (type(refusal), refusal.rule) == (PlaceOccupiedError, "E-46")
    assert game.legal(MoveCaravan) == [MoveCaravan(0, way(1, 2), 1, 0)]
    assert game.play(0, MoveCaravan(0, way(1, 2)))[0].type == "caravan_moved"


def test_e46_a_row_of_full_routes_is_passed_as_far_as_salt_reaches() -> None:
    game = (
        road()
        .goods(0, 0)
        .caravan(1, 0, north(1))
        .caravan(2, 0, north(1))
        .caravan(1, 1, north(2))
        .caravan(2, 1, north(2))
    )
    assert game.legal(MoveCaravan) == [MoveCaravan(0, way(1, 2, 3), 1, 0)]
    game.caravan(3, 0, north(3)).caravan(3, 1, north(3))
    assert game.legal(MoveCaravan) == []
    assert game.give(0, salt=1).legal(MoveCaravan) == [MoveCaravan(0, way(1, 2, 3, 4), 2, 0)]


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


def test_e48_not_if_it_could_not_go_on() -> None:
    game = road(p3=3, gold=0).caravan(1, 0, north(3)).caravan(2, 0, north(3))
    assert type(game.refuse(0, MoveCaravan(0, way(1, 2, 3)))) is CannotPayError
    stuck = road().caravan(1, 0, north(3)).caravan(2, 0, north(3))
    assert type(stuck.refuse(0, MoveCaravan(0, way(1, 2, 3)))) is PlaceOccupiedError
    assert MoveCaravan(0, way(1, 2, 3), 1, 0) not in stuck.legal(MoveCaravan)
    assert MoveCaravan(0, way(1, 2, 3), 1, 0) in stuck.give(0, salt=1).legal(MoveCaravan)


def test_e48_while_one_caravan_has_to_go_on_the_other_waits() -> None:
    game = full_customer(2).caravan(0, 1, north(5))
    game.play(0, MoveCaravan(0, way(1, 2)))
    assert type(game.refuse(0, MoveCaravan(1, way(6)))) is PlaceOccupiedError


def test_e47_entering_another_s_routes_costs_one_gold_paid_to_the_owner() -> None:
    game = road(p1=2, p2=2).gold(2, 0)
    (moved,) = game.play(0, MoveCaravan(0, way(1, 2, 3)))
    assert moved == CaravanMoved(0, 0, way(1, 2, 3), 1, (2,), 0, False)
    assert (game.state.gold[0], game.state.gold[2]) == (2, 1)
    assert game.rules.view(game.state, 0)["choice"]["tolls_paid"] == [[2], []]


def test_e47_once_per_owner_caravan_and_turn() -> None:
    game = road(salt=3, p1=2, p2=1, p3=2).caravan(0, 1, north(0))
    game.play(0, MoveCaravan(0, way(1)))
    assert game.play(0, MoveCaravan(0, way(2)))[0] == CaravanMoved(0, 0, way(2), 0, (1,), 1, False)
    assert game.play(0, MoveCaravan(0, way(3)))[0] == CaravanMoved(0, 0, way(3), 0, (), 0, False)
    assert game.play(0, MoveCaravan(1, way(1)))[0] == CaravanMoved(0, 1, way(1), 1, (2,), 2, False)
    assert game.state.gold[0] == 0


def test_e47_standing_on_another_s_route_costs_nothing_until_another_of_them_is_entered() -> None:
    game = road(salt=2, p1=2, p2=2).caravan(0, 0, north(1))
    assert {MoveCaravan(0, way(0), 1, 0), MoveCaravan(0, way(2), 1, 1)} <= set(game.legal(MoveCaravan))


def test_e47_the_toll_is_told_before_it_is_paid() -> None:
    game = road(p1=2)
    assert type(game.refuse(0, MoveCaravan(0, way(1), 1, 0))) is PriceDiffersError
    assert type(game.refuse(0, MoveCaravan(0, way(1), 2, 1))) is PriceDiffersError
    assert MoveCaravan(0, way(1), 1, 1) in game.legal(MoveCaravan)


def test_e47_no_gold_no_entry() -> None:
    game = road(gold=0, p1=2)
    refusal = game.refuse(0, MoveCaravan(0, way(1)))
    assert (type(refusal), refusal.rule) == (CannotPayError, "E-47")
    assert game.legal(MoveCaravan) == []


def test_e47_a_caravan_formed_anew_has_paid_nobody_yet() -> None:
    game = road(salt=5, p1=2).give(0, ore=1, lumber=1).caravan(0, 1, north(8))
    game.play(0, MoveCaravan(0, way(1)))
    game.play(0, FormCaravan(north(0), 0))
    assert MoveCaravan(0, way(1), 1, 1) in game.legal(MoveCaravan)


def test_e47_in_the_next_turn_tolls_are_due_again() -> None:
    game = road(p1=2)
    game.play(0, MoveCaravan(0, way(1)))
    game.play(0, EndTurn())
    assert game.state.tolls == [0, 0]


def test_e46_of_all_ways_the_one_with_the_least_salt_is_listed_if_its_toll_can_be_paid() -> None:
    round_about = (stairs(0), middle(0), middle(1), stairs(1), north(2))
    game = road(salt=2, p1=2).route(0, *round_about[:4])
    assert [move for move in game.legal(MoveCaravan) if move.path[-1] == north(2)] == [
        MoveCaravan(0, way(1, 2), 1, 1)
    ]
    poor = game.gold(0, 0)
    assert [move for move in poor.legal(MoveCaravan) if move.path[-1] == north(2)] == [
        MoveCaravan(0, round_about, 2, 0)
    ]


def test_e46_of_ways_for_the_same_salt_the_one_with_the_least_toll_is_listed() -> None:
    game = road(p1=2).route(0, stairs(1), middle(1), stairs(0), middle(0)).caravan(0, 0, middle(0))
    # Three steps either way: up the western stairs and along the road of seat 2, or up the eastern ones.
    assert [move for move in game.legal(MoveCaravan) if move.path[-1] == north(2)] == [
        MoveCaravan(0, (middle(1), stairs(1), north(2)), 1, 0)
    ]


def test_e48_a_good_is_left_at_a_foreign_post_beside_the_caravan() -> None:
    game = road()
    game.play(0, MoveCaravan(0, way(1, 2)))
    assert game.play(0, Deliver("n1")) == [GoodDelivered(0, "n1")]
    view = game.rules.view(game.state, 1)
    assert view["posts"]["n1"] == {"owner": 1, "good": 0}
    assert view["players"][0]["goods"] == {"covered": 4, "free": 0, "delivered": 1}


def test_e48_later_while_it_stands_there_and_just_formed_too() -> None:
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


def test_e48_only_free_goods() -> None:
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


def test_e63_a_bribe_moves_a_caravan_five_routes_without_salt_and_tolls() -> None:
    game = road(salt=0, gold=0, p1=1, p2=2, p3=3).card(0, "bribe")
    assert game.play(0, PlayBribe(0)) == [BribePlayed(0, 0, 5)]
    assert game.play(0, MoveCaravan(0, way(1, 2, 3, 4))) == [
        CaravanMoved(0, 0, way(1, 2, 3, 4), 0, (), 1, True)
    ]
    assert game.state.tolls == [0, 0]
    refusal = game.refuse(0, MoveCaravan(0, way(5, 6)))
    assert (type(refusal), refusal.rule) == (OutOfReachError, "E-63")


def test_e63_the_bribe_cannot_be_lengthened_with_salt() -> None:
    game = road(salt=3).card(0, "bribe")
    game.play(0, PlayBribe(0))
    assert type(game.refuse(0, MoveCaravan(0, way(1, 2, 3, 4, 5, 6)))) is OutOfReachError
    game.play(0, MoveCaravan(0, way(1, 2, 3, 4, 5)))
    assert game.play(0, MoveCaravan(0, way(6)))[0] == CaravanMoved(0, 0, way(6), 1, (), 2, False)


def test_e63_it_counts_as_no_toll_paid() -> None:
    game = road(salt=1, p1=1, p2=1).card(0, "bribe")
    game.play(0, PlayBribe(0))
    game.play(0, MoveCaravan(0, way(1)))
    game.play(0, Halt())
    assert MoveCaravan(0, way(2), 1, 1) in game.legal(MoveCaravan)


def test_e63_before_the_roll_only_the_bribed_caravan_moves_and_the_roll_ends_it() -> None:
    game = Small().route(0, north(1), north(2)).caravan(0, 1, north(0)).card(0, "bribe")
    refusal = game.refuse(0, MoveCaravan(0, way(1)))
    assert (type(refusal), refusal.rule) == (OutOfReachError, "E-20")
    game.play(0, PlayBribe(0))
    assert {move.caravan for move in game.legal(MoveCaravan)} == {0}
    facts = game.play(0, RollDice(), dice=[5, 5])
    assert facts[:2] == [StepsLapsed(0, 0, 5), DiceRolled(0, (6, 6))]


def test_e63_a_bribe_needs_a_caravan() -> None:
    game = Small().card(0, "bribe")
    refusal = game.refuse(0, PlayBribe(1))
    assert (type(refusal), refusal.rule) == (PieceNotThereError, "E-63")
