"""The fact of the demand. It is immutable, so equal facts are created once and cached."""

from functools import cache

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.speicherstadt.state import Table


@record
class WorkerPlaced(Fact):
    """A worker joined the line of a card (S-13)."""

    seat: int
    card: str

    def fold(self, state: Table) -> None:
        state.lines[state.row.index(self.card)] += (self.seat,)
        state.placed += 1


worker_placed = cache(WorkerPlaced)
