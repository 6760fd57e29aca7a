"""The fact that ends a match."""

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.speicherstadt.state import Score, Table


@record
class GameEnded(Fact):
    """The final scores, the coins that break ties, and the places; equal seats share a place (S-32, S-33)."""

    scores: tuple[Score, ...]
    coins: tuple[int, ...]
    places: tuple[int, ...]

    def fold(self, state: Table) -> None:
        state.phase = "over"
        state.scores = self.scores
        state.places = self.places
