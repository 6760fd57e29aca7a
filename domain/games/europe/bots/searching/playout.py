"""Matches played on by a quick policy, which is that of the greedy bot without offers of its own."""

from typing import Any

from kontor_games.domain.chance import Chance
from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.choices import choose
from kontor_games.domain.games.europe.bots.greedy import Seen
from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.bots.turn import Turn
from kontor_games.domain.games.europe.state import EuropeState


class Playout:
    """Plays on from imagined states."""

    def __init__(self, rules: Any, terrain: Terrain) -> None:
        self._rules, self._terrain = rules, terrain

    def play(self, state: EuropeState, turn: int, chance: Chance) -> None:
        """Change a state to that at the beginning of a turn, or at the end of the match."""
        rules = self._rules
        while state.turn < turn and (waited := rules.to_act(state)):
            if state.offers:
                self._answer(state, chance)
            seat = waited[0]
            rules.decide(state, seat, self.choice(state, seat), chance)

    def choice(self, state: EuropeState, seat: int) -> Move:
        """The move of the policy."""
        legal: list[Move] = self._rules.legal_moves(state, seat)
        if len(legal) == 1:
            return legal[0]
        features = Seen(self._terrain, self._rules.view(state, seat), seat)
        if isinstance(legal[-1], m.EndTurn) and not isinstance(legal[-2], m.ForgoRoute):
            return Turn(features, legal).move()
        return choose(features, legal)

    def _answer(self, state: EuropeState, chance: Chance) -> None:
        """Let those to whom an offer was made answer it."""
        for seat in range(state.seats):
            while any(seat in offer.to for offer in state.offers):
                legal = self._rules.legal_moves(state, seat)
                answers = [move for move in legal if isinstance(move, m.AcceptOffer | m.DeclineOffer)]
                features = Seen(self._terrain, self._rules.view(state, seat), seat)
                self._rules.decide(state, seat, choose(features, answers), chance)
