"""Moves, facts and options of the Fair."""

from typing import Annotated, Literal

from kontor_games.domain.codec import Between
from kontor_games.domain.game import Fact, Move, Options, record, secret
from tests.domain.toy.games.fair.state import Fair

Card = Annotated[int, Between(0, 999)]
Coins = Annotated[int, Between(0, 1000)]


@record
class FairOptions(Options):
    """How long a match lasts and with what it begins."""

    rounds: Literal[1, 2, 3] = 3
    coins: Annotated[int, Between(0, 20)] = 5


@record
class LayCard(Move):
    """Lay a card of one's hand face down (T-3)."""

    card: Card


@record
class OfferCard(Move):
    """Offer a card of one's hand for a price (T-5)."""

    card: Card
    price: Coins


@record
class TakeOffer(Move):
    """Take what the holder of the fair offers (T-6)."""


@record
class CloseFair(Move):
    """Close the fair (T-5)."""


@record
class DeckShuffled(Fact):
    """The cards were shuffled into the pile; its order is nobody's to know."""

    reveals = True

    order: tuple[int, ...] = secret()

    def fold(self, state: Fair) -> None:
        """Makes the pile."""
        state.pile = list(self.order)


@record
class CardDrawn(Fact):
    """A seat drew the top card of the pile."""

    reveals = True

    seat: int
    card: int = secret("seat")

    def fold(self, state: Fair) -> None:
        """Moves the card from the pile to the hand."""
        state.pile.pop()
        state.hands[self.seat].append(self.card)


@record
class RoundBegun(Fact):
    """A round began: nothing lies on the table."""

    round: int

    def fold(self, state: Fair) -> None:
        """Clears the table."""
        state.round = self.round
        state.laid = [None] * len(state.hands)
        state.holder = None


@record
class CardLaid(Fact):
    """A seat laid a card face down."""

    seat: int
    card: int = secret("seat")

    def fold(self, state: Fair) -> None:
        """Moves the card from the hand to the table."""
        state.hands[self.seat].remove(self.card)
        state.laid[self.seat] = self.card


@record
class CardsTurnedUp(Fact):
    """All laid cards were turned up, in the order of the seats."""

    reveals = True

    cards: tuple[int, ...]

    def fold(self, state: Fair) -> None:
        """Shows what lies there: nothing moves."""
        state.laid = list(self.cards)


@record
class TieBroken(Fact):
    """Several seats had the highest value, and one of them was drawn."""

    reveals = True

    seats: tuple[int, ...]
    seat: int

    def fold(self, state: Fair) -> None:
        """Says who goes on."""
        state.holder = self.seat


@record
class RoundTaken(Fact):
    """A seat took the round, gained points and holds the fair."""

    seat: int
    points: int

    def fold(self, state: Fair) -> None:
        """Counts the points and opens the fair."""
        state.points[self.seat] += self.points
        state.holder, state.offer, state.offers = self.seat, None, 0


@record
class OfferMade(Fact):
    """The holder of the fair offered a card."""

    seat: int
    price: int
    card: int = secret("seat")

    def fold(self, state: Fair) -> None:
        """Replaces the offer before."""
        state.offer = (self.card, self.price)
        state.offers += 1


@record
class CardSold(Fact):
    """An offer was taken."""

    reveals = True

    seller: int
    buyer: int
    price: int
    card: int = secret("seller", "buyer")

    def fold(self, state: Fair) -> None:
        """Exchanges card and coins."""
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
        """Withdraws what was not sold."""
        state.offer = None


@record
class MatchScored(Fact):
    """The match is over."""

    points: tuple[int, ...]
    coins: tuple[int, ...]
    places: tuple[int, ...]

    def fold(self, state: Fair) -> None:
        """Keeps the result."""
        state.result = (tuple(p + c for p, c in zip(self.points, self.coins, strict=True)), self.places)


MOVES = (LayCard, OfferCard, TakeOffer, CloseFair)
FACTS = (DeckShuffled, CardDrawn, RoundBegun, CardLaid, CardsTurnedUp, TieBroken, RoundTaken, OfferMade, CardSold, FairClosed, MatchScored)
