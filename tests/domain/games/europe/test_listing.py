"""The fast listings are exactly what `verify` accepts, at every position of random matches.

Every conceivable move of every kind is tried.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from kontor_games.domain.game import Move, Refusal
from kontor_games.domain.games.europe import moves
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.options import EuropeOptions
from kontor_games.domain.games.europe.rules import EuropeRules
from kontor_games.domain.games.europe.rules.journeys import salt_in_hand, trip_of
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.games.europe.state.board_tables import numbers
from tests.domain.games.europe.installed import europe, options_of
from tests.domain.games.europe.random_matches import random_match
from tests.domain.games.europe.small import RULES, RULES_2, Small, middle, north, stairs
from tests.support.walks import sample_size

pytestmark = [pytest.mark.sampled, pytest.mark.slow, pytest.mark.untraced]

PLAIN = (
    moves.RollDice,
    moves.ForgoTheft,
    moves.BuyCard,
    moves.ForgoRoute,
    moves.LeaveHexEmpty,
    moves.Halt,
    moves.PlaySafeConduct,
    moves.PlayTreatyForGold,
    moves.PlayLancer,
    moves.EndTurn,
)
CITY = (moves.PlaceStartPost, moves.PlaceNeutralPost, moves.Deliver)
PATH = (moves.PlaceStartRoute, moves.BuildRoute)


Prices = dict[tuple[str, ...], Any]
"""The way of a caravan to its salt and its toll."""


def universe(state: EuropeState) -> Iterator[Move]:
    """Yield every conceivable move on this board, except moves of caravans, offers and sets of cards."""
    board = state.tables.board
    cities, paths, hexes = state.tables.city_ids, state.tables.path_ids, state.tables.hex_ids
    yield from (kind() for kind in PLAIN)
    yield from (kind(city) for kind in CITY for city in cities)
    yield from (kind(path) for kind in PATH for path in paths)
    yield from (moves.HireMerchant(city, moved) for city in cities for moved in (None, 0, 1))
    yield from (moves.FormCaravan(path, moved) for path in paths for moved in (None, 0, 1))
    yield from (kind(h) for kind in (moves.MoveRobber, moves.PlaceToken) for h in hexes)
    yield from (moves.StealCard(seat) for seat in range(4))
    yield from (kind(resource) for kind in (moves.DiscardCard, moves.BuyResource) for resource in RESOURCES)
    yield from (moves.TradeWithSupply(give, take) for give, take in product(RESOURCES, (*RESOURCES, "gold")))  # type: ignore[arg-type]
    yield from (moves.PlayTreatyForMerchant(merchant, to) for merchant in (0, 1) for to in board.crossroads)
    yield from (moves.PlayBribe(caravan) for caravan in (0, 1))
    yield from (
        moves.ShiftToken(source, to) for to in (hexes if state.token_hexes else ()) for source in hexes
    )
    yield from (moves.ChooseChain(chain) for chain in state.chains)
    numbers = range(max(1, state.offer_count - 12), state.offer_count + 2)
    yield from (
        kind(number)
        for kind in (moves.AcceptOffer, moves.DeclineOffer, moves.WithdrawOffer)
        for number in numbers
    )


def passes(rules: EuropeRules, state: EuropeState, seat: int, move: Move) -> bool:
    try:
        rules.verify(state, seat, move)
    except Refusal:
        return False
    return True


def check_lists(rules: EuropeRules, state: EuropeState) -> None:
    for seat in range(state.seats):
        listed = rules.legal_moves(state, seat)
        others = {move for move in listed if not isinstance(move, moves.MoveMerchant | moves.MoveCaravan)}
        assert len(listed) == len(set(listed))
        assert others == {move for move in universe(state) if passes(rules, state, seat, move)}
        check_walks(rules, state, seat, [move for move in listed if isinstance(move, moves.MoveMerchant)])
        check_journeys(rules, state, seat, [move for move in listed if isinstance(move, moves.MoveCaravan)])


def check_walks(rules: EuropeRules, state: EuropeState, seat: int, listed: list[moves.MoveMerchant]) -> None:
    """Every crossroads that a merchant can be moved to is listed once, with its price."""
    tried = product((0, 1), state.tables.board.crossroads)
    assert {(move.merchant, move.to) for move in listed} == {
        (merchant, to)
        for merchant, to in tried
        if passes(rules, state, seat, moves.MoveMerchant(merchant, to))
    }
    assert all(passes(rules, state, seat, move) and move.grain for move in listed)


def check_journeys(
    rules: EuropeRules, state: EuropeState, seat: int, listed: list[moves.MoveCaravan]
) -> None:
    """Listed are single steps, routes behind full ones, and the cheapest way to each place for a good."""
    index, targets = (
        state.tables.board.path_index,
        numbers(state.index.customers[seat]) if state.free_goods[seat] else [],
    )
    assert all(passes(rules, state, seat, move) for move in listed)
    for caravan in (0, 1):
        mine = {move.path: (move.salt, move.toll) for move in listed if move.caravan == caravan}
        ways = dict(walks(rules, state, seat, caravan))
        assert {path for path in ways if len(path) == 1} <= set(mine)
        check_ways_past_full(rules, state, ways, mine)
        for target in set(targets) - {state.caravan(seat, caravan)}:
            prices = sorted(price for path, price in ways.items() if index[path[-1]] == target)
            assert (
                sorted(price for path, price in mine.items() if index[path[-1]] == target)[:1] == prices[:1]
            )


def check_ways_past_full(rules: EuropeRules, state: EuropeState, ways: Prices, mine: Prices) -> None:
    """Version 1 lists a route behind full ones unless a way round is as cheap, and no end twice.

    Version 2 lists it in any case.
    """
    index, full = state.tables.board.path_index, state.index.full
    past = {path for path in ways if all(index[step] in full for step in path[:-1])}
    if rules.version == 1:
        ends = {path[-1] for path in mine}
        assert len(ends) == len(mine)
        for path in past:
            assert path[-1] in ends or any(
                index[way[0]] not in full and ways[way] <= ways[path] for way in ways if way[-1] == path[-1]
            )
    else:
        for path in past:
            assert any(way[-1] == path[-1] and mine[way] <= ways[path] for way in past & set(mine))


def walks(
    rules: EuropeRules, state: EuropeState, seat: int, caravan: int
) -> Iterator[tuple[tuple[str, ...], tuple[int, int]]]:
    """Every way without a turn back that passes, with its price: found by trying them all."""
    at = state.caravans[seat * 2 + caravan]
    if at < 0 or seat != state.active or state.places:
        return
    trip = trip_of(state, seat, caravan, 3)
    longest = min(6, trip.left + 3 * salt_in_hand(state, trip))
    for path in simple_paths(state, at, (), longest):
        if passes(rules, state, seat, moves.MoveCaravan(caravan, path)):
            yield (
                path,
                next(
                    price
                    for price in product(range(4), range(4))
                    if passes(rules, state, seat, moves.MoveCaravan(caravan, path, *price))
                ),
            )


def simple_paths(
    state: EuropeState, at: int, way: tuple[str, ...], longest: int
) -> Iterator[tuple[str, ...]]:
    ids = state.tables.path_ids
    for path in state.tables.board.beside[at]:
        if state.route[path] >= 0 and ids[path] not in way and len(way) < longest:
            longer = (*way, ids[path])
            yield longer
            yield from simple_paths(state, path, longer, longest)


@pytest.mark.parametrize(
    ("seats", "seed", "set_up"), [(3, 1, "free"), (4, 2, "fixed"), (3, 3, "fixed"), (4, 4, "free")]
)
def test_the_listed_moves_are_the_accepted_ones_on_the_small_board(
    seats: int, seed: int, set_up: Any
) -> None:
    for step in random_match(RULES, seats, seed, EuropeOptions(set_up=set_up, turn_limit=60)):
        if step.number < 25 or step.number % sample_size(29, 1) == 0 or step.state.phase not in (4, 8):
            check_lists(RULES, step.state)


@pytest.mark.parametrize(("board", "seats"), [("short", 4), ("expert", 3)])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_the_listed_moves_are_the_accepted_ones_on_the_built_in_boards(
    board: str, seats: int, version: int
) -> None:
    rules = europe(board, version)
    for step in random_match(rules, seats, 8, options_of(rules, turn_limit=200)):
        if step.number % sample_size(197, 1) == 0:
            check_lists(rules, step.state)


@pytest.mark.parametrize("rules", [RULES, RULES_2], ids=["version 1", "version 2"])
def test_the_listed_moves_are_the_accepted_ones_on_crowded_routes(rules: EuropeRules) -> None:
    """Eight caravans on eleven routes of all owners, full and free, with and without goods, salt and gold."""
    for case in range(24):
        game = (
            Small(rules=rules)
            .rolled()
            .gold(0, case % 3)
            .goods(0, case % 2)
            .empty(0)
            .give(0, salt=1 + case % 2)
        )
        for step, path in enumerate(
            (north(1), north(2), north(3), north(4), stairs(1), stairs(2), middle(2), middle(3))
        ):
            game.route((step + case) % 4 if case % 4 else 0, path)
        for piece in range(2, 8):
            game.caravan(
                piece // 2,
                piece % 2,
                (north(1), north(2), north(3), stairs(1), middle(2))[(piece // 2 + case // 2) % 5],
            )
        game.caravan(0, 0, north(0))
        check_lists(game.rules, game.state)
