"""Number tokens that come to the board or move on it (E-45)."""

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.state import EuropeState


@record
class TokenPlaced(Fact):
    """A token came from the sea to a hex (E-45)."""

    reveals = True

    seat: int
    hex: str
    number: int

    def fold(self, state: EuropeState) -> None:
        hexagon = state.tables.board.hex_index[self.hex]
        colour = state.tables.yields[hexagon]
        left = list(state.sea[colour])
        left.remove(self.number)
        state.sea[colour] = tuple(left)
        state.set_number(hexagon, self.number)
        state.token_draws += 1
        state.token_hexes = ()
        state.phase = state.find_phase(state)


@record
class TokenShifted(Fact):
    """A token moved from one hex to another of the same terrain (E-45)."""

    seat: int
    source: str
    hex: str
    number: int

    def fold(self, state: EuropeState) -> None:
        index = state.tables.board.hex_index
        state.set_number(index[self.source], 0)
        state.set_number(index[self.hex], self.number)
        state.token_hexes = ()
        state.phase = state.find_phase(state)


@record
class HexLeftEmpty(Fact):
    """A builder left the hexes beside a new post without a number (E-45)."""

    seat: int

    def fold(self, state: EuropeState) -> None:
        state.token_hexes = ()
        state.phase = state.find_phase(state)
