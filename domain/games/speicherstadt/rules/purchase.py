"""Purchase: S-14 to S-17."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from kontor_games.domain.games.speicherstadt.facts import purchase as facts
from kontor_games.domain.games.speicherstadt.moves import BUY, DECLINE, Buy, Decline
from kontor_games.domain.games.speicherstadt.rules.turn import ALONE, M, TableLedger, TurnRule
from kontor_games.domain.games.speicherstadt.state import Phase, Table
from kontor_games.domain.games.speicherstadt.state.cubes import unpack

price: Callable[[Sequence[int]], int] = len
"""As many coins as there are workers in the line (S-14)."""


def purchase(ledger: TableLedger) -> None:
    """Continue card by card and worker by worker until a player can buy (S-14 to S-16), or start loading."""
    state, steps = ledger.state, ledger.steps
    while state.row:
        card, line = state.row[0], state.lines[0]
        if not line:
            ledger.emit(facts.card_discarded(card, unpack(state.cargo[0])))
        elif state.coins[line[0]] < (cost := steps.price(line)):
            ledger.emit(facts.buyer_passed_over(line[0], card, cost))
        else:
            ledger.emit(facts.card_offered(line[0], card, cost))
            return
    steps.loading(ledger)


class PurchaseRule(TurnRule[M]):
    """An answer of the first in line. A player who can't pay is never asked (S-15)."""

    phase: ClassVar[Phase] = "purchase"
    rule: ClassVar[str] = "S-14"
    turn_rule: ClassVar[str] = "S-14"

    def to_act(self, state: Table) -> Sequence[int]:
        """The seat to which the card is offered."""
        return ALONE[state.asked]


class BuyRule(PurchaseRule[Buy]):
    """The first in line buys the card."""

    every_move = (BUY,)

    def facts(self, ledger: TableLedger, seat: int, move: Buy) -> None:
        """The card, with the cubes on it, has a new owner; the next card is sold."""
        state, steps = ledger.state, ledger.steps
        cost, cubes = steps.price(state.lines[0]), unpack(state.cargo[0])
        ledger.emit(facts.card_bought(seat, state.row[0], cost, cubes))
        steps.purchase(ledger)


class DeclineRule(PurchaseRule[Decline]):
    """The first in line does not buy the card."""

    quiet = True
    every_move = (DECLINE,)

    def facts(self, ledger: TableLedger, seat: int, move: Decline) -> None:
        """The worker goes home; the next in line is asked, or the next card is sold."""
        state, steps = ledger.state, ledger.steps
        ledger.emit(facts.card_declined(seat, state.row[0], steps.price(state.lines[0])))
        steps.purchase(ledger)
