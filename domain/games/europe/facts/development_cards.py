"""Development cards played (E-60 to E-63)."""

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.data.components import BRIBE, LANCER, SAFE_CONDUCT, TRADE_TREATY
from kontor_games.domain.games.europe.state import EuropeState


@record
class SafeConductPlayed(Fact):
    """A player played a safe conduct, which gives a number of free routes (E-60)."""

    seat: int
    routes: int

    def fold(self, state: EuropeState) -> None:
        state.discard_card(self.seat, SAFE_CONDUCT)
        state.free_routes = self.routes
        state.phase = state.find_phase(state)


@record
class TreatyPlayed(Fact):
    """A player played a trade treaty for gold, or (0 gold) for the merchant's move that follows (E-61)."""

    seat: int
    gold: int

    def fold(self, state: EuropeState) -> None:
        """Put the card aside and give the gold."""
        state.discard_card(self.seat, TRADE_TREATY)
        state.gold[self.seat] += self.gold


@record
class LancerPlayed(Fact):
    """A player played a lancer: gold, and the robber must move (E-62)."""

    seat: int
    gold: int

    def fold(self, state: EuropeState) -> None:
        state.discard_card(self.seat, LANCER)
        state.gold[self.seat] += self.gold
        state.robber_due = True
        state.phase = state.find_phase(state)


@record
class BribePlayed(Fact):
    """A player played a bribe, which gives one caravan a number of steps without salt and tolls (E-63)."""

    seat: int
    caravan: int
    steps: int

    def fold(self, state: EuropeState) -> None:
        state.discard_card(self.seat, BRIBE)
        state.moving, state.steps, state.bribed = self.caravan, self.steps, True
