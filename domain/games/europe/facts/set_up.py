"""Facts before the first turn (E-10 to E-14)."""

from typing import Literal

from kontor_games.domain.codec import Record
from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.data.components import Cards, counts_of
from kontor_games.domain.games.europe.state import NEUTRAL, EuropeState
from kontor_games.domain.games.europe.state.phases import SET_UP_NEUTRAL, SET_UP_POST, SET_UP_ROUTE

PieceName = Literal["post", "neutral_post", "route"]
_PHASES = {"post": SET_UP_POST, "neutral_post": SET_UP_NEUTRAL, "route": SET_UP_ROUTE}


@record
class StartRoll(Record):
    """One player's roll for the first turn."""

    seat: int
    dice: tuple[int, int]


@record
class StartRolled(Fact):
    """All, or those tied for highest, rolled for the first turn (E-13)."""

    reveals = True

    rolls: tuple[StartRoll, ...]

    def fold(self, state: EuropeState) -> None:
        state.start_rolls += 1


@record
class FirstPlayerFound(Fact):
    """The player with the highest roll begins (E-13)."""

    seat: int

    def fold(self, state: EuropeState) -> None:
        state.first = state.active = self.seat


@record
class ColourPlaced(Fact):
    """One colour was placed as the fixed set-up says (E-10)."""

    seat: int
    posts: tuple[str, ...]
    route: str
    cards: Cards

    def fold(self, state: EuropeState) -> None:
        board = state.tables.board
        for city in self.posts:
            state.set_post(board.city_index[city], self.seat)
        state.receive(self.seat, counts_of(self.cards))
        _first_route(state, self.seat, board.path_index[self.route])


@record
class NeutralPostsPlaced(Fact):
    """The posts of the unused colour were placed as neutral ones (E-11)."""

    cities: tuple[str, ...]

    def fold(self, state: EuropeState) -> None:
        for city in self.cities:
            state.set_post(state.tables.board.city_index[city], NEUTRAL)


@record
class PlacementOpened(Fact):
    """A player is to place a piece of the free set-up (E-12)."""

    seat: int
    piece: PieceName

    def fold(self, state: EuropeState) -> None:
        state.active = self.seat
        state.phase = _PHASES[self.piece]


@record
class StartPostPlaced(Fact):
    """A player placed one of the first three posts (E-12)."""

    seat: int
    city: str

    def fold(self, state: EuropeState) -> None:
        """Place the post; it frees no good and pays nothing (E-14)."""
        state.set_post(state.tables.board.city_index[self.city], self.seat)
        state.placed += 1


@record
class StartCardsTaken(Fact):
    """A player took one card for each hex beside the third post (E-12)."""

    seat: int
    cards: Cards

    def fold(self, state: EuropeState) -> None:
        state.receive(self.seat, counts_of(self.cards))


@record
class NeutralPostPlaced(Fact):
    """A player placed a neutral post (E-12)."""

    seat: int
    city: str

    def fold(self, state: EuropeState) -> None:
        state.set_post(state.tables.board.city_index[self.city], NEUTRAL)
        state.placed += 1


@record
class StartRoutePlaced(Fact):
    """A player placed the first route with a caravan on it (E-12)."""

    seat: int
    path: str

    def fold(self, state: EuropeState) -> None:
        """Place the route with a caravan on it; it brings no bonus and no gold (E-14)."""
        _first_route(state, self.seat, state.tables.board.path_index[self.path])
        state.placed += 1


def _first_route(state: EuropeState, seat: int, path: int) -> None:
    state.set_route(path, seat)
    state.set_caravan(seat, 0, path)
