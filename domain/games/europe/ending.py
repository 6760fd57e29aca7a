"""The end of turns and of the match (E-49, E-70)."""

from functools import cache

from kontor_games.domain.game import Ledger, Result
from kontor_games.domain.games.europe.checks import on_turn
from kontor_games.domain.games.europe.facts_build import RouteForgone
from kontor_games.domain.games.europe.facts_turn import GameEnded, TurnBegan, TurnEnded
from kontor_games.domain.games.europe.moves import EndTurn
from kontor_games.domain.games.europe.state import ACTION, BONUS_ROUTE, FREE_ROUTE, EuropeState

END_TURN = EndTurn()
_turn_ended = cache(TurnEnded)
_turn_began = cache(TurnBegan)
"""Facts that happen again and again are found rather than made."""


def verify_end(state: EuropeState, seat: int, wanted: EndTurn) -> None:
    """After production, with no choice pending but whether to lay a free route (E-49)."""
    free = (BONUS_ROUTE, FREE_ROUTE) if state.rolled else ()
    on_turn(state, seat, ACTION, *free)


def decide_end(ledger: Ledger[EuropeState], seat: int, wanted: EndTurn) -> None:
    """Free routes lapse; then the next player, or the end of a match that has reached its limit."""
    state = ledger.state
    if state.phase == BONUS_ROUTE:
        ledger.emit(RouteForgone(seat, "double_arrow"))
    if state.phase == FREE_ROUTE:
        ledger.emit(RouteForgone(seat, "safe_conduct"))
    ledger.emit(_turn_ended(seat))
    if state.turn >= state.setting.turn_limit:
        ledger.emit(GameEnded("turn_limit", places(state)))
    else:
        ledger.emit(_turn_began((seat + 1) % state.seats, state.turn + 1))


def end_if_delivered(ledger: Ledger[EuropeState], seat: int) -> None:
    """Whoever has delivered all their goods wins at once (E-70)."""
    state = ledger.state
    if state.delivered[seat] == state.setting.goods:
        ledger.emit(GameEnded("delivered", places(state)))


def standing(state: EuropeState, seat: int) -> tuple[int, int, int]:
    """What decides: goods delivered, then posts on the board, then gold."""
    return state.delivered[seat], len(state.own_posts[seat]), state.gold[seat]


def places(state: EuropeState) -> tuple[int, ...]:
    """Equal standings share a place."""
    standings = [standing(state, seat) for seat in range(state.seats)]
    return tuple(1 + sum(other > mine for other in standings) for mine in standings)


def result(state: EuropeState) -> Result | None:
    """The result, once there is one."""
    if not state.places:
        return None
    scores = [
        dict(zip(("goods", "posts", "gold"), standing(state, seat), strict=True))
        for seat in range(state.seats)
    ]
    return Result(tuple(scores), state.places)
