"""What happens before the first turn (E-10 to E-14)."""

from typing import Literal

from kontor_games.domain.codec import Record
from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.resources import Cards, counts_of
from kontor_games.domain.games.europe.state import (
    NEUTRAL,
    SET_UP_NEUTRAL,
    SET_UP_POST,
    SET_UP_ROUTE,
    EuropeState,
)

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
        """Only the draw is counted."""
        state.start_rolls += 1


@record
class FirstPlayerFound(Fact):
    """The highest roll begins (E-13)."""

    seat: int

    def fold(self, state: EuropeState) -> None:
        """Turns count from here."""
        state.first = state.active = self.seat


@record
class ColourPlaced(Fact):
    """The fixed set-up of one colour (E-10)."""

    seat: int
    posts: tuple[str, ...]
    route: str
    cards: Cards

    def fold(self, state: EuropeState) -> None:
        """Posts, a route with a caravan, and the first cards."""
        board = state.atlas.board
        for city in self.posts:
            state.set_post(board.city_index[city], self.seat)
        state.receive(self.seat, counts_of(self.cards))
        _first_route(state, self.seat, board.path_index[self.route])


@record
class NeutralPostsPlaced(Fact):
    """The fourth colour's posts stand as neutral ones (E-11)."""

    cities: tuple[str, ...]

    def fold(self, state: EuropeState) -> None:
        """They belong to nobody at the table."""
        for city in self.cities:
            state.set_post(state.atlas.board.city_index[city], NEUTRAL)


@record
class PlacementOpened(Fact):
    """It is for a player to place a piece of the free set-up (E-12)."""

    seat: int
    piece: PieceName

    def fold(self, state: EuropeState) -> None:
        """The match waits for this seat."""
        state.active = self.seat
        state.phase = _PHASES[self.piece]


@record
class StartPostPlaced(Fact):
    """One of a player's first three posts (E-12)."""

    seat: int
    city: str

    def fold(self, state: EuropeState) -> None:
        """It frees no good and pays nothing (E-14)."""
        state.set_post(state.atlas.board.city_index[self.city], self.seat)
        state.placed += 1


@record
class StartCardsTaken(Fact):
    """What the hexes beside a third post give (E-12)."""

    seat: int
    cards: Cards

    def fold(self, state: EuropeState) -> None:
        """From the supply."""
        state.receive(self.seat, counts_of(self.cards))


@record
class NeutralPostPlaced(Fact):
    """A neutral post, placed by a player (E-12)."""

    seat: int
    city: str

    def fold(self, state: EuropeState) -> None:
        """It belongs to nobody at the table."""
        state.set_post(state.atlas.board.city_index[self.city], NEUTRAL)
        state.placed += 1


@record
class StartRoutePlaced(Fact):
    """A player's first route with a caravan on it (E-12)."""

    seat: int
    path: str

    def fold(self, state: EuropeState) -> None:
        """No bonus and no connection gold (E-14)."""
        _first_route(state, self.seat, state.atlas.board.path_index[self.path])
        state.placed += 1


def _first_route(state: EuropeState, seat: int, path: int) -> None:
    state.set_route(path, seat)
    state.set_caravan(seat * 2, path)


SET_UP_FACTS: tuple[type[Fact], ...] = (
    StartRolled,
    FirstPlayerFound,
    ColourPlaced,
    NeutralPostsPlaced,
    PlacementOpened,
    StartPostPlaced,
    StartCardsTaken,
    NeutralPostPlaced,
    StartRoutePlaced,
)
