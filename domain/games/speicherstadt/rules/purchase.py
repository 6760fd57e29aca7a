"""Purchase: S-14 to S-17."""

from collections.abc import Sequence
from typing import ClassVar

from domain.games.speicherstadt.facts.purchase import (
    buyer_passed_over,
    card_bought,
    card_declined,
    card_discarded,
    card_offered,
)
from domain.games.speicherstadt.moves import BUY, DECLINE, Buy, Decline
from domain.games.speicherstadt.rules.turn import ALONE, Book, M, TurnRule
from domain.games.speicherstadt.state import Phase, Table
from domain.games.speicherstadt.state.cubes import unpack


def price(line: Sequence[int]) -> int:
    """As many coins as there are workers in the line (S-14)."""
    return len(line)


class PurchaseRule(TurnRule[M]):
    """An answer of the first in line. Who can't pay is never asked (S-15)."""

    phase: ClassVar[Phase] = "purchase"
    rule: ClassVar[str] = "S-14"
    turn_rule: ClassVar[str] = "S-14"

    def to_act(self, state: Table) -> Sequence[int]:
        """The seat to which the card is offered."""
        return ALONE[state.asked]


class BuyRule(PurchaseRule[Buy]):
    """The first in line buys the card."""

    def facts(self, ledger: Book, seat: int, move: Buy) -> None:
        """The card and the cubes on it change hands; then the next card is sold."""
        state, steps = ledger.state, ledger.steps
        ledger.emit(card_bought(seat, state.row[0], steps.price(state.lines[0]), unpack(state.cargo[0])))
        steps.purchase(ledger)

    def choices(self, state: Table, seat: int) -> Sequence[Buy]:
        """Always possible."""
        return (BUY,)


class DeclineRule(PurchaseRule[Decline]):
    """The first in line does not buy the card."""

    quiet = True

    def facts(self, ledger: Book, seat: int, move: Decline) -> None:
        """The worker goes home; then the next in line is asked."""
        state, steps = ledger.state, ledger.steps
        ledger.emit(card_declined(seat, state.row[0], steps.price(state.lines[0])))
        steps.purchase(ledger)

    def choices(self, state: Table, seat: int) -> Sequence[Decline]:
        """Always possible."""
        return (DECLINE,)


def purchase(ledger: Book) -> None:
    """Go on, card by card and worker by worker, until somebody can buy (S-14 to S-16), or else to loading."""
    state, steps = ledger.state, ledger.steps
    while state.row:
        card, line = state.row[0], state.lines[0]
        if not line:
            ledger.emit(card_discarded(card, unpack(state.cargo[0])))
        elif state.coins[line[0]] < (cost := steps.price(line)):
            ledger.emit(buyer_passed_over(line[0], card, cost))
        else:
            ledger.emit(card_offered(line[0], card, cost))
            return
    steps.loading(ledger)
