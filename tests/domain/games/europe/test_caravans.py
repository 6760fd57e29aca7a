"""Caravans, tolls and deliveries: E-40, E-46 to E-50, E-63."""

import pytest

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.data.components import Terms
from kontor_games.domain.games.europe.facts.caravans import CaravanFormed, CaravanMoved, StepsLapsed
from kontor_games.domain.games.europe.facts.routes import RouteBuilt
from kontor_games.domain.games.europe.facts.turn import TurnEnded
from kontor_games.domain.games.europe.moves import (
    BuildRoute,
    DeclineOffer,
    Deliver,
    EndTurn,
    FormCaravan,
    Halt,
    MoveCaravan,
    OfferTrade,
)
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    NoPieceLeftError,
    NoSuchPlaceError,
    NotBesideError,
    NothingLeftError,
    OutOfReachError,
    PieceNotThereError,
    PlaceOccupiedError,
    PriceDiffersError,
)
from kontor_games.domain.games.europe.rules import EuropeRules
from tests.domain.games.europe.small import (
    CARAVAN_COST,
    ROUTE_COST,
    RULES,
    RULES_2,
    Small,
    middle,
    north,
    road,
    stairs,
    way,
)


def caravan_buyer() -> Small:
    return Small().give(0, ore=4, lumber=4, salt=4).rolled()


def test_e40_a_caravan_costs_ore_lumber_and_salt_and_stands_on_ones_route_beside_ones_post() -> None:
    game = caravan_buyer()
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
    game = caravan_buyer().route(0, north(2)).route(1, north(1))
    assert type(game.refuse(0, FormCaravan(path))) is kind


def test_e40_not_where_two_stand_and_not_without_cards() -> None:
    game = caravan_buyer().route(0, north(1)).caravan(1, 0, north(1)).caravan(2, 0, north(1))
    assert type(game.refuse(0, FormCaravan(north(1)))) is PlaceOccupiedError
    assert type(game.empty(0).refuse(0, FormCaravan(north(0)))) is CannotPayError


def test_e40_with_both_on_the_board_the_player_chooses_which_one_moves() -> None:
    game = caravan_buyer().route(0, north(1), north(2)).caravan(0, 1, north(2))
    assert type(game.refuse(0, FormCaravan(north(1)))) is NoPieceLeftError
    assert game.play(0, FormCaravan(north(1), 1)) == [CaravanFormed(0, 1, north(1), CARAVAN_COST)]
    assert type(caravan_buyer().refuse(0, FormCaravan(north(0), 1))) is PieceNotThereError


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


def test_e46_a_caravan_keeps_its_steps_during_trade() -> None:
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


def test_e46_single_steps_and_farther_places_that_take_a_good_are_listed() -> None:
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


def test_e47_the_toll_is_shown_before_it_is_paid() -> None:
    game = road(p1=2)
    assert type(game.refuse(0, MoveCaravan(0, way(1), 1, 0))) is PriceDiffersError
    assert type(game.refuse(0, MoveCaravan(0, way(1), 2, 1))) is PriceDiffersError
    assert MoveCaravan(0, way(1), 1, 1) in game.legal(MoveCaravan)


def test_e47_a_route_cannot_be_entered_without_gold_for_its_toll() -> None:
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


# Version 2


def both_formed(rules: EuropeRules) -> Small:
    game = Small(rules=rules).give(0, ore=4, lumber=4, salt=4).rolled()
    return game.route(0, north(1)).caravan(0, 1, north(1))


def test_e40_in_version_2_a_caravan_must_be_moved_to_another_route() -> None:
    game = both_formed(RULES_2)
    refusal = game.refuse(0, FormCaravan(north(1), 1))
    assert (type(refusal), refusal.rule) == (PlaceOccupiedError, "E-40")
    assert game.legal(FormCaravan) == [FormCaravan(north(0), 1), FormCaravan(north(1), 0)]
    assert game.play(0, FormCaravan(north(1), 0)) == [CaravanFormed(0, 0, north(1), CARAVAN_COST)]


