"""Facts of the trade (T-5, T-6)."""

from kontor_games.domain.game import Fact, record, secret
from tests.domain.toy.games.fair.state import Fair


@record
class OfferMade(Fact):
    """The holder of the fair offered a card."""

    seat: int
    price: int
    card: int = secret("seat")

    def fold(self, state: Fair) -> None:
        """Replace the previous offer."""
        state.offer = (self.card, self.price)
        state.offers += 1


@record
class CardSold(Fact):
    """A seat bought the offered card."""

    reveals = True

    seller: int
    buyer: int
    price: int
    card: int = secret("seller", "buyer")

    def fold(self, state: Fair) -> None:
        """Exchange card and coins."""
        state.hands[self.seller].remove(self.card)
        state.hands[self.buyer].append(self.card)
        state.coins[self.seller] += self.price
        state.coins[self.buyer] -= self.price
        state.offer = None


@record
class FairClosed(Fact):
    """The holder closed the fair."""

    seat: int

    def fold(self, state: Fair) -> None:
        """Withdraw the offer."""
        state.offer = None
