"""Facts of demand and purchase. Equal facts are immutable, so each is made once and kept."""

from functools import cache, lru_cache

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.speicherstadt.cards import MERCHANTS
from kontor_games.domain.games.speicherstadt.cubes import MARK
from kontor_games.domain.games.speicherstadt.state import NOBODY, Table

_TRADES = {merchant: MARK[good] for merchant, good in MERCHANTS.items()}


def _leave_row(state: Table) -> None:
    """The first card of the row is dealt with."""
    state.row = state.row[1:]
    state.cargo = state.cargo[1:]
    del state.lines[0]


@record
class WorkerPlaced(Fact):
    """A worker joined the line at a card (S-13)."""

    seat: int
    card: str

    def fold(self, state: Table) -> None:
        """The worker stands last in the line."""
        state.lines[state.row.index(self.card)] += (self.seat,)
        state.placed += 1


@record
class CardOffered(Fact):
    """The first in line may now buy the card at this price (S-14)."""

    seat: int
    card: str
    price: int

    def fold(self, state: Table) -> None:
        """The match waits for the first in line."""
        state.phase = "purchase"
        state.asked = self.seat


@record
class CardBought(Fact):
    """A card has a new owner; a ship's cubes lie on the owner's quay (S-14)."""

    seat: int
    card: str
    price: int
    cubes: tuple[str, ...]

    def fold(self, state: Table) -> None:
        """The coins are paid, the line goes home."""
        seat, card = self.seat, self.card
        state.asked = NOBODY
        state.quay[seat] += state.cargo[0]
        _leave_row(state)
        state.coins[seat] -= self.price
        state.cards[seat] += (card,)
        state.buyers |= 1 << seat
        if card in state.open_places:
            state.contracts[seat] += (card,)
        elif card in _TRADES:
            state.trades[seat] += _TRADES[card]
        elif card == "warehouse":
            state.warehouse_owner = seat
        elif card == "bank":
            state.bank_owner = seat


@record
class CardDeclined(Fact):
    """The first in line did not want the card at this price (S-14)."""

    seat: int
    card: str
    price: int

    def fold(self, state: Table) -> None:
        """That worker goes home."""
        state.asked = NOBODY
        state.lines[0] = state.lines[0][1:]


@record
class BuyerPassedOver(Fact):
    """The first in line could not pay this price and was not asked (S-15)."""

    seat: int
    card: str
    price: int

    def fold(self, state: Table) -> None:
        """That worker goes home."""
        state.lines[0] = state.lines[0][1:]


@record
class CardDiscarded(Fact):
    """Nobody bought the card; a ship's cubes went to the stock (S-16)."""

    card: str
    cubes: tuple[str, ...]

    def fold(self, state: Table) -> None:
        """The card leaves the row."""
        state.stock += state.cargo[0]
        _leave_row(state)
        state.discarded.append(self.card)


worker_placed = cache(WorkerPlaced)
card_offered = cache(CardOffered)
card_declined = cache(CardDeclined)
buyer_passed_over = cache(BuyerPassedOver)
card_bought = lru_cache(4096)(CardBought)
card_discarded = lru_cache(4096)(CardDiscarded)
