"""House bots: they see what any player sees, and choose among the moves that any player is given."""

from collections.abc import Callable
from typing import Any

from domain.game import Bot, Rules
from domain.games.europe.bots.greedy import GreedyBot
from domain.toolkit.random_bot import RandomBot

BOTS: dict[str, Callable[[Rules[Any]], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
"""By name."""
