"""House bots: they see what any player sees, and choose among the moves that any player is offered."""

from collections.abc import Callable
from typing import Any

from domain.game import Bot, Rules
from domain.games.speicherstadt.bots.greedy import GreedyBot
from domain.toolkit.random_bot import RandomBot

BOTS: dict[str, Callable[[Rules[Any]], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
"""By name."""
