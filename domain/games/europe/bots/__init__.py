"""House bots: they see what any player sees, and choose among the moves that any player is given."""

from collections.abc import Callable, Sequence
from typing import Any

from kontor_games.domain.chance import Draws
from kontor_games.domain.game import Bot, Move, Rules, View
from kontor_games.domain.games.europe.bots.greedy import GreedyBot


class RandomBot:
    """Any legal move, each as likely as the others."""

    def choose(self, seat: int, view: Callable[[], View], legal: Sequence[Move], draws: Draws) -> Move | None:
        """Draws a move; it never looks at the table, and has nothing to say where nothing is asked."""
        return legal[draws.below(len(legal))] if legal else None


def _random(rules: Rules[Any]) -> Bot:
    return RandomBot()


BOTS: dict[str, Callable[[Rules[Any]], Bot]] = {"random": _random, "greedy": GreedyBot}
"""By name."""
