"""A bot that plays by heuristics: deliver, found posts, build towards the next post that takes a good."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Move, Rules, View
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.choices import choose
from kontor_games.domain.games.europe.bots.features import Features
from kontor_games.domain.games.europe.bots.settling import opening_worth
from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.bots.trading import TradingTurn

OPENINGS = 2
"""The number of best cities from which each first post is drawn, so that matches open in many ways."""


class Seen(Features):
    """The table as version 2 reads it: it plans no more routes than its seat has left."""

    def __init__(self, terrain: Terrain, view: View, seat: int) -> None:
        super().__init__(terrain, view, seat)
        self.routes_left: int = self.me["routes_left"]


class GreedyBot:
    """Uses only its view, the legal moves and draws of its own."""

    version = 2

    def __init__(self, rules: Rules[Any]) -> None:
        """Takes the rules and the printed board, which every player knows."""
        # A bot of this game is always created with this game's rules.
        self._terrain = Terrain(rules)  # type: ignore[arg-type]

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """Return the best move by its heuristics."""
        if not legal:
            return None
        if len(legal) == 1 and not isinstance(legal[0], m.EndTurn):
            return legal[0]
        features = Seen(self._terrain, view(), seat)
        if isinstance(legal[0], m.PlaceStartPost):
            return self._opening(features, legal, draws)
        if isinstance(legal[-1], m.EndTurn) and not isinstance(legal[-2:][0], m.ForgoRoute):
            return TradingTurn(features, legal).move()
        return choose(features, legal)

    def _opening(self, features: Features, legal: Sequence[Any], draws: Draws) -> Move:
        """One of the best cities, drawn with equal chances."""
        index = self._terrain.board.city_index
        best: list[Any] = sorted(
            legal, key=lambda move: opening_worth(features, index[move.city]), reverse=True
        )
        chosen: Move = best[draws.below(min(OPENINGS, len(best)))]
        return chosen
