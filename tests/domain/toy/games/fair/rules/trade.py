"""Trade (T-5, T-6)."""

from collections.abc import Sequence

from kontor_games.domain.game import MoveRule, NotYourTurnError, Refusal, WrongPhaseError
from kontor_games.domain.toolkit.sentences import count_phrase
from tests.domain.toy.games.fair.facts.trade import CardSold, FairClosed, OfferMade
from tests.domain.toy.games.fair.moves import CloseFair, OfferCard, TakeOffer
from tests.domain.toy.games.fair.refusals import (
    NoOfferError,
    NotEnoughCoinsError,
    NotYourCardError,
    TooManyOffersError,
)
from tests.domain.toy.games.fair.rules.steps import FairLedger, Steps
from tests.domain.toy.games.fair.state import Fair


def _not_the_holder(state: Fair, seat: int) -> Refusal | None:
    """Refuse everybody but the holder of the fair (T-5)."""
    if state.holder is None:
        return WrongPhaseError("The fair opens when everybody has laid a card.", rule="T-5")
    if seat != state.holder:
        return NotYourTurnError("Another player holds the fair.", rule="T-5")
    return None


class OfferCardRule(MoveRule[Fair, OfferCard, Steps]):
    """The holder of the fair may offer cards, up to a limit; a new offer replaces the previous one (T-5)."""

    def __init__(self, limit: int) -> None:
        """Set how many offers the holder may make in one fair."""
        self.limit = limit

    def refusal(self, state: Fair, seat: int, move: OfferCard) -> Refusal | None:
        """Refuse seats that do not hold the fair, a card that is not in the hand, and too many offers."""
        if refusal := _not_the_holder(state, seat):
            return refusal
        if move.card not in state.hands[seat]:
            return NotYourCardError(f"Card {move.card} is not in your hand.", rule="T-5")
        if state.offers >= self.limit:
            return TooManyOffersError(
                f"You have already made {count_phrase(self.limit, 'offer')}.", rule="T-5"
            )
        return None

    def is_open(self, state: Fair, seat: int) -> bool:
        """Whether any card can be offered: any price will do, so there are too many offers to list."""
        return any(self.refusal(state, seat, OfferCard(card, 0)) is None for card in state.hands[seat][:1])

    def facts(self, ledger: FairLedger, seat: int, move: OfferCard) -> None:
        """Make the offer."""
        ledger.emit(OfferMade(seat, move.price, move.card))


class TakeOfferRule(MoveRule[Fair, TakeOffer, Steps]):
    """Any other seat that has the coins may buy the offered card; the match does not wait for it (T-6)."""

    def refusal(self, state: Fair, seat: int, move: TakeOffer) -> Refusal | None:
        """Refuse if nothing is offered; refuse the seller, and seats that can't pay."""
        if state.offer is None:
            return NoOfferError("No card is offered.", rule="T-6")
        if seat == state.holder:
            return NotYourTurnError("You can't take your own offer.", rule="T-6")
        if state.coins[seat] < state.offer[1]:
            return NotEnoughCoinsError(
                f"The card costs {count_phrase(state.offer[1], 'coin')}; you have {state.coins[seat]}.",
                rule="T-6",
            )
        return None

    def candidates(self, state: Fair, seat: int) -> Sequence[TakeOffer]:
        """There is only one such move."""
        return [TakeOffer()]

    def facts(self, ledger: FairLedger, seat: int, move: TakeOffer) -> None:
        """Exchange card and coins."""
        seller, card, price = ledger.state.standing_offer
        ledger.emit(CardSold(seller, seat, price, card))


class CloseFairRule(MoveRule[Fair, CloseFair, Steps]):
    """The holder closes the fair; then the next round begins or the match ends (T-5, T-7)."""

    quiet = True

    def refusal(self, state: Fair, seat: int, move: CloseFair) -> Refusal | None:
        """Refuse seats that do not hold the fair."""
        return _not_the_holder(state, seat)

    def candidates(self, state: Fair, seat: int) -> Sequence[CloseFair]:
        """There is only one such move."""
        return [CloseFair()]

    def facts(self, ledger: FairLedger, seat: int, move: CloseFair) -> None:
        """Close the fair; the next round or the end follows."""
        ledger.emit(FairClosed(seat))
        if ledger.state.round < ledger.state.rounds:
            ledger.steps.begin_round(ledger)
        else:
            ledger.steps.end(ledger)
