"""Turns that begin and end (E-49)."""

from kontor_games.domain.game import Fact, record
from kontor_games.domain.games.europe.state import NOBODY, EuropeState
from kontor_games.domain.games.europe.state.phases import ROLL


@record
class TurnBegan(Fact):
    """A player's turn began; turns are counted over all players."""

    seat: int
    turn: int

    def fold(self, state: EuropeState) -> None:
        state.active, state.turn, state.phase = self.seat, self.turn, ROLL
        state.rolled = state.card_played = state.bribed = False
        state.gold_buys = state.steps = 0
        state.tolls = [0, 0]
        state.moving = NOBODY
        state.offers_made = [0] * state.seats


@record
class TurnEnded(Fact):
    """A player ended the turn (E-49)."""

    seat: int

    def fold(self, state: EuropeState) -> None:
        """Close all offers; the card bought this turn may be played from now on."""
        state.offers = ()
        if state.fresh >= 0:
            state.cards[self.seat] += (state.fresh,)
            state.fresh = NOBODY
