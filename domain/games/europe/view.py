"""The view: the viewer's own cards, the number of cards of others, everything on the board (E-25)."""

from itertools import compress
from typing import Any

from kontor_games.domain.codec import ARBITER, Plain
from kontor_games.domain.game import View
from kontor_games.domain.games.europe.data.board import RESOURCES
from kontor_games.domain.games.europe.data.components import CARDS, kind_of
from kontor_games.domain.games.europe.state import NEUTRAL, NOBODY, EuropeState, Offer
from kontor_games.domain.games.europe.state.phases import PHASES


def view(state: EuropeState, viewer: int) -> View:
    """The table as one seat, a spectator or the arbiter sees it."""
    return {
        **_turn(state),
        **_board(state),
        "supply": dict(zip(RESOURCES, state.supply, strict=True)),
        "pile": sum(state.pile),
        "played_cards": dict(zip(CARDS, state.discarded, strict=True)),
        "players": [_player(state, seat, viewer) for seat in range(state.seats)],
        "choice": _choice(state),
        "offers": [_offer(offer) for offer in state.offers],
    }


def _turn(state: EuropeState) -> View:
    setting = state.setting
    return {
        "phase": PHASES[state.phase],
        "turn": state.turn,
        "turn_limit": setting.turn_limit,
        "round": -(-state.turn // state.seats),
        "first": _seat(state.first),
        "active": _seat(state.active),
        "rolled": state.rolled,
        "dice": list(state.dice) if state.rolled else None,
        "card_played": state.card_played,
        "card_bought": state.fresh >= 0,
        "gold_buys": state.gold_buys,
        "neutral": setting.neutral,
        "set_up": "free" if setting.free else "fixed",
        "goods_to_deliver": setting.goods,
        "ended": state.ended or None,
    }


def _board(state: EuropeState) -> View:
    return {
        "robber": state.tables.hex_ids[state.robber],
        **_lasting_pieces(state),
        "sea": dict(zip(RESOURCES, map(len, state.sea), strict=True)),
    }


def _lasting_pieces(state: EuropeState) -> View:
    """The pieces that most moves do not change; cached until one of their lists is replaced."""
    lists = (state.good, state.number, state.post, state.route, state.token)
    if state.shown_board[0] != lists:  # fast, because a list that was not replaced is the same object
        state.shown_board = lists, _pieces(state)
    return state.shown_board[1]


def _pieces(state: EuropeState) -> View:
    tables = state.tables
    hexes, cities, paths = tables.hex_ids, tables.city_ids, tables.path_ids
    posts = zip(cities, state.post, state.good, strict=True)
    return {
        "numbers": dict(compress(zip(hexes, state.number, strict=True), state.number)),
        "tokens": list(compress(hexes, state.token)),
        "posts": {
            city: {"owner": None if owner == NEUTRAL else owner, "good": None if good == NOBODY else good}
            for city, owner, good in posts
            if owner != NOBODY
        },
        "routes": {path: owner for path, owner in zip(paths, state.route, strict=True) if owner != NOBODY},
    }


def _player(state: EuropeState, seat: int, viewer: int) -> View:
    crossroads, paths = state.tables.board.crossroads, state.tables.path_ids
    fresh = state.fresh >= 0 and seat == state.active
    shown: View = {
        "colour": state.setting.colours[seat],
        "gold": state.gold[seat],
        "hand_size": state.sizes[seat],
        "card_count": len(state.cards[seat]) + fresh,
        "posts_left": state.posts_left[seat],
        "routes_left": state.routes_left[seat],
        "offers_made": state.offers_made[seat],
        "goods": _goods(state, seat),
        "merchants": [crossroads[at] if at >= 0 else None for at in state.merchants_of(seat)],
        "caravans": [paths[at] if at >= 0 else None for at in state.caravans_of(seat)],
    }
    if viewer in (seat, ARBITER):
        kinds = [kind_of(card) for card in state.cards[seat]]
        shown["resources"] = dict(zip(RESOURCES, state.hand(seat), strict=True))
        shown["cards"] = {card: kinds.count(kind) for kind, card in enumerate(CARDS)}
        shown["new_card"] = CARDS[kind_of(state.fresh)] if fresh else None
    return shown


def _goods(state: EuropeState, seat: int) -> Plain:
    free, delivered = state.free_goods[seat], state.delivered[seat]
    return {"covered": state.setting.goods - free - delivered, "free": free, "delivered": delivered}


def _choice(state: EuropeState) -> Plain:
    """Pending choices, and the remaining steps of a caravan."""
    tables = state.tables
    found: dict[str, Any] = {}
    if any(state.due):
        found["due"] = state.due[:]
    if state.victims:
        found["victims"] = list(state.victims)
    if state.chains:
        found["chains"] = [list(chain) for chain in state.chains]
    if state.bonus >= 0:
        found["double_arrow"] = tables.path_ids[state.bonus]
    if state.free_routes:
        found["free_routes"] = state.free_routes
    if state.token_hexes:
        found["hexes"] = [tables.hex_ids[h] for h in state.token_hexes]
    if state.moving >= 0:
        found["moving"] = {"caravan": state.moving, "steps": state.steps, "toll_free": state.bribed}
    paid = [[owner for owner in range(state.seats) if tolls >> owner & 1] for tolls in state.tolls]
    return {**found, "tolls_paid": paid} if any(paid) else found


def _offer(offer: Offer) -> Plain:
    return {
        "offer": offer.number,
        "maker": offer.maker,
        "to": list(offer.to),
        "give": offer.give.amounts(),
        "want": offer.want.amounts(),
    }


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat
