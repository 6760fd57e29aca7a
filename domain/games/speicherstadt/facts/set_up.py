"""Facts of the set-up."""

from kontor_games.domain.game import Fact, record, secret
from kontor_games.domain.games.speicherstadt.state import Table


@record
class FirstPlayerChosen(Fact):
    """The first player, drawn by lot or named by the creator of the match (S-7)."""

    seat: int
    by_lot: bool

    def fold(self, state: Table) -> None:
        state.first = self.seat


@record
class PileStacked(Fact):
    """The trade cards lie face down, season upon season; some went back into the box (S-5, S-6)."""

    removed: tuple[str, ...]
    pile: tuple[str, ...] = secret()

    def fold(self, state: Table) -> None:
        state.removed = self.removed
        state.pile = self.pile

    def __repr__(self) -> str:
        return f"PileStacked(removed={self.removed}, {len(self.pile)} cards)"


@record
class BagFilled(Fact):
    """All cubes are in the bag; nobody knows in which order they will be drawn (S-2, S-9)."""

    cubes: tuple[str, ...] = secret()

    def fold(self, state: Table) -> None:
        state.bag = self.cubes

    def __repr__(self) -> str:
        return f"BagFilled({len(self.cubes)} cubes)"
