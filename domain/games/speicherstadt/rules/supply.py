"""Supply and fires: S-10 to S-12."""

from kontor_games.domain.games.speicherstadt.data.cards import COUNTS, KIND
from kontor_games.domain.games.speicherstadt.facts.supply import CardsRevealed, FireFought, round_begun
from kontor_games.domain.games.speicherstadt.rules.turn import TableLedger

FIRES = sum(COUNTS["fire"])
CUBES_ON_A_SHIP = 3
"""S-11."""


def supply(ledger: TableLedger) -> None:
    """Begin a round and fill the row (S-10 to S-12), or end the match if only fires are left (S-30, S-31)."""
    state = ledger.state
    if len(state.pile) - state.revealed <= FIRES and all(KIND[card] == "fire" for card in state.unrevealed()):
        ledger.steps.end(ledger)
        return
    ledger.emit(round_begun(state.round + 1))
    while missing := state.numbers.row - len(state.row):
        top = state.pile[state.revealed : state.revealed + missing]
        if KIND[top[0]] == "fire":
            ledger.steps.fire(ledger, top[0])
        else:
            _reveal(ledger, top)


def _reveal(ledger: TableLedger, top: tuple[str, ...]) -> None:
    """Lay out cards up to the next fire, each ship with its cubes (S-11)."""
    state = ledger.state
    drawn, bag = state.drawn, state.bag
    cubes: list[tuple[str, ...]] = []
    for card in top:
        kind = KIND[card]
        if kind == "fire":
            break
        if kind == "ship":
            cubes.append(bag[drawn : drawn + CUBES_ON_A_SHIP])
            drawn += CUBES_ON_A_SHIP
        else:
            cubes.append(())
    ledger.emit(CardsRevealed(top[: len(cubes)], tuple(cubes)))


def fire(ledger: TableLedger, card: str) -> None:
    """Carry out a fire: each seat gains or loses points by its firemen (S-12)."""
    state = ledger.state
    sums = tuple([state.firemen(seat) for seat in range(state.seats)])
    ledger.emit(FireFought(card, sums, fire_points(sums, state.deck.points[card])))


def fire_points(sums: tuple[int, ...], points: int) -> tuple[int, ...]:
    """The gain or loss of each seat in a fire; 0 for all if all sums are equal (S-12)."""
    most, least = max(sums), min(sums)
    return tuple([points * ((total == most) - (total == least)) for total in sums])
