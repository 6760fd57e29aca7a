"""The worked examples of the printed rules, played to their printed outcomes on our boards.

The numbers at the beginning of the docstrings are the rules that an example illustrates.
"""

from typing import Self

import pytest

from kontor_games.domain.game import Fact
from kontor_games.domain.games.europe.facts.merchants import PostFounded
from kontor_games.domain.games.europe.facts.routes import ConnectionPaid
from kontor_games.domain.games.europe.facts.tokens import TokenPlaced, TokenShifted
from kontor_games.domain.games.europe.facts.turn import TurnBegan
from kontor_games.domain.games.europe.moves import (
    BuildRoute,
    BuyResource,
    Deliver,
    DiscardCard,
    EndTurn,
    MoveCaravan,
    MoveMerchant,
    PlaceToken,
    RollDice,
    ShiftToken,
    TradeWithSupply,
)
from kontor_games.domain.games.europe.refusals import (
    CannotPayError,
    OutOfReachError,
    PlaceOccupiedError,
    SameKindError,
)
from kontor_games.domain.games.europe.rules import EuropeRules
from kontor_games.domain.games.europe.state import NOBODY
from tests.domain.games.europe.installed import europe, options_of
from tests.domain.games.europe.small import RULES_3, Small, road, way
from tests.domain.games.europe.test_boards import shortest_ways

RED, BLUE, WHITE, ORANGE = range(4)
EXPERT = europe("expert-2")
both = pytest.mark.parametrize("rules", [EXPERT, europe("short-2")], ids=["expert-2", "short-2"])


class Printed(Small):
    """An empty board on which a test places the pieces of an example; one colour is about to roll."""

    def __init__(self, active: int, rules: EuropeRules = EXPERT) -> None:
        self.rules = rules
        self.board = rules.board
        self.state = rules.table(4, options_of(rules))
        TurnBegan(active, 1).fold(self.state)

    def at(self, city: str) -> str:
        """Return the crossroads of a city."""
        return self.board.crossroads[self.board.cities[self.board.city_index[city]].crossroads]

    def links(self, one: str, other: str) -> list[list[str]]:
        """Return the shortest ways from city to city, as paths."""
        ends = (self.board.crossroads_index[self.at(city)] for city in (one, other))
        return [[self.board.paths[path].id for path in found] for found in shortest_ways(self.board, *ends)]

    def roll(self, *dice: int) -> list[Fact]:
        """The player on turn rolls."""
        return self.play(self.state.active, RollDice(), dice=[die - 1 for die in dice])

    def round(self, *dice: int) -> Self:
        """End the turn; the others roll and end theirs; the same player rolls again."""
        begun = self.state.active
        while True:
            self.play(self.state.active, EndTurn())
            self.roll(*dice)
            if self.state.active == begun:
                return self


def paid(facts: list[Fact]) -> list[ConnectionPaid]:
    return [fact for fact in facts if isinstance(fact, ConnectionPaid)]


@both
def test_a_5_gives_blue_at_lyon_one_wool_orange_and_red_one_grain_and_white_one_gold(
    rules: EuropeRules,
) -> None:
    """E-21, E-23."""
    game = Printed(RED, rules)
    game.post(BLUE, "lyon").post(ORANGE, "cologne").post(RED, "nuremberg").post(WHITE, "belgrade")
    game.roll(2, 3)
    assert [game.hand(seat) for seat in range(4)] == [{"grain": 1}, {"wool": 1}, {}, {"grain": 1}]
    assert game.state.gold == [3, 3, 4, 3]


@both
def test_on_the_first_boards_blue_got_wool_and_salt(rules: EuropeRules) -> None:
    """The reason for the second drawings."""
    game = Printed(RED, europe(rules.data.name.removesuffix("-2"))).post(BLUE, "lyon")
    game.roll(2, 3)
    assert game.hand(BLUE) == {"wool": 1, "salt": 1}


@both
def test_red_links_turin_and_venice_then_turin_and_bern_and_bern_venice_pays_nothing(
    rules: EuropeRules,
) -> None:
    """E-41: red gets 1 and blue 2 gold for the first link, red 2 for the second."""
    game = Printed(RED, rules).post(RED, "turin").give(RED, ore=3, lumber=3)
    game.roll(6, 6)
    (first, *others), north_way = game.links("turin", "venice")[0], game.links("turin", "bern")[0]
    game.route(BLUE, *others)
    assert paid(game.play(RED, BuildRoute(first))) == [
        ConnectionPaid(("turin", "venice"), (first, *others), (1, 2, 0, 0))
    ]
    facts = [fact for path in north_way for fact in game.play(RED, BuildRoute(path))]
    (link,) = paid(facts)
    assert (link.cities, set(link.chain), link.gold) == (("bern",), set(north_way), (2, 0, 0, 0))


