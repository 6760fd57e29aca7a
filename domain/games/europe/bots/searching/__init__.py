"""The searching bot: a beam over its own turn in several imagined worlds, by the value of where it leads.

Set-up, offers and answers to them are those of the greedy bot; everything else is searched.
"""

from collections.abc import Sequence
from typing import Any

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.greedy import GreedyBot, Seen
from kontor_games.domain.games.europe.bots.searching.beam import Beam
from kontor_games.domain.games.europe.bots.searching.position import Valuer
from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.bots.trading import TradingTurn
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.toolkit.searching import Imagine, Weights, chance_from, levels

_NODES = (60, 200, 600, 1800, 5400)
"""Moves that each level tries for one decision, in all worlds together."""
_NODES_A_WORLD = 150
_MOST_WORLDS = 8
_SET_UP = (m.PlaceStartPost, m.PlaceNeutralPost, m.PlaceStartRoute)


class EuropeSearch:
    """The search with one set of weights."""

    def __init__(self, rules: Any, nodes: int, weights: Weights) -> None:
        self._rules = rules
        self._terrain, self._greedy = Terrain(rules), GreedyBot(rules)
        self._nodes, self._weights = nodes, weights

    def best(self, seat: int, imagine: Imagine, legal: Sequence[Move], draws: Draws) -> Move | None:
        """Return the first move of the sequence that is best on the mean of the worlds."""
        if len(legal) == 1 and not isinstance(legal[0], m.EndTurn):
            return legal[0]
        state: EuropeState = imagine()
        if isinstance(legal[0], _SET_UP) or state.offers or seat not in self._rules.to_act(state):
            return self._like_greedy(state, seat, legal, draws)
        means = self._means(state, seat, imagine, draws)
        move = max(means, key=lambda first: means[first])
        return self._at_the_end(state, seat, legal) if move is None else move

    def _like_greedy(self, state: EuropeState, seat: int, legal: Sequence[Move], draws: Draws) -> Move | None:
        """The move of the greedy bot, whose view is the same in every imagined world."""
        return self._greedy.choose(seat, lambda: self._rules.view(state, seat), legal, draws)

    def _means(
        self, state: EuropeState, seat: int, imagine: Imagine, draws: Draws
    ) -> dict[Move | None, float]:
        """The mean value of the best sequence after each first move that was found in every world."""
        number = max(1, min(_MOST_WORLDS, self._nodes // _NODES_A_WORLD))
        worlds = [state, *(imagine() for _ in range(number - 1))]
        found = []
        for world in worlds:
            valuer = Valuer(self._terrain, world, self._weights)
            beam = Beam(self._rules, valuer, seat, chance_from(draws))
            found.append(beam.best(world, self._nodes // number))
        means: dict[Move | None, float] = {}
        for first in found[0]:
            if all(first in values for values in found):
                means[first] = 0.0
                for values in found:
                    means[first] += values[first] / number
        return means or found[0]

    def _at_the_end(self, state: EuropeState, seat: int, legal: Sequence[Move]) -> Move:
        """Roll, or make an offer before the turn ends."""
        if not isinstance(legal[-1], m.EndTurn):
            return next(move for move in legal if isinstance(move, m.RollDice))
        features = Seen(self._terrain, self._rules.view(state, seat), seat)
        return TradingTurn(features, legal).offer() or legal[-1]


LEVELS = levels(__name__, version=1, nodes=_NODES, search=EuropeSearch)
"""The levels by name, the quickest first."""
