"""Facts of the set-up (T-1, T-2)."""

from kontor_games.domain.game import Fact, record, secret
from tests.domain.toy.games.fair.state import Fair


@record
class DeckShuffled(Fact):
    """The cards were shuffled into the pile; nobody may see their order."""

    reveals = True

    order: tuple[int, ...] = secret()

    def fold(self, state: Fair) -> None:
        """Make the pile."""
        state.pile = list(self.order)


@record
class CardDrawn(Fact):
    """A seat drew the top card of the pile."""

    reveals = True

    seat: int
    card: int = secret("seat")

    def fold(self, state: Fair) -> None:
        """Move the card from the pile to the hand."""
        state.pile.pop()
        state.hands[self.seat].append(self.card)
