"""Income: S-22."""

from domain.games.speicherstadt.facts.income import income_paid, metal_coin_passed
from domain.games.speicherstadt.rules.turn import Book
from domain.games.speicherstadt.state import NOBODY


def income(ledger: Book) -> None:
    """Pay everybody, pass the metal coin on, and begin the next round (S-22)."""
    state = ledger.state
    bank = state.bank_owner
    idle = tuple([seat for seat in range(state.seats) if not state.has_bought(seat)])
    coins = tuple([1 + (seat in idle) + (seat == bank) for seat in range(state.seats)])
    ledger.emit(income_paid(coins, idle, None if bank == NOBODY else bank))
    ledger.emit(metal_coin_passed(state.clockwise()[1]))
    ledger.steps.supply(ledger)