@both
def test_blue_links_kaliningrad_by_a_double_arrow_and_its_free_route_for_3_gold(rules: EuropeRules) -> None:
    """E-41, E-42."""
    game = Printed(BLUE, rules).post(BLUE, "kaliningrad", "wroclaw").give(BLUE, ore=1, lumber=1)
    game.roll(6, 6)
    double = {path.id for path in game.board.paths if path.double}
    arrow, free, last = next(one for one in game.links("kaliningrad", "wroclaw") if one[0] in double)
    game.route(BLUE, last).gold(BLUE, 0)
    assert paid(game.play(BLUE, BuildRoute(arrow))) == []
    assert BuildRoute(free) in game.legal(BuildRoute, BLUE)
    assert paid(game.play(BLUE, BuildRoute(free)))[0].gold == (0, 3, 0, 0)
    assert (game.state.gold[BLUE], game.hand(BLUE)) == (3, {})


@both
def test_white_walks_from_prague_to_wroclaw_and_in_the_next_turn_to_kaliningrad(rules: EuropeRules) -> None:
    """E-43: one grain is not enough for the whole way; at Wroclaw the merchant stays at white's own post."""
    game = Printed(WHITE, rules).post(WHITE, "prague", "wroclaw").give(WHITE, grain=1)
    game.merchant(WHITE, 0, game.at("prague")).roll(6, 6)
    assert type(game.refuse(WHITE, MoveMerchant(0, game.at("kaliningrad")))) is CannotPayError
    game.play(WHITE, MoveMerchant(0, game.at("wroclaw")))
    assert game.hand(WHITE) == {}
    game.round(6, 6).give(WHITE, grain=1)
    game.play(WHITE, MoveMerchant(0, game.at("kaliningrad")))
    assert game.state.post[game.board.city_index["kaliningrad"]] == WHITE


@pytest.mark.parametrize("owner", [NOBODY, RED])
def test_white_can_stop_in_wroclaw_only_at_a_post_of_its_own(owner: int) -> None:
    """E-43, E-44: the example does not say whose Wroclaw is; elsewhere the merchant founds or may not end."""
    game = Printed(WHITE).post(WHITE, "prague").give(WHITE, grain=1)
    game.merchant(WHITE, 0, game.at("prague")).roll(6, 6)
    if owner == RED:
        game.post(RED, "wroclaw")
        refused = game.refuse(WHITE, MoveMerchant(0, game.at("wroclaw")))
        assert type(refused) is PlaceOccupiedError
    else:
        assert game.play(WHITE, MoveMerchant(0, game.at("wroclaw")))[1].type == "post_founded"


@both
def test_blue_buys_grain_founds_in_kaliningrad_and_an_11_gives_salt_from_then_on(rules: EuropeRules) -> None:
    """E-31, E-44, E-45."""
    game = Printed(BLUE, rules).post(BLUE, "wroclaw").gold(BLUE, 2)
    game.merchant(BLUE, 0, game.at("wroclaw")).roll(6, 6)
    game.gold(BLUE, 2).play(BLUE, BuyResource("grain"))
    assert (game.state.gold[BLUE], game.hand(BLUE)) == (0, {"grain": 1})
    facts = game.play(BLUE, MoveMerchant(0, game.at("kaliningrad")), tokens=[1])
    assert facts[1:] == [PostFounded(BLUE, 0, "kaliningrad", 1, ("12,2",)), TokenPlaced(BLUE, "12,2", 11)]
    assert (game.state.merchant(BLUE, 0), game.state.free_goods[BLUE]) == (NOBODY, 2)
    game.play(BLUE, EndTurn())
    game.roll(5, 6)
    assert game.hand(BLUE) == {"salt": 1}


@both
def test_red_founds_in_belgrade_picks_the_mountain_and_moves_the_9_there(rules: EuropeRules) -> None:
    """E-45: the sea has tokens for the field beside Belgrade, but none for the mountain."""
    game = Printed(RED, rules).post(RED, "budapest").post(BLUE, "naples").give(RED, grain=1)
    game.state.sea[3] = ()
    for mountain, number in (("12,0", 3), ("14,5", 10)):
        game.state.set_number(game.board.hex_index[mountain], number)
    game.merchant(RED, 0, game.at("budapest")).roll(6, 6)
    game.play(RED, MoveMerchant(0, game.at("belgrade")))
    field, mountain, ringed = "9,7", "10,7", "7,8"
    assert set(game.rules.legal_moves(game.state, RED)) == {
        PlaceToken(field),
        *(ShiftToken(source, mountain) for source in ("12,0", "14,5", ringed)),
    }
    assert game.play(RED, ShiftToken(ringed, mountain)) == [TokenShifted(RED, ringed, mountain, 9)]
    game.play(RED, EndTurn())
    game.roll(4, 5)
    assert game.hand(RED) == {"ore": 2}, "one from Belgrade, one from the printed 9 beside Budapest"
    assert game.hand(BLUE) == {}


