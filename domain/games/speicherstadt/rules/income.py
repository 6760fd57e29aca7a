"""Income: S-22."""

from functools import cache

from kontor_games.domain.games.speicherstadt.facts.income import income_paid, metal_coin_passed
from kontor_games.domain.games.speicherstadt.rules.turn import TableLedger
from kontor_games.domain.games.speicherstadt.state import NOBODY


def income(ledger: TableLedger) -> None:
    """Pay everybody, pass the metal coin on, and begin the next round (S-22)."""
    state, steps = ledger.state, ledger.steps
    idle, bank = state.idle(), None if state.bank_owner == NOBODY else state.bank_owner
    ledger.emit(income_paid(steps.wages(state.seats, idle, bank), idle, bank))
    ledger.emit(metal_coin_passed(state.clockwise()[1]))
    steps.supply(ledger)


@cache
def wages(seats: int, idle: tuple[int, ...], bank: int | None) -> tuple[int, ...]:
    """1 coin each, 1 more for seats that bought no card, and 1 more for the owner of the bank (S-22)."""
    return tuple(1 + (seat in idle) + (seat == bank) for seat in range(seats))
