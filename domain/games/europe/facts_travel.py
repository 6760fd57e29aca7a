"""Merchants and caravans on their way, what they found and deliver, and the cards played (E-43 to E-48, E-60 to E-63)."""

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.resources import BRIBE, GRAIN, LANCER, SAFE_CONDUCT, SALT, TRADE_TREATY
from kontor_games.domain.games.europe.state import NOBODY, EuropeState


@record
class MerchantMoved(Fact):
    """A merchant went along these crossroads, for grain or by a trade treaty (E-43, E-61)."""

    seat: int
    merchant: int
    way: tuple[str, ...]
    grain: int

    def fold(self, state: EuropeState) -> None:
        """It stands at the last of them."""
        if self.grain:
            state.take(self.seat, GRAIN, self.grain)
            state.supply[GRAIN] += self.grain
        state.set_merchant(self.seat * 2 + self.merchant, state.atlas.board.crossroads_index[self.way[-1]])


@record
class PostFounded(Fact):
    """A merchant became a post: a good is free, the coast pays, and one of the hexes may get a token (E-44, E-45)."""

    seat: int
    merchant: int
    city: str
    gold: int
    hexes: tuple[str, ...]

    def fold(self, state: EuropeState) -> None:
        """The merchant goes back to its owner."""
        board = state.atlas.board
        state.set_post(board.city_index[self.city], self.seat)
        state.set_merchant(self.seat * 2 + self.merchant, NOBODY)
        state.free_goods[self.seat] += 1
        state.gold[self.seat] += self.gold
        state.token_hexes = tuple([board.hex_index[h] for h in self.hexes])
        state.settle()


@record
class TokenPlaced(Fact):
    """A token came from the sea to a hex (E-45)."""

    reveals = True

    seat: int
    hex: str
    number: int

    def fold(self, state: EuropeState) -> None:
        """The sea has one less of its colour."""
        hexagon = state.atlas.board.hex_index[self.hex]
        colour = state.atlas.yields[hexagon]
        left = list(state.sea[colour])
        left.remove(self.number)
        state.sea[colour] = tuple(left)
        state.set_number(hexagon, self.number)
        state.token_draws += 1
        state.token_hexes = ()
        state.settle()


@record
class TokenShifted(Fact):
    """A token moved from one hex to another of the same terrain (E-45)."""

    seat: int
    source: str
    hex: str
    number: int

    def fold(self, state: EuropeState) -> None:
        """The one it left gives nothing any more."""
        index = state.atlas.board.hex_index
        state.set_number(index[self.source], 0)
        state.set_number(index[self.hex], self.number)
        state.token_hexes = ()
        state.settle()


@record
class HexLeftEmpty(Fact):
    """A builder moved no token (E-45)."""

    seat: int

    def fold(self, state: EuropeState) -> None:
        """The choice is over."""
        state.token_hexes = ()
        state.settle()


@record
class CaravanMoved(Fact):
    """A caravan went along these routes: the salt paid, the owners to whom 1 gold toll was paid, the steps it has left (E-46, E-47)."""

    seat: int
    caravan: int
    path: tuple[str, ...]
    salt: int
    tolls: tuple[int, ...]
    steps: int
    bribed: bool

    def fold(self, state: EuropeState) -> None:
        """It stands on the last of them."""
        if self.salt:
            state.take(self.seat, SALT, self.salt)
            state.supply[SALT] += self.salt
        for owner in self.tolls:
            state.gold[self.seat] -= 1
            state.gold[owner] += 1
            state.tolls[self.caravan] |= 1 << owner
        state.set_caravan(self.seat * 2 + self.caravan, state.atlas.board.path_index[self.path[-1]])
        state.moving, state.steps, state.bribed = self.caravan, self.steps, self.bribed
        state.settle()


@record
class StepsLapsed(Fact):
    """What a caravan had left of its move is lost (E-46)."""

    seat: int
    caravan: int
    steps: int

    def fold(self, state: EuropeState) -> None:
        """It stays where it is."""
        state.moving = NOBODY
        state.steps = 0
        state.bribed = False


@record
class GoodDelivered(Fact):
    """A good was left at a post (E-48)."""

    seat: int
    city: str

    def fold(self, state: EuropeState) -> None:
        """That post takes no other."""
        state.set_good(state.atlas.board.city_index[self.city], self.seat)
        state.free_goods[self.seat] -= 1
        state.delivered[self.seat] += 1


@record
class SafeConductPlayed(Fact):
    """So many free routes may follow (E-60)."""

    seat: int
    routes: int

    def fold(self, state: EuropeState) -> None:
        """They come one after the other."""
        state.discard_card(self.seat, SAFE_CONDUCT)
        state.free_routes = self.routes
        state.settle()


@record
class TreatyPlayed(Fact):
    """A trade treaty: gold, or (with 0 gold) a merchant's move that follows (E-61)."""

    seat: int
    gold: int

    def fold(self, state: EuropeState) -> None:
        """Gold from the bank."""
        state.discard_card(self.seat, TRADE_TREATY)
        state.gold[self.seat] += self.gold


@record
class LancerPlayed(Fact):
    """A lancer: gold, and the robber has to move (E-62)."""

    seat: int
    gold: int

    def fold(self, state: EuropeState) -> None:
        """Nobody gives cards back."""
        state.discard_card(self.seat, LANCER)
        state.gold[self.seat] += self.gold
        state.robber_due = True
        state.settle()


@record
class BribePlayed(Fact):
    """A bribe: so many steps for one caravan, free and without tolls (E-63)."""

    seat: int
    caravan: int
    steps: int

    def fold(self, state: EuropeState) -> None:
        """It moves when its owner says so."""
        state.discard_card(self.seat, BRIBE)
        state.moving, state.steps, state.bribed = self.caravan, self.steps, True


TRAVEL_FACTS: tuple[type[Fact], ...] = (
    MerchantMoved,
    PostFounded,
    TokenPlaced,
    TokenShifted,
    HexLeftEmpty,
    CaravanMoved,
    StepsLapsed,
    GoodDelivered,
    SafeConductPlayed,
    TreatyPlayed,
    LancerPlayed,
    BribePlayed,
)
