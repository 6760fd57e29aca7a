"""What a position is worth to a seat, in points: its lead, as the searching bot values the end of a round."""

from typing import Any

from kontor_games.domain.game import Rules
from kontor_games.domain.games.speicherstadt.bots.searching import LEVELS
from kontor_games.domain.games.speicherstadt.bots.searching.round_game import RoundGame
from kontor_games.domain.games.speicherstadt.state import Table


class LeadInPoints:
    """Values positions after a purchase and after a loading."""

    unit = "points"

    def __init__(self, rules: Rules[Any]) -> None:
        self._price, self._weights = rules.steps.price, LEVELS["search:1"].weights

    def moment(self, state: Table) -> tuple[int, bool]:
        """The round, and whether its cards are still for sale."""
        return state.round, state.phase in ("demand", "purchase")

    def value(self, state: Table, seat: int) -> float:
        """The lead of a seat."""
        return RoundGame(self._price, state, self._weights).leads_now()[seat]
