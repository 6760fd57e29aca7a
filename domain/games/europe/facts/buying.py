"""Purchases from the supply (E-31, E-32, E-40, E-64)."""

from kontor_games.domain.game import Fact, record, secret
from kontor_games.domain.games.europe.data.board import RESOURCES, Resource
from kontor_games.domain.games.europe.data.components import (
    CARDS,
    GOLD,
    Card,
    Cards,
    Term,
    card_of,
    counts_of,
)
from kontor_games.domain.games.europe.state import EuropeState


@record
class ResourceBought(Fact):
    """A player bought a resource for gold (E-31)."""

    seat: int
    resource: Resource
    gold: int

    def fold(self, state: EuropeState) -> None:
        state.gold[self.seat] -= self.gold
        state.gold_buys += 1
        state.pay_one_kind(self.seat, RESOURCES.index(self.resource), -1)


@record
class SupplyTraded(Fact):
    """A player gave several cards of one kind to the supply for another resource or for gold (E-32)."""

    seat: int
    give: Resource
    count: int
    take: Term

    def fold(self, state: EuropeState) -> None:
        """Move the given cards to the supply; the player receives one card or 1 gold."""
        state.pay_one_kind(self.seat, RESOURCES.index(self.give), self.count)
        if self.take == GOLD:
            state.gold[self.seat] += 1
        else:
            state.pay_one_kind(self.seat, RESOURCES.index(self.take), -1)


@record
class PileRenewed(Fact):
    """The played development cards form a new pile (E-64)."""

    reveals = True

    cards: int

    def fold(self, state: EuropeState) -> None:
        state.pile, state.discarded = state.discarded, [0] * len(CARDS)
        state.epoch += 1


@record
class CardBought(Fact):
    """A player bought a development card; only the buyer knows which (E-40)."""

    reveals = True

    seat: int
    paid: Cards
    card: Card = secret("seat")

    def fold(self, state: EuropeState) -> None:
        """Pay for the card; it can't be played this turn."""
        kind = CARDS.index(self.card)
        state.pay(self.seat, counts_of(self.paid))
        state.pile[kind] -= 1
        state.fresh = card_of(state.epoch, kind)
        state.deck_draws += 1
