"""What a position is worth to a seat: its lead in points."""

from typing import Any

from kontor_games.domain.game import Rules
from tests.domain.toy.games.fair.state import Fair


class LeadInPoints:
    """Values the table after each move."""

    unit = "points"

    def __init__(self, rules: Rules[Any]) -> None:
        pass

    def moment(self, state: Fair) -> int:
        """The round."""
        return state.round

    def value(self, state: Fair, seat: int) -> float:
        """The lead over the best other seat."""
        return state.points[seat] - max(one for other, one in enumerate(state.points) if other != seat)
