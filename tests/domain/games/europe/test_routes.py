"""Routes, connection gold and double arrows: E-40 to E-42, E-60."""

from kontor_games.domain.game import WrongPhaseError
from kontor_games.domain.games.europe.data.components import NOTHING
from kontor_games.domain.games.europe.facts.routes import ChainsTied, ConnectionPaid, RouteBuilt, RouteForgone
from kontor_games.domain.games.europe.moves import (
    BuildRoute,
    ChooseChain,
    EndTurn,
    ForgoRoute,
    PlaySafeConduct,
)
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    NoPieceLeftError,
    NoSuchChoiceError,
    NoSuchPlaceError,
    NotBesideError,
    PathTakenError,
)
from tests.domain.games.europe.small import (
    DOUBLE,
    ROUTE_COST,
    Small,
    builder,
    middle,
    north,
    stairs,
)


def test_e40_a_route_costs_ore_and_lumber_and_lies_beside_ones_own_post_or_route() -> None:
    game = builder()
    assert game.play(0, BuildRoute(north(1))) == [RouteBuilt(0, north(1), "paid", ROUTE_COST, False)]
    assert game.hand(0) == {"ore": 4, "lumber": 4, "grain": 1, "salt": 1}
    assert game.state.routes_left[0] == 28
    # Beside the post n4, beside the first route, and now beside the second one.
    assert {BuildRoute(path) for path in (north(8), north(9), stairs(0), north(2), stairs(1))} <= set(
        game.legal(BuildRoute)
    )


def test_e40_not_on_a_taken_path_not_elsewhere_and_not_without_cards() -> None:
    game = builder().route(1, north(1))
    assert type(game.refuse(0, BuildRoute(north(1)))) is PathTakenError
    assert type(game.refuse(0, BuildRoute(north(3)))) is NotBesideError
    assert type(game.refuse(0, BuildRoute("none"))) is NoSuchPlaceError
    assert type(game.empty(0).refuse(0, BuildRoute(north(8)))) is CannotPayError


def test_e40_cities_do_not_stop_routes() -> None:
    game = builder().route(0, north(1), north(2))
    # n1, at the end of the chain, has a post of seat 1.
    assert BuildRoute(north(3)) in game.legal(BuildRoute)


def test_e40_thirty_routes_and_no_more() -> None:
    game = builder()
    game.state.routes_left[0] = 0
    refusal = game.refuse(0, BuildRoute(north(1)))
    assert (type(refusal), refusal.rule) == (NoPieceLeftError, "E-40")
    assert not game.legal(BuildRoute)


def test_e41_the_route_that_ends_an_isolation_pays_the_owners_of_the_chain() -> None:
    game = builder().route(0, north(1))
    # n0 and n1 are joined by two routes of seat 0; both were isolated, and the chain pays once.
    assert game.play(0, BuildRoute(north(2))) == [
        RouteBuilt(0, north(2), "paid", ROUTE_COST, False),
        ConnectionPaid(("n0", "n1"), (north(1), north(2)), (2, 0, 0, 0)),
    ]
    assert game.state.gold[0] == 2


def test_e41_routes_of_others_in_the_chain_pay_their_owners() -> None:
    game = builder().route(1, north(2)).gold(1, 0)
    assert game.play(0, BuildRoute(north(1)))[1] == ConnectionPaid(
        ("n0", "n1"), (north(1), north(2)), (1, 1, 0, 0)
    )
    assert game.state.gold[:2] == [1, 1]


def test_e41_a_city_joined_to_two_others_takes_the_shortest_chain() -> None:
    game = builder().route(1, north(2), north(3), north(4))
    # n1 and n2 are joined already; n0 comes to them by two routes to n1.
    assert game.play(0, BuildRoute(north(1)))[1] == ConnectionPaid(
        ("n0",), (north(1), north(2)), (1, 1, 0, 0)
    )


def test_e41_the_chain_of_an_isolated_city_may_end_in_any_city() -> None:
    # n0, the first city of the board, is joined to s0 already; n1 comes to them by two routes.
    game = builder().route(1, north(0), stairs(0), middle(0), "-1,1E", "0,1SW").route(0, north(1))
    assert game.play(0, BuildRoute(north(2)))[1] == ConnectionPaid(
        ("n1",), (north(2), north(1)), (2, 0, 0, 0)
    )


def test_e41_cities_that_are_joined_already_pay_nothing_more() -> None:
    game = builder().route(0, north(1), north(2), stairs(0))
    facts = game.play(0, BuildRoute(stairs(1)))
    assert facts == [RouteBuilt(0, stairs(1), "paid", ROUTE_COST, False)]


WAY_TO_THE_FORK = (north(1), stairs(1), middle(2), middle(3))
"""Routes from n0 to the foot of a path that ends half way between n1 and n2."""


def test_e41_of_equal_chains_that_pay_differently_the_builder_picks_one() -> None:
    game = Small().give(0, ore=5, lumber=4).rolled().gold(0, 0)
    # From the crossroads 2,-1S one route of seat 1 leads to n1 and one of seat 2 to n2; n1 and n2 are joined
    # by them.
    game.route(1, north(3)).route(2, north(4)).route(0, *WAY_TO_THE_FORK)
    chains = ((*WAY_TO_THE_FORK, stairs(2), north(4)), (*WAY_TO_THE_FORK, stairs(2), north(3)))
    assert game.play(0, BuildRoute(stairs(2))) == [
        RouteBuilt(0, stairs(2), "paid", ROUTE_COST, False),
        ChainsTied(0, ("n0",), chains),
    ]
    assert game.rules.view(game.state, 0)["choice"]["chains"] == [list(chain) for chain in chains]
    assert type(game.refuse(0, EndTurn())) is WrongPhaseError
    assert type(game.refuse(0, ChooseChain((north(1),)))) is NoSuchChoiceError
    assert game.legal(ChooseChain) == [ChooseChain(chain) for chain in chains]
    assert game.play(0, ChooseChain(chains[1])) == [ConnectionPaid(("n0",), chains[1], (5, 1, 0, 0))]
    assert EndTurn() in game.rules.legal_moves(game.state, 0)


def test_e41_equal_chains_that_pay_alike_leave_nothing_to_choose() -> None:
    game = Small().give(0, ore=5, lumber=4).rolled().gold(0, 0)
    game.route(1, north(3), north(4)).route(0, *WAY_TO_THE_FORK)
    facts = game.play(0, BuildRoute(stairs(2)))
    assert [fact.type for fact in facts] == ["route_built", "connection_paid"]


def test_e42_a_double_arrow_gives_one_more_route_beside_it() -> None:
    game = builder().route(0, north(8))
    assert game.play(0, BuildRoute(DOUBLE[0])) == [
        RouteBuilt(0, DOUBLE[0], "paid", ROUTE_COST, True),
        ConnectionPaid(("n3", "n4"), (DOUBLE[0], north(8)), (2, 0, 0, 0)),
    ]
    assert game.rules.legal_moves(game.state, 0) == [
        BuildRoute(north(6)),
        BuildRoute(stairs(4)),
        ForgoRoute(),
        EndTurn(),
    ]
    before = game.hand(0)
    assert game.play(0, BuildRoute(stairs(4))) == [RouteBuilt(0, stairs(4), "double_arrow", NOTHING, False)]
    assert game.hand(0) == before


def test_e42_the_bonus_may_be_declined_and_must_lie_beside_the_arrow() -> None:
    game = builder().route(0, north(8))
    game.play(0, BuildRoute(DOUBLE[0]))
    refusal = game.refuse(0, BuildRoute(north(1)))
    assert (type(refusal), refusal.rule) == (NotBesideError, "E-42")
    assert game.play(0, ForgoRoute()) == [RouteForgone(0, "double_arrow")]
    assert type(game.refuse(0, ForgoRoute())) is WrongPhaseError


def test_e42_the_bonus_route_has_no_bonus_itself() -> None:
    game = builder().route(0, north(8))
    arrow, other = (game.board.path_index[path] for path in DOUBLE)
    assert other in game.board.beside[arrow]
    game.play(0, BuildRoute(DOUBLE[0]))
    assert game.play(0, BuildRoute(DOUBLE[1])) == [RouteBuilt(0, DOUBLE[1], "double_arrow", NOTHING, False)]
    assert game.rules.view(game.state, 0)["phase"] == "action"


def test_e42_the_bonus_lapses_without_a_free_path_beside_or_without_a_route() -> None:
    game = builder().route(0, north(8)).route(1, north(6), stairs(4))
    assert game.play(0, BuildRoute(DOUBLE[0]))[0] == RouteBuilt(0, DOUBLE[0], "paid", ROUTE_COST, False)
    last = builder().route(0, north(8))
    last.state.routes_left[0] = 1
    assert last.play(0, BuildRoute(DOUBLE[0]))[0] == RouteBuilt(0, DOUBLE[0], "paid", ROUTE_COST, False)


def test_e41_free_routes_earn_connection_gold_too() -> None:
    game = Small().card(0, "safe_conduct").rolled().gold(0, 0)
    game.play(0, PlaySafeConduct())
    game.play(0, BuildRoute(north(1)))
    assert game.play(0, BuildRoute(north(2)))[1] == ConnectionPaid(
        ("n0", "n1"), (north(1), north(2)), (2, 0, 0, 0)
    )