def test_blue_delivers_in_paris_brussels_and_cologne_for_1_salt_and_1_gold() -> None:
    """E-46 to E-48."""
    game = Printed(BLUE).post(BLUE, "bern").post(ORANGE, "paris").post(WHITE, "brussels", "cologne")
    game.give(BLUE, ore=1, lumber=1, salt=1).goods(BLUE, 3).roll(6, 6)
    near_bern, near_paris = game.links("bern", "paris")[0]
    ((between,),), ((last,),) = game.links("paris", "brussels"), game.links("brussels", "cologne")
    game.route(BLUE, near_bern, near_paris).route(WHITE, last).caravan(BLUE, 0, near_bern).gold(BLUE, 1)
    game.play(BLUE, BuildRoute(between))
    game.gold(BLUE, 1).gold(WHITE, 0)
    for step, city in ((near_paris, "paris"), (between, "brussels"), (last, "cologne")):
        game.play(BLUE, MoveCaravan(0, (step,)))
        game.play(BLUE, Deliver(city))
    assert game.state.delivered[BLUE] == 3
    assert (game.hand(BLUE), game.state.gold[BLUE], game.state.gold[WHITE]) == ({}, 0, 1)


def test_a_player_with_nine_cards_gives_back_four_on_a_7() -> None:
    """E-24."""
    game = Printed(RED).give(BLUE, ore=9)
    game.roll(3, 4)
    for _ in range(4):
        game.play(BLUE, DiscardCard("ore"))
    assert (game.hand(BLUE), game.state.due[BLUE]) == ({"ore": 5}, 0)


def test_three_ore_cannot_be_exchanged_for_one_ore() -> None:
    """E-32."""
    game = Printed(RED).give(RED, ore=3)
    game.roll(6, 6)
    assert type(game.refuse(RED, TradeWithSupply("ore", "ore"))) is SameKindError
    game.play(RED, TradeWithSupply("ore", "wool"))
    assert game.hand(RED) == {"wool": 1}


def crossroads_at(game: Printed, city: str, steps: int) -> str:
    """A crossroads without a city, this many steps from a city."""
    start = game.board.crossroads_index[game.at(city)]
    found = game.state.tables.distances(start)
    return next(
        game.board.crossroads[at]
        for at, far in found.items()
        if far == steps and game.board.city_at[at] == NOBODY
    )


def test_three_grain_move_one_merchant_nine_crossroads() -> None:
    """E-43."""
    game = Printed(RED).post(RED, "cologne").give(RED, grain=3)
    game.merchant(RED, 0, game.at("cologne")).roll(6, 6)
    assert type(game.refuse(RED, MoveMerchant(0, crossroads_at(game, "cologne", 10)))) in {
        CannotPayError,
        OutOfReachError,
    }
    game.play(RED, MoveMerchant(0, crossroads_at(game, "cologne", 9)))
    assert game.hand(RED) == {}


def test_two_steps_of_one_merchant_and_one_of_the_other_take_two_grain() -> None:
    """E-43."""
    game = Printed(RED).post(RED, "cologne", "belgrade").give(RED, grain=2)
    game.merchant(RED, 0, game.at("cologne")).merchant(RED, 1, game.at("belgrade")).roll(6, 6)
    game.play(RED, MoveMerchant(0, crossroads_at(game, "cologne", 2)))
    assert game.hand(RED) == {"grain": 1}
    game.play(RED, MoveMerchant(1, crossroads_at(game, "belgrade", 1)))
    assert game.hand(RED) == {}


def test_three_salt_move_one_caravan_nine_routes() -> None:
    """E-46."""
    game = road(salt=3, rules=RULES_3)
    assert type(game.refuse(0, MoveCaravan(0, way(*range(1, 11))))) is CannotPayError
    game.play(0, MoveCaravan(0, way(*range(1, 10))))
    assert game.hand(0) == {}


def test_two_steps_of_one_caravan_and_one_of_the_other_take_two_salt() -> None:
    """E-46."""
    game = road(salt=2, rules=RULES_3).caravan(0, 1, way(9)[0])
    game.play(0, MoveCaravan(0, way(1, 2)))
    assert game.hand(0) == {"salt": 1}
    game.play(0, MoveCaravan(1, way(10)))
    assert game.hand(0) == {}
