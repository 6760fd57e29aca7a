"""The list of legal moves, phase by phase: candidates that meet the same conditions that `verify` refuses by."""

from collections.abc import Callable

from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import (
    buying,
    caravans,
    development,
    ending,
    merchants,
    moves,
    producing,
    routes,
    setting_up,
    trading,
)
from kontor_games.domain.games.europe.state import (
    ACTION,
    BONUS_ROUTE,
    CHAIN,
    DISCARD,
    FREE_ROUTE,
    GO_ON,
    ROBBER,
    ROLL,
    SET_UP_NEUTRAL,
    SET_UP_POST,
    SET_UP_ROUTE,
    THEFT,
    TOKEN,
    EuropeState,
)

QUIET = frozenset((moves.RollDice, moves.ForgoTheft, moves.ForgoRoute, moves.LeaveHexEmpty, moves.EndTurn))
"""What gives nothing away."""


def legal_moves(state: EuropeState, seat: int) -> list[Move]:
    """Every listable move of this seat."""
    phase = state.phase
    if phase == ACTION:
        return action_moves(state, seat) if seat == state.active else answers(state, seat)
    if phase == DISCARD:
        return producing.discard_moves(state, seat) if state.due[seat] else []
    if seat != state.active or phase not in _LISTED:
        return []
    return _LISTED[phase](state, seat)


def answers(state: EuropeState, seat: int) -> list[Move]:
    """What a player who is not on turn can say."""
    found: list[Move] = []
    if state.offers:
        trading.answer_moves(state, seat, found)
    return found


def may_speak(state: EuropeState, seat: int) -> bool:
    """Whether a player who is not on turn has an offer to make, to answer or to take back."""
    return trading.may_offer(state, seat) or any(
        seat in offer.to or seat == offer.maker for offer in state.offers
    )


def action_moves(state: EuropeState, seat: int) -> list[Move]:
    """What the player on turn can do after production."""
    found: list[Move] = []
    caravans.deliver_moves(state, seat, found)
    caravans.caravan_moves(state, seat, found)
    if state.sizes[seat]:
        build_moves(state, seat, found)
    buying.supply_moves(state, seat, found)
    if state.cards[seat]:
        development.card_moves(state, seat, found)
    if state.offers:
        trading.answer_moves(state, seat, found)
    found.append(ending.END_TURN)
    return found


def build_moves(state: EuropeState, seat: int, found: list[Move]) -> None:
    """Everything that cards in hand can pay for (E-40, E-43)."""
    lumber, wool, grain, ore, salt = state.hands[seat * 5 : seat * 5 + 5]
    if grain:
        merchants.merchant_moves(state, seat, found)
        if wool and lumber:
            found += merchants.hire_moves(state, seat)
    if ore and lumber:
        if state.routes_left[seat]:
            found += routes.route_moves(state, seat)
        if salt:
            found += caravans.form_moves(state, seat)
    if wool and salt and buying.card_for_sale(state):
        found.append(buying.BUY_CARD)


def roll_moves(state: EuropeState, seat: int) -> list[Move]:
    """Before the roll: the roll, a card, and what a bribe still allows (E-20)."""
    found: list[Move] = [producing.ROLL_DICE]
    if state.bribed:
        caravans.deliver_moves(state, seat, found)
        caravans.caravan_moves(state, seat, found)
    development.card_moves(state, seat, found)
    return found


def go_on_moves(state: EuropeState, seat: int) -> list[Move]:
    """A caravan that can't stay delivers and goes on (E-46)."""
    found: list[Move] = []
    caravans.deliver_moves(state, seat, found)
    caravans.caravan_moves(state, seat, found)
    return found


def free_routes(state: EuropeState, seat: int) -> list[Move]:
    """A free route, none, or after production the end of the turn (E-49)."""
    found = routes.free_route_moves(state, seat)
    return [*found, ending.END_TURN] if state.rolled else found


def goes_on(state: EuropeState, seat: int, wanted: Move) -> bool:
    """Whether a move keeps the steps a caravan has left: all but moving the other one."""
    return not isinstance(wanted, moves.MoveCaravan) or wanted.caravan == state.moving


_LISTED: dict[int, Callable[[EuropeState, int], list[Move]]] = {
    SET_UP_POST: setting_up.set_up_moves,
    SET_UP_NEUTRAL: setting_up.set_up_moves,
    SET_UP_ROUTE: setting_up.set_up_moves,
    ROLL: roll_moves,
    ROBBER: lambda state, seat: producing.robber_moves(state),
    THEFT: lambda state, seat: producing.theft_moves(state),
    CHAIN: lambda state, seat: routes.chain_moves(state),
    BONUS_ROUTE: free_routes,
    FREE_ROUTE: free_routes,
    TOKEN: lambda state, seat: merchants.token_moves(state),
    GO_ON: go_on_moves,
}
