"""Development cards: E-60 to E-63."""

from kontor_games.domain.game import WrongPhaseError
from kontor_games.domain.games.europe.data.components import NOTHING
from kontor_games.domain.games.europe.facts.caravans import CaravanMoved, StepsLapsed
from kontor_games.domain.games.europe.facts.development_cards import (
    BribePlayed,
    LancerPlayed,
    SafeConductPlayed,
    TreatyPlayed,
)
from kontor_games.domain.games.europe.facts.merchants import MerchantMoved
from kontor_games.domain.games.europe.facts.production import DiceRolled
from kontor_games.domain.games.europe.facts.robber import (
    RobberMoved,
)
from kontor_games.domain.games.europe.facts.routes import RouteBuilt, RouteForgone
from kontor_games.domain.games.europe.moves import (
    BuildRoute,
    BuyCard,
    EndTurn,
    ForgoRoute,
    Halt,
    MoveCaravan,
    MoveRobber,
    PlayBribe,
    PlayLancer,
    PlaySafeConduct,
    PlayTreatyForGold,
    PlayTreatyForMerchant,
    RollDice,
    StealCard,
)
from kontor_games.domain.games.europe.refusals import (
    NoPieceLeftError,
    NoSuchCardError,
    OncePerTurnError,
    OutOfReachError,
    PieceNotThereError,
)
from tests.domain.games.europe.small import DOUBLE, Small, north, road, stairs, walker, way


def test_e60_a_safe_conduct_lays_two_routes_free_one_after_the_other() -> None:
    game = Small().card(0, "safe_conduct").rolled()
    assert game.play(0, PlaySafeConduct()) == [SafeConductPlayed(0, 2)]
    assert game.play(0, BuildRoute(north(1))) == [RouteBuilt(0, north(1), "safe_conduct", NOTHING, False)]
    assert BuildRoute(north(2)) in game.legal(BuildRoute)
    assert game.play(0, BuildRoute(north(2)))[0] == RouteBuilt(0, north(2), "safe_conduct", NOTHING, False)
    assert not game.legal(BuildRoute)
    assert game.hand(0) == {"lumber": 1, "grain": 1, "salt": 1}


def test_e60_each_route_is_settled_before_the_next_gold_then_arrow() -> None:
    game = Small().card(0, "safe_conduct").route(0, north(8)).rolled().gold(0, 0)
    game.play(0, PlaySafeConduct())
    facts = game.play(0, BuildRoute(DOUBLE[0]))
    assert [fact.type for fact in facts] == ["route_built", "connection_paid"]
    assert game.rules.view(game.state, 0)["phase"] == "bonus_route"
    game.play(0, BuildRoute(stairs(4)))
    assert game.rules.view(game.state, 0)["phase"] == "free_route"
    assert game.play(0, ForgoRoute()) == [RouteForgone(0, "safe_conduct")]


def test_e60_a_safe_conduct_may_be_played_before_the_roll_and_the_turn_goes_on_with_it() -> None:
    game = Small().card(0, "safe_conduct")
    game.play(0, PlaySafeConduct())
    assert type(game.refuse(0, EndTurn())) is WrongPhaseError
    game.play(0, BuildRoute(north(1)))
    game.play(0, ForgoRoute())
    assert game.rules.view(game.state, 0)["phase"] == "roll"


def test_e60_routes_that_cannot_be_built_are_given_up() -> None:
    game = Small().card(0, "safe_conduct").rolled()
    game.state.routes_left[0] = 1
    game.play(0, PlaySafeConduct())
    assert game.play(0, BuildRoute(north(1))) == [
        RouteBuilt(0, north(1), "safe_conduct", NOTHING, False),
        RouteForgone(0, "safe_conduct"),
    ]
    assert game.rules.view(game.state, 0)["phase"] == "action"


def test_e60_without_a_route_left_the_card_is_not_played() -> None:
    game = Small().card(0, "safe_conduct").rolled()
    game.state.routes_left[0] = 0
    refusal = game.refuse(0, PlaySafeConduct())
    assert (type(refusal), refusal.rule) == (NoPieceLeftError, "E-60")


def test_e60_a_card_bought_this_turn_waits_for_the_next() -> None:
    game = Small().give(0, wool=1).rolled()
    game.play(0, BuyCard(), deck=[0])
    refusal = game.refuse(0, PlayLancer())
    assert (type(refusal), refusal.rule) == (NoSuchCardError, "E-60")
    game.play(0, EndTurn())
    for seat in (1, 2, 3):
        game.play(seat, RollDice(), dice=[5, 5])
        game.play(seat, EndTurn())
    assert PlayLancer() in game.rules.legal_moves(game.state, 0)


def test_e60_one_card_a_turn() -> None:
    game = Small().card(0, "trade_treaty").card(0, "trade_treaty")
    game.play(0, PlayTreatyForGold())
    refusal = game.refuse(0, PlayTreatyForGold())
    assert (type(refusal), refusal.rule) == (OncePerTurnError, "E-20")
    game.rolled()
    assert not game.legal(PlayTreatyForGold)


def test_e60_only_cards_in_hand_can_be_played() -> None:
    game = Small().card(0, "bribe").card(1, "lancer")
    for move in (PlayLancer(), PlaySafeConduct(), PlayTreatyForGold()):
        assert type(game.refuse(0, move)) is NoSuchCardError
    assert game.legal(PlayBribe) == [PlayBribe(0)]


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


def test_e61_no_farther_than_seven_crossroads_and_only_with_the_card() -> None:
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


def test_e62_a_lancer_makes_nobody_discard() -> None:
    game = Small().card(0, "lancer").give(1, ore=9)
    game.play(0, PlayLancer())
    assert list(game.rules.to_act(game.state)) == [0]
    assert all(isinstance(move, MoveRobber) for move in game.rules.legal_moves(game.state, 0))


def test_e62_a_lancer_takes_two_gold_moves_the_robber_and_steals() -> None:
    game = Small().card(0, "lancer").gold(0, 0)
    assert game.play(0, PlayLancer()) == [LancerPlayed(0, 2)]
    assert game.state.gold[0] == 2
    assert game.play(0, MoveRobber("1,0")) == [RobberMoved(0, "1,0", (1,))]
    assert game.play(0, StealCard(1))[0].type == "card_stolen"
    assert game.rules.legal_moves(game.state, 0) == [RollDice()]


def test_e62_after_the_roll_the_turn_goes_on_where_it_was() -> None:
    game = Small().card(0, "lancer").rolled()
    game.play(0, PlayLancer())
    game.play(0, MoveRobber("0,0"))
    assert EndTurn() in game.rules.legal_moves(game.state, 0)


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


def test_e63_a_bribe_does_not_count_as_a_paid_toll() -> None:
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
