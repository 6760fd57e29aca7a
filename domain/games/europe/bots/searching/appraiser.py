"""What a position is worth to a seat, in cards: its lead, as the searching bot values it."""

from typing import Any

from kontor_games.domain.games.europe.bots.searching import LEVELS
from kontor_games.domain.games.europe.bots.searching.position import Valuer
from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.state import EuropeState

_CARD = 0.2
"""What a card that is needed adds to the strength of a seat in the middle of a match, roughly."""


class LeadInCards:
    """Values positions at the end of a turn."""

    unit = "cards"

    def __init__(self, rules: Any) -> None:
        self._terrain, self._weights = Terrain(rules), LEVELS["search:1"].weights

    def moment(self, state: EuropeState) -> tuple[int, bool]:
        """The turn, and whether an offer is open."""
        return state.turn, bool(state.offers)

    def value(self, state: EuropeState, seat: int) -> float:
        """The lead of a seat."""
        return Valuer(self._terrain, state, self._weights).value(state, seat) / _CARD
