"""The course of a turn: the current phase, and the end of the turn (E-20, E-49)."""

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from kontor_games.domain.game import Refusal
from kontor_games.domain.games.europe.facts.ending import GameEnded
from kontor_games.domain.games.europe.facts.routes import RouteForgone
from kontor_games.domain.games.europe.facts.turn import TurnBegan, TurnEnded
from kontor_games.domain.games.europe.moves import EndTurn
from kontor_games.domain.games.europe.rules.base import EuropeRule
from kontor_games.domain.games.europe.rules.conditions import wrong_phase
from kontor_games.domain.games.europe.rules.ending import places_of
from kontor_games.domain.games.europe.rules.steps import EuropeLedger
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.games.europe.state import phases as p

_turn_ended = cache(TurnEnded)
_turn_began = cache(TurnBegan)


class EndTurnRule(EuropeRule[EndTurn]):
    """After production a turn can end at any time, unless a choice other than a free route is open (E-49)."""

    phases: ClassVar = (p.ACTION, p.BONUS_ROUTE, p.FREE_ROUTE)
    quiet: ClassVar = True
    ready: ClassVar = (EndTurn(),)

    def blocked(self, state: EuropeState, seat: int, move: EndTurn) -> Refusal | None:
        """Return a refusal before the roll."""
        return None if state.rolled else wrong_phase(state)

    def fast_listing(self, state: EuropeState, seat: int) -> Sequence[EndTurn]:
        """Return the move after production."""
        return self.ready if state.rolled else ()

    def facts(self, ledger: EuropeLedger, seat: int, move: EndTurn) -> None:
        """Give up free routes and end the turn."""
        if ledger.state.phase == p.BONUS_ROUTE:
            ledger.emit(RouteForgone(seat, "double_arrow"))
        if ledger.state.phase == p.FREE_ROUTE:
            ledger.emit(RouteForgone(seat, "safe_conduct"))
        ledger.emit(_turn_ended(seat))
        ledger.steps.begin_turn(ledger, seat)


def begin_turn(ledger: EuropeLedger, seat: int) -> None:
    """Begin the next player's turn, or end a match that has reached its limit (E-70)."""
    state = ledger.state
    if state.turn >= state.setting.turn_limit:
        ledger.emit(GameEnded("turn_limit", places_of(ledger)))
    else:
        ledger.emit(_turn_began((seat + 1) % state.seats, state.turn + 1))


def find_phase(state: EuropeState) -> int:
    """Return the phase by the pending choices, the most urgent first."""
    if state.chains:
        return p.CHAIN
    if state.bonus >= 0:
        return p.BONUS_ROUTE
    if state.free_routes:
        return p.FREE_ROUTE
    if state.token_hexes:
        return p.TOKEN
    if state.robber_due:
        return p.DISCARD if any(state.due) else p.ROBBER
    if state.victims:
        return p.THEFT
    if state.index.full and must_go_on(state):
        return p.GO_ON
    return p.ACTION if state.rolled else p.ROLL


def must_go_on(state: EuropeState) -> bool:
    """Return whether the caravan that moves stands where it may not stay (E-46)."""
    if state.moving < 0:
        return False
    return state.caravans.count(state.caravan(state.active, state.moving)) > state.index.CARAVANS_ON_A_ROUTE
