"""The house bot that every game has."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Move, Rules, View


class RandomBot:
    """Makes any legal move, each equally likely."""

    version = 1

    def __init__(self, rules: Rules[Any]) -> None:
        """Ignore the rules; the legal moves are enough."""

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """Draw a random legal move; None if there is none."""
        return legal[draws.below(len(legal))] if legal else None
