"""Routes and connection gold (E-40 to E-42, E-60)."""

from typing import Literal

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.data.components import Cards, counts_of
from kontor_games.domain.games.europe.state import NOBODY, EuropeState

Source = Literal["paid", "double_arrow", "safe_conduct"]


@record
class RouteBuilt(Fact):
    """A player built a route; `bonus` says whether its double arrow brings another one (E-40, E-42, E-60)."""

    seat: int
    path: str
    source: Source
    paid: Cards
    bonus: bool

    def fold(self, state: EuropeState) -> None:
        path = state.tables.board.path_index[self.path]
        state.pay(self.seat, counts_of(self.paid))
        state.set_route(path, self.seat)
        if self.source == "safe_conduct":
            state.free_routes -= 1
        state.bonus = path if self.bonus else NOBODY
        state.phase = state.find_phase(state)


@record
class ChainsTied(Fact):
    """Several chains that pay differently are equally short: the builder chooses one (E-41)."""

    seat: int
    cities: tuple[str, ...]
    chains: tuple[tuple[str, ...], ...]

    def fold(self, state: EuropeState) -> None:
        state.chains, state.joined = self.chains, self.cities
        state.phase = state.find_phase(state)


@record
class ConnectionPaid(Fact):
    """Cities are no longer isolated: the owners of the chain got 1 gold for each of its routes (E-41)."""

    cities: tuple[str, ...]
    chain: tuple[str, ...]
    gold: tuple[int, ...]
    """By seat."""

    def fold(self, state: EuropeState) -> None:
        for seat, gold in enumerate(self.gold):
            state.gold[seat] += gold
        state.chains = state.joined = ()
        state.phase = state.find_phase(state)


@record
class RouteForgone(Fact):
    """A free route was not built: declined, or no place or no route was left for it (E-42, E-60)."""

    seat: int
    source: Source

    def fold(self, state: EuropeState) -> None:
        if self.source == "double_arrow":
            state.bonus = NOBODY
        else:
            state.free_routes = 0
        state.phase = state.find_phase(state)
