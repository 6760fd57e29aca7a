"""Version 1 of the greedy bot: one opening, no offers, and no limit on the routes that it plans."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Move, Rules, View
from kontor_games.domain.games.europe import moves as m
from kontor_games.domain.games.europe.bots.choices import choose
from kontor_games.domain.games.europe.bots.features import Features
from kontor_games.domain.games.europe.bots.terrain import Terrain
from kontor_games.domain.games.europe.bots.turn import Turn


class GreedyBot1:
    """Uses only its view and the legal moves."""

    version = 1

    def __init__(self, rules: Rules[Any]) -> None:
        """Takes the rules and the printed board, which every player knows."""
        # A bot of this game is always created with this game's rules.
        self._terrain = Terrain(rules)  # type: ignore[arg-type]

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """Return the best move by its heuristics."""
        if len(legal) < 2:
            return legal[0] if legal else None
        features = Features(self._terrain, view(), seat)
        if isinstance(legal[-1], m.EndTurn) and not isinstance(legal[-2], m.ForgoRoute):
            return Turn(features, legal).move()
        return choose(features, legal)
