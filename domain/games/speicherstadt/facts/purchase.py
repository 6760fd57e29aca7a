"""Facts of the purchase. They are immutable, so equal facts are created once and cached."""

from functools import cache, lru_cache

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.speicherstadt.data.cards import MERCHANTS
from kontor_games.domain.games.speicherstadt.state import NOBODY, Table
from kontor_games.domain.games.speicherstadt.state.cubes import MARK

_TRADES = {merchant: MARK[good] for merchant, good in MERCHANTS.items()}


def _leave_row(state: Table) -> None:
    """Take the first card out of the row."""
    state.row = state.row[1:]
    state.cargo = state.cargo[1:]
    del state.lines[0]


@record
class CardOffered(Fact):
    """The first in line may buy the card at this price (S-14)."""

    seat: int
    card: str
    price: int

    def fold(self, state: Table) -> None:
        state.phase = "purchase"
        state.asked = self.seat


@record
class CardBought(Fact):
    """A seat bought a card; a ship's cubes are on the seat's quay (S-14)."""

    seat: int
    card: str
    price: int
    cubes: tuple[str, ...]

    def fold(self, state: Table) -> None:
        """Take the coins, give the card, and send the line home."""
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
    """The first in line did not buy the card at this price (S-14)."""

    seat: int
    card: str
    price: int

    def fold(self, state: Table) -> None:
        state.asked = NOBODY
        state.lines[0] = state.lines[0][1:]


@record
class BuyerPassedOver(Fact):
    """The first in line could not pay this price and was not asked (S-15)."""

    seat: int
    card: str
    price: int

    def fold(self, state: Table) -> None:
        state.lines[0] = state.lines[0][1:]


@record
class CardDiscarded(Fact):
    """Nobody bought the card; a ship's cubes went to the stock (S-16)."""

    card: str
    cubes: tuple[str, ...]

    def fold(self, state: Table) -> None:
        state.stock += state.cargo[0]
        _leave_row(state)
        state.discarded.append(self.card)


card_offered = cache(CardOffered)
card_declined = cache(CardDeclined)
buyer_passed_over = cache(BuyerPassedOver)
card_bought = lru_cache(1024)(CardBought)
card_discarded = lru_cache(1024)(CardDiscarded)