def test_e40_in_version_2_a_new_caravan_may_stand_beside_the_other() -> None:
    game = Small(rules=RULES_2).give(0, ore=1, lumber=1, salt=1).rolled()
    assert game.legal(FormCaravan) == [FormCaravan(north(0))]


def test_e40_in_version_1_a_caravan_may_be_formed_where_it_stands() -> None:
    game = both_formed(RULES)
    assert FormCaravan(north(1), 1) in game.legal(FormCaravan)
    assert game.play(0, FormCaravan(north(1), 1)) == [CaravanFormed(0, 1, north(1), CARAVAN_COST)]


PAST = MoveCaravan(0, (north(3), stairs(2)), 1, 1)
"""Past a full route of seat 1 for its toll; the way round costs the same salt and no toll."""


def beside_a_full_route(rules: EuropeRules) -> Small:
    """A caravan with 1 step left, 1 salt and 1 gold; the next route is full and foreign."""
    game = Small(rules=rules).empty(0).give(0, salt=2).rolled().gold(0, 1).goods(0, 0)
    game.route(0, *way(1, 2), stairs(1), middle(2), middle(3), stairs(2)).route(1, north(3))
    game.caravan(1, 0, north(3)).caravan(2, 0, north(3))
    game.play(0, MoveCaravan(0, way(1, 2)))
    assert (game.state.steps, game.hand(0), game.state.gold[0]) == (1, {"salt": 1}, 1)
    return game


def test_e46_in_version_2_a_way_past_a_full_route_is_listed_although_another_is_cheaper() -> None:
    game = beside_a_full_route(RULES_2)
    assert PAST in game.legal(MoveCaravan)
    assert game.play(0, PAST) == [CaravanMoved(0, 0, PAST.path, 1, (1,), 2, False)]


def test_e46_in_version_1_the_same_way_is_accepted_but_not_listed() -> None:
    game = beside_a_full_route(RULES)
    assert PAST not in game.legal(MoveCaravan)
    assert game.play(0, PAST) == [CaravanMoved(0, 0, PAST.path, 1, (1,), 2, False)]


def test_e46_in_version_2_a_way_past_full_routes_that_cannot_be_paid_is_not_listed() -> None:
    assert PAST not in beside_a_full_route(RULES_2).gold(0, 0).legal(MoveCaravan)
    assert PAST not in beside_a_full_route(RULES_2).empty(0).legal(MoveCaravan)


def test_e46_in_version_2_a_caravan_may_go_out_and_come_back() -> None:
    game = road(rules=RULES_2)
    assert game.play(0, MoveCaravan(0, way(1, 0))) == [CaravanMoved(0, 0, way(1, 0), 1, (), 1, False)]
    assert game.rules.view(game.state, 0)["phase"] == "action"


def test_e46_in_version_2_it_comes_back_also_to_where_one_other_stands() -> None:
    game = road(rules=RULES_2).caravan(1, 0, north(0))
    assert game.play(0, MoveCaravan(0, way(1, 0)))[0].type == "caravan_moved"


def test_e46_in_version_2_it_may_not_come_back_to_where_two_others_stand() -> None:
    game = road(salt=2, rules=RULES_2).caravan(1, 0, north(2)).caravan(2, 0, north(2))
    game.play(0, MoveCaravan(0, way(1, 2)))
    assert game.rules.view(game.state, 0)["phase"] == "go_on"
    game.play(0, Deliver("n1"))
    assert type(game.refuse(0, MoveCaravan(0, way(3, 2)))) is PlaceOccupiedError


def test_e46_in_version_2_out_onto_a_full_route_and_back_is_listed() -> None:
    game = road(rules=RULES_2).goods(0, 0).caravan(1, 0, north(1)).caravan(2, 0, north(1))
    assert game.legal(MoveCaravan) == [MoveCaravan(0, way(1, 2), 1, 0), MoveCaravan(0, way(1, 0), 1, 0)]


def test_e46_in_version_1_a_move_never_ends_where_it_began() -> None:
    game = road()
    assert type(game.refuse(0, MoveCaravan(0, way(1, 0)))) is PlaceOccupiedError
