"""Facts of the supply and of fires. They are immutable, so those that recur are created once and cached."""

from functools import cache

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.speicherstadt.state import Table
from kontor_games.domain.games.speicherstadt.state.cubes import pack


@record
class RoundBegun(Fact):
    """A new round: supply, then demand."""

    round: int

    def fold(self, state: Table) -> None:
        state.round = self.round
        state.phase = "supply"
        state.placed = 0
        state.buyers = 0


@record
class CardsRevealed(Fact):
    """Cards were laid out, left to right, each with its cubes; a fire divides a supply (S-10, S-11)."""

    reveals = True

    cards: tuple[str, ...]
    cubes: tuple[tuple[str, ...], ...]

    def fold(self, state: Table) -> None:
        """Add the cards to the row, with empty lines; a full row begins the demand."""
        state.revealed += len(self.cards)
        state.row += self.cards
        state.lines += [()] * len(self.cards)
        state.cargo += tuple(map(pack, self.cubes))
        state.drawn += sum(map(len, self.cubes))
        if len(state.row) >= state.numbers.row:
            state.phase = "demand"


@record
class FireFought(Fact):
    """A fire: the sum of each seat's firemen, and the points that each seat gained or lost (S-12)."""

    reveals = True

    fire: str
    firemen: tuple[int, ...]
    points: tuple[int, ...]

    def fold(self, state: Table) -> None:
        state.revealed += 1
        state.discarded.append(self.fire)
        for seat, points in enumerate(self.points):
            state.points[seat] += points


round_begun = cache(RoundBegun)
