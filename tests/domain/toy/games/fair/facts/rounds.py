"""Facts of the rounds (T-3, T-4)."""

from kontor_games.domain.game import Fact, record, secret
from tests.domain.toy.games.fair.state import Fair


@record
class RoundBegun(Fact):
    """A round began, with no card on the table."""

    round: int

    def fold(self, state: Fair) -> None:
        """Clear the table."""
        state.round = self.round
        state.laid = [None] * state.seats
        state.holder = None


@record
class CardLaid(Fact):
    """A seat laid a card face down."""

    seat: int
    card: int = secret("seat")

    def fold(self, state: Fair) -> None:
        """Move the card from the hand to the table."""
        state.hands[self.seat].remove(self.card)
        state.laid[self.seat] = self.card


@record
class CardsTurnedUp(Fact):
    """All laid cards were turned up, in the order of the seats."""

    reveals = True

    cards: tuple[int, ...]

    def fold(self, state: Fair) -> None:
        """Show the cards where they lie."""
        state.laid = list(self.cards)


@record
class TieBroken(Fact):
    """Several seats had the highest value, and one of them was drawn."""

    reveals = True

    seats: tuple[int, ...]
    seat: int

    def fold(self, state: Fair) -> None:
        """Note the seat that was drawn."""
        state.holder = self.seat


@record
class RoundTaken(Fact):
    """A seat took the round, gained points and holds the fair."""

    seat: int
    points: int

    def fold(self, state: Fair) -> None:
        """Add the points and open the fair."""
        state.points[self.seat] += self.points
        state.holder, state.offer, state.offers = self.seat, None, 0
