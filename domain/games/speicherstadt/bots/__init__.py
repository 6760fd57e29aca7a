"""House bots: they see what any player sees, and choose among the moves that any player is offered."""

from collections.abc import Callable
from typing import Any

from kontor_games.domain.game import Bot, Rules
from kontor_games.domain.games.speicherstadt.bots.greedy import GreedyBot
from kontor_games.domain.toolkit.random_bot import RandomBot

BOTS: dict[str, Callable[[Rules[Any]], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
"""By name."""
