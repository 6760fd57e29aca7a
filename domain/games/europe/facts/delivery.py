"""Goods delivered (E-48)."""

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.state import EuropeState


@record
class GoodDelivered(Fact):
    """A player delivered a good to a post (E-48)."""

    seat: int
    city: str

    def fold(self, state: EuropeState) -> None:
        state.set_good(state.tables.board.city_index[self.city], self.seat)
        state.free_goods[self.seat] -= 1
        state.delivered[self.seat] += 1
