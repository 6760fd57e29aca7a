"""Set-up (T-1, T-2)."""

from tests.domain.toy.games.fair.facts.set_up import CardDrawn, DeckShuffled
from tests.domain.toy.games.fair.rules.steps import FairLedger


def set_up(ledger: FairLedger) -> None:
    """Shuffle the cards; every seat draws two, and the first round begins (T-2, T-3)."""
    cards = range(len(ledger.state.values))
    ledger.emit(DeckShuffled(tuple(ledger.chance.draws("deck", 0).shuffled(cards))))
    for _ in range(2):
        ledger.steps.draw(ledger)
    ledger.steps.begin_round(ledger)


def draw(ledger: FairLedger) -> None:
    """Every seat draws the top card of the pile (T-2, T-3)."""
    for seat in range(ledger.state.seats):
        ledger.emit(CardDrawn(seat, ledger.state.pile[-1]))
