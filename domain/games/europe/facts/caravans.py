"""Caravans on the board and under way (E-40, E-46, E-47)."""

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.data.components import SALT, Cards, counts_of
from kontor_games.domain.games.europe.state import NOBODY, EuropeState


@record
class CaravanFormed(Fact):
    """A caravan came to a route beside a post of its owner, new or moved there (E-40, E-47)."""

    seat: int
    caravan: int
    path: str
    paid: Cards

    def fold(self, state: EuropeState) -> None:
        """Pay for the caravan and put it on the route; it has paid no toll yet."""
        state.pay(self.seat, counts_of(self.paid))
        state.set_caravan(self.seat, self.caravan, state.tables.board.path_index[self.path])
        state.tolls[self.caravan] = 0
        state.moving = NOBODY


@record
class CaravanMoved(Fact):
    """A caravan went along these routes (E-46, E-47)."""

    seat: int
    caravan: int
    path: tuple[str, ...]
    salt: int
    tolls: tuple[int, ...]
    """The owners to whom 1 gold was paid."""
    steps: int
    """Steps that the caravan has left."""
    bribed: bool

    def fold(self, state: EuropeState) -> None:
        if self.salt:
            state.pay_one_kind(self.seat, SALT, self.salt)
        for owner in self.tolls:
            state.gold[self.seat] -= 1
            state.gold[owner] += 1
            state.tolls[self.caravan] |= 1 << owner
        state.set_caravan(self.seat, self.caravan, state.tables.board.path_index[self.path[-1]])
        state.moving, state.steps, state.bribed = self.caravan, self.steps, self.bribed
        state.phase = state.find_phase(state)


@record
class StepsLapsed(Fact):
    """A caravan lost the steps that it had left (E-46)."""

    seat: int
    caravan: int
    steps: int

    def fold(self, state: EuropeState) -> None:
        state.moving = NOBODY
        state.steps = 0
        state.bribed = False
