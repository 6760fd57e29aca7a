"""The end of the match (E-70)."""

from typing import Literal

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.games.europe.state.phases import OVER


@record
class GameEnded(Fact):
    """A player delivered all goods, or the turn limit was reached (E-70)."""

    reason: Literal["delivered", "turn_limit"]
    places: tuple[int, ...]

    def fold(self, state: EuropeState) -> None:
        state.ended = self.reason
        state.places = self.places
        state.offers = ()
        state.phase = OVER
