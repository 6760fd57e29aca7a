"""Rounds (T-3, T-4)."""

from collections.abc import Sequence

from kontor_games.domain.game import MoveRule, NotYourTurnError, Refusal, WrongPhaseError
from tests.domain.toy.games.fair.facts.rounds import (
    CardLaid,
    CardsTurnedUp,
    RoundBegun,
    RoundTaken,
    TieBroken,
)
from tests.domain.toy.games.fair.moves import LayCard
from tests.domain.toy.games.fair.refusals import NotYourCardError
from tests.domain.toy.games.fair.rules.steps import FairLedger, Steps
from tests.domain.toy.games.fair.state import Fair


def begin_round(ledger: FairLedger) -> None:
    """Clear the table; every seat draws a card (T-3)."""
    ledger.emit(RoundBegun(ledger.state.round + 1))
    ledger.steps.draw(ledger)


class LayCardRule(MoveRule[Fair, LayCard, Steps]):
    """Every seat lays one card, in any order; the last card ends the laying (T-3)."""

    def refusal(self, state: Fair, seat: int, move: LayCard) -> Refusal | None:
        """Refuse a card during the fair, a second card, and a card that is not in the hand."""
        if state.holder is not None:
            return WrongPhaseError("You can lay a card only before the fair opens.", rule="T-3")
        if state.laid[seat] is not None:
            return NotYourTurnError("You have already laid your card.", rule="T-3")
        if move.card not in state.hands[seat]:
            return NotYourCardError(f"Card {move.card} is not in your hand.", rule="T-3")
        return None

    def candidates(self, state: Fair, seat: int) -> Sequence[LayCard]:
        """Each card of the hand."""
        return [LayCard(card) for card in sorted(state.hands[seat])]

    def facts(self, ledger: FairLedger, seat: int, move: LayCard) -> None:
        """Lay the card; when all seats have laid one, the round is scored."""
        ledger.emit(CardLaid(seat, move.card))
        if None not in ledger.state.laid:
            ledger.steps.take_round(ledger)


def take_round(ledger: FairLedger, points: int = 3) -> None:
    """Turn the cards up; the highest one takes the round, among equals one that is drawn (T-4)."""
    state = ledger.state
    ledger.emit(CardsTurnedUp(tuple(card for card in state.laid if card is not None)))
    shown = [state.values[card] for card in state.laid if card is not None]
    best = tuple(seat for seat, value in enumerate(shown) if value == max(shown))
    winner = best[0]
    if len(best) > 1:
        winner = best[ledger.chance.draws("tie", state.round - 1).below(len(best))]
        ledger.emit(TieBroken(best, winner))
    ledger.emit(RoundTaken(winner, points))
