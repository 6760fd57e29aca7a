"""Why the player on turn can make no move of a kind: everything that is missing, each with its rule.

A refusal says why one move is not possible; an obstacle says it of all moves of a kind.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kontor_games.domain.game import Move, Obstacle
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import GRAIN, SALT, Cards, counts_of
from kontor_games.domain.games.europe.refusals import (
    CannotDeliverError,
    CannotPayError,
    NoPieceLeftError,
    NotBesideError,
    NothingToDeliverError,
    OncePerTurnError,
    OutOfReachError,
    PieceNotThereError,
    PlaceOccupiedError,
    SupplyEmptyError,
    TooManyOffersError,
)
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.text.phrases import amount, cards
from kontor_games.domain.toolkit.messages import Value

Obstacles = Iterator[Obstacle]


def _missing(state: EuropeState, seat: int, price: Cards, rule: str) -> Obstacles:
    """Yield what a hand lacks of a price."""
    pairs = zip(RESOURCES, state.hand(seat), counts_of(price), strict=True)
    if lacking := {name: count - held for name, held, count in pairs if held < count}:
        yield _lacking(cards(Cards(**lacking)), rule)


def _lacking(what: Value, rule: str) -> Obstacle:
    return Obstacle.of(CannotPayError, rule, "missing", what=what)


def _to_build_route(state: EuropeState, seat: int, rule: Any) -> Obstacles:
    yield from _missing(state, seat, rule.price, "E-40")
    if not state.routes_left[seat]:
        yield Obstacle.of(NoPieceLeftError, "E-40", "no_route_left")
    elif not rule.sites(state, seat):
        yield Obstacle.of(NotBesideError, "E-40", "no_free_path")


def _to_hire_merchant(state: EuropeState, seat: int, rule: Any) -> Obstacles:
    yield from _missing(state, seat, rule.price, "E-40")
    if not any(rule.is_free(state, city) for city in state.index.posts_of[seat]):
        yield Obstacle.of(PlaceOccupiedError, "E-40", "no_free_post")


def _to_form_caravan(state: EuropeState, seat: int, rule: Any) -> Obstacles:
    yield from _missing(state, seat, rule.price, "E-40")
    if not rule.sites(state, seat) & ~sum(1 << path for path in state.index.full):
        yield Obstacle.of(NotBesideError, "E-40", "no_route_beside_post")


def _to_move_merchant(state: EuropeState, seat: int, rule: Any) -> Obstacles:
    if not state.held(seat, GRAIN):
        yield _lacking(amount("grain"), "E-43")
    if set(state.merchants_of(seat)) == {NOBODY}:
        yield Obstacle.of(PieceNotThereError, "E-43", "no_merchant")


def _to_move_caravan(state: EuropeState, seat: int, rule: Any) -> Obstacles:
    if not state.held(seat, SALT) and not state.steps:
        yield _lacking(amount("salt"), "E-46")
    standing = [at for at in state.caravans_of(seat) if at != NOBODY]
    if not standing:
        yield Obstacle.of(PieceNotThereError, "E-46", "no_caravan")
        return
    board, owners = state.tables.board, state.route
    onward = {owners[path] for at in standing for path in board.beside[at]} - {NOBODY}
    if not onward:
        yield Obstacle.of(OutOfReachError, "E-46", "no_route_onward")
    elif seat not in onward and not state.gold[seat]:
        yield Obstacle.of(CannotPayError, "E-47", "route_or_toll")


def _to_deliver(state: EuropeState, seat: int, rule: Any) -> Obstacles:
    if not state.free_goods[seat]:
        yield Obstacle.of(NothingToDeliverError, "E-48", "no_free_good")
    customers = state.index.customers[seat]
    if not any(at != NOBODY and customers >> at & 1 for at in state.caravans_of(seat)):
        yield Obstacle.of(CannotDeliverError, "E-48", "no_customer")


def _to_buy_card(state: EuropeState, seat: int, rule: Any) -> Obstacles:
    if refusal := rule.not_for_sale(state):
        bought = isinstance(refusal, OncePerTurnError)
        yield Obstacle.of(type(refusal), refusal.rule, "card_bought" if bought else "no_card_left")
    yield from _missing(state, seat, rule.price, "E-40")


def _to_buy_resource(state: EuropeState, seat: int, rule: Any) -> Obstacles:
    if state.gold_buys >= rule.times_a_turn:
        yield Obstacle.of(OncePerTurnError, "E-31", "bought_often", n=rule.times_a_turn)
    if (lacking := rule.price - state.gold[seat]) > 0:
        yield _lacking(amount("gold", lacking), "E-31")


def _to_trade_with_supply(state: EuropeState, seat: int, rule: Any) -> Obstacles:
    if max(state.hand(seat)) < rule.alike:
        yield Obstacle.of(CannotPayError, "E-32", "cards_alike", n=rule.alike)


def _to_offer_trade(state: EuropeState, seat: int, rule: Any) -> Obstacles:
    if not state.sizes[seat] and not state.gold[seat]:
        yield Obstacle.of(CannotPayError, "E-30", "nothing_to_offer")
    elif rule.too_many(state, seat):
        yield Obstacle.of(TooManyOffersError, "E-30", "offers_made")


FINDERS: Mapping[type[Move], Callable[[EuropeState, int, Any], Obstacles]] = {
    m.BuildRoute: _to_build_route,
    m.HireMerchant: _to_hire_merchant,
    m.FormCaravan: _to_form_caravan,
    m.MoveMerchant: _to_move_merchant,
    m.MoveCaravan: _to_move_caravan,
    m.Deliver: _to_deliver,
    m.BuyCard: _to_buy_card,
    m.BuyResource: _to_buy_resource,
    m.TradeWithSupply: _to_trade_with_supply,
    m.OfferTrade: _to_offer_trade,
}
"""The kinds of move that a player wants to make in the action phase."""
NOWHERE: Mapping[type[Move], Obstacle] = {
    m.MoveMerchant: Obstacle.of(OutOfReachError, "E-43", "nowhere"),
    m.MoveCaravan: Obstacle.of(OutOfReachError, "E-46", "nowhere"),
    m.FormCaravan: Obstacle.of(PlaceOccupiedError, "E-40", "nowhere"),
    m.BuyResource: Obstacle.of(SupplyEmptyError, "E-32", "supply_empty"),
    m.TradeWithSupply: Obstacle.of(SupplyEmptyError, "E-32", "supply_empty"),
}
"""What remains if nothing in particular is missing."""


def obstacles(state: EuropeState, seat: int, kind: type[Move], rule: Any) -> tuple[Obstacle, ...]:
    """Return everything that a player lacks for a kind of move of which none is possible."""
    return tuple(FINDERS[kind](state, seat, rule)) or (NOWHERE[kind],)
