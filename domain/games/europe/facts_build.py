"""What is bought and built (E-31 to E-42, E-60, E-64)."""

from typing import Literal

from kontor_games.domain.game import Fact, record, secret
from kontor_games.domain.games.europe.board import RESOURCES
from kontor_games.domain.games.europe.resources import CARDS, GOLD, Card, Cards, Resource, counts_of
from kontor_games.domain.games.europe.state import NOBODY, EuropeState

Source = Literal["paid", "double_arrow", "safe_conduct"]


@record
class ResourceBought(Fact):
    """A resource for gold (E-31)."""

    seat: int
    resource: Resource
    gold: int

    def fold(self, state: EuropeState) -> None:
        """From the supply."""
        state.gold[self.seat] -= self.gold
        state.gold_buys += 1
        state.take(self.seat, RESOURCES.index(self.resource), -1)
        state.supply[RESOURCES.index(self.resource)] -= 1


@record
class SupplyTraded(Fact):
    """Several alike to the supply for another resource or for gold (E-32)."""

    seat: int
    give: Resource
    count: int
    take: Literal["lumber", "wool", "grain", "ore", "salt", "gold"]

    def fold(self, state: EuropeState) -> None:
        """One thing for them."""
        given = RESOURCES.index(self.give)
        state.take(self.seat, given, self.count)
        state.supply[given] += self.count
        if self.take == GOLD:
            state.gold[self.seat] += 1
        else:
            taken = RESOURCES.index(self.take)
            state.take(self.seat, taken, -1)
            state.supply[taken] -= 1


@record
class PileRenewed(Fact):
    """The played development cards form a new pile (E-64)."""

    reveals = True

    cards: int

    def fold(self, state: EuropeState) -> None:
        """What is in hands stays there."""
        state.pile, state.discarded = state.discarded, [0] * len(CARDS)
        state.epoch += 1


@record
class CardBought(Fact):
    """A development card; only its buyer knows which (E-40)."""

    reveals = True

    seat: int
    paid: Cards
    card: Card = secret("seat")

    def fold(self, state: EuropeState) -> None:
        """It can't be played this turn."""
        kind = CARDS.index(self.card)
        state.pay(self.seat, counts_of(self.paid))
        state.pile[kind] -= 1
        state.fresh = state.epoch * 4 + kind
        state.deck_draws += 1


@record
class MerchantHired(Fact):
    """A merchant on a post of its owner, new or moved there (E-40)."""

    seat: int
    merchant: int
    city: str
    paid: Cards

    def fold(self, state: EuropeState) -> None:
        """It stands at the city's crossroads."""
        board = state.atlas.board
        state.pay(self.seat, counts_of(self.paid))
        state.set_merchant(
            self.seat * 2 + self.merchant, board.cities[board.city_index[self.city]].crossroads
        )


@record
class CaravanFormed(Fact):
    """A caravan on a route beside a post of its owner, new or moved there; no toll is paid for it yet (E-40, E-47)."""

    seat: int
    caravan: int
    path: str
    paid: Cards

    def fold(self, state: EuropeState) -> None:
        """It stands on the route."""
        state.pay(self.seat, counts_of(self.paid))
        state.set_caravan(self.seat * 2 + self.caravan, state.atlas.board.path_index[self.path])
        state.tolls[self.caravan] = 0
        state.moving = NOBODY


@record
class RouteBuilt(Fact):
    """A route, paid or free; `bonus` says whether its double arrow opens another one (E-40, E-42, E-60)."""

    seat: int
    path: str
    source: Source
    paid: Cards
    bonus: bool

    def fold(self, state: EuropeState) -> None:
        """It joins what lies at its ends."""
        path = state.atlas.board.path_index[self.path]
        state.pay(self.seat, counts_of(self.paid))
        state.set_route(path, self.seat)
        if self.source == "safe_conduct":
            state.free_routes -= 1
        state.bonus = path if self.bonus else NOBODY
        state.settle()


@record
class ChainsTied(Fact):
    """Several chains that pay differently are equally short: the builder picks one (E-41)."""

    seat: int
    cities: tuple[str, ...]
    chains: tuple[tuple[str, ...], ...]

    def fold(self, state: EuropeState) -> None:
        """The match waits for the choice."""
        state.chains, state.joined = self.chains, self.cities
        state.settle()


@record
class ConnectionPaid(Fact):
    """Cities are isolated no more: each owner of a route in the chain gets 1 gold a route (E-41)."""

    cities: tuple[str, ...]
    chain: tuple[str, ...]
    gold: tuple[int, ...]
    """By seat."""

    def fold(self, state: EuropeState) -> None:
        """Gold from the bank."""
        for seat, gold in enumerate(self.gold):
            state.gold[seat] += gold
        state.chains = state.joined = ()
        state.settle()


@record
class RouteForgone(Fact):
    """A free route is not laid: declined, or there is no place or no route left for it (E-42, E-60)."""

    seat: int
    source: Source

    def fold(self, state: EuropeState) -> None:
        """It does not come back."""
        if self.source == "double_arrow":
            state.bonus = NOBODY
        else:
            state.free_routes = 0
        state.settle()


BUILD_FACTS: tuple[type[Fact], ...] = (
    ResourceBought,
    SupplyTraded,
    PileRenewed,
    CardBought,
    MerchantHired,
    CaravanFormed,
    RouteBuilt,
    ChainsTied,
    ConnectionPaid,
    RouteForgone,
)
