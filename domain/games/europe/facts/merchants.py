"""Merchants and the posts they found (E-40, E-43, E-44)."""

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.data.components import GRAIN, Cards, counts_of
from kontor_games.domain.games.europe.state import NOBODY, EuropeState


@record
class MerchantHired(Fact):
    """A merchant came to a post of its owner, new or moved there (E-40)."""

    seat: int
    merchant: int
    city: str
    paid: Cards

    def fold(self, state: EuropeState) -> None:
        board = state.tables.board
        state.pay(self.seat, counts_of(self.paid))
        state.set_merchant(self.seat, self.merchant, board.cities[board.city_index[self.city]].crossroads)


@record
class MerchantMoved(Fact):
    """A merchant went along these crossroads, for grain or by a trade treaty (E-43, E-61)."""

    seat: int
    merchant: int
    way: tuple[str, ...]
    grain: int

    def fold(self, state: EuropeState) -> None:
        if self.grain:
            state.pay_one_kind(self.seat, GRAIN, self.grain)
        state.set_merchant(self.seat, self.merchant, state.tables.board.crossroads_index[self.way[-1]])


@record
class PostFounded(Fact):
    """A merchant became a post: a good is free, the coast pays, and a hex may get a token (E-44, E-45)."""

    seat: int
    merchant: int
    city: str
    gold: int
    hexes: tuple[str, ...]

    def fold(self, state: EuropeState) -> None:
        board = state.tables.board
        state.set_post(board.city_index[self.city], self.seat)
        state.set_merchant(self.seat, self.merchant, NOBODY)
        state.free_goods[self.seat] += 1
        state.gold[self.seat] += self.gold
        state.token_hexes = tuple([board.hex_index[h] for h in self.hexes])
        state.phase = state.find_phase(state)
