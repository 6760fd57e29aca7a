"""The searching bot: tries moves, plays on by a quick policy in imagined worlds, and values the outcome."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from kontor_games.domain.chance import Chance, Draws
from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.greedy import GreedyBot, Seen
from kontor_games.domain.games.europe.bots.searching.playout import Playout
from kontor_games.domain.games.europe.bots.searching.position import Valuer
from kontor_games.domain.games.europe.bots.searching.proposals import offers, worth_trying
from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.state import EuropeState
from kontor_games.domain.toolkit.searching import Imagine, Weights, chance_from, levels

_USUAL = (m.PlaceStartPost, m.PlaceNeutralPost, m.PlaceStartRoute, m.Deliver)
"""Moves that are made without a search if the greedy bot makes them."""
_NODES = (40, 200, 600)
"""Turns that each level plays on for one decision; the quickest tries each move once."""
_FINALISTS = 4


class World(NamedTuple):
    """A state that the seat can't tell from the true one, with chance of its own."""

    state: EuropeState
    chance: Chance


class EuropeSearch:
    """The search with one set of weights."""

    def __init__(self, rules: Any, nodes: int, weights: Weights) -> None:
        self._rules, self._nodes, self._weights = rules, nodes, weights
        self._terrain, self._greedy = Terrain(rules), GreedyBot(rules)
        self._playout = Playout(rules, self._terrain)

    def best(self, seat: int, imagine: Imagine, legal: Sequence[Move], draws: Draws) -> Move | None:
        """Return the move that is best on the mean of the worlds."""
        if len(legal) == 1 and not isinstance(legal[0], m.EndTurn):
            return legal[0]
        state: EuropeState = imagine()
        usual = self._greedy.choose(seat, lambda: self._rules.view(state, seat), legal, draws)
        if usual is None or isinstance(usual, _USUAL):
            return usual
        tried = self._candidates(state, seat, legal, usual)
        if len(tried) == 1:
            return usual
        valuer = Valuer(self._terrain, state, self._weights)
        first = World(state, chance_from(draws))
        values = {move: self._tried(first, valuer, seat, move, 1) for move in tried}
        left = self._nodes - len(tried)
        turns = 1 + state.seats
        worlds = left // (turns * _FINALISTS)
        if worlds:
            best = sorted(tried, key=lambda move: -values[move])[:_FINALISTS]
            tried = [usual, *(move for move in best if move != usual)]
            values = dict.fromkeys(tried, 0.0)
            for _ in range(worlds):
                world = World(imagine(), chance_from(draws))
                for move in tried:
                    values[move] += self._tried(world, valuer, seat, move, turns) / worlds
        values[usual] += self._weights["usual"]
        return max(tried, key=values.__getitem__)

    def _candidates(self, state: EuropeState, seat: int, legal: Sequence[Move], usual: Move) -> list[Move]:
        """The moves that are tried, with the usual one first."""
        features = Seen(self._terrain, self._rules.view(state, seat), seat)
        found = worth_trying(features, legal)
        on_turn = seat == state.active and not state.offers
        if on_turn and m.OfferTrade in self._rules.open_moves(state, seat):
            found += offers(features, legal)
        return [usual, *(move for move in found if move != usual)][: self._nodes]

    def _tried(self, world: World, valuer: Valuer, seat: int, move: Move, turns: int) -> float:
        """The value of a world some turns after a move."""
        state = world.state.copy()
        turn = state.turn + turns
        self._rules.decide(state, seat, move, world.chance)
        self._playout.play(state, turn, world.chance)
        return valuer.value(state, seat)


LEVELS = levels(__name__, version=2, nodes=_NODES, search=EuropeSearch)
"""The levels by name, the quickest first."""
