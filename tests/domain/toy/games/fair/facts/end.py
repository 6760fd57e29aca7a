"""Facts of the end (T-7)."""

from kontor_games.domain.game import Fact, record
from tests.domain.toy.games.fair.state import Fair


@record
class MatchScored(Fact):
    """The match ended with these points, coins and places."""

    points: tuple[int, ...]
    coins: tuple[int, ...]
    places: tuple[int, ...]

    def fold(self, state: Fair) -> None:
        """Keep the result."""
        state.result = (tuple(p + c for p, c in zip(self.points, self.coins, strict=True)), self.places)
