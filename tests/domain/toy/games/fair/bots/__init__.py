"""The house bots."""

from collections.abc import Callable, Mapping
from typing import Any

from kontor_games.domain.game import Bot, Rules
from kontor_games.domain.toolkit.random_bot import RandomBot
from tests.domain.toy.games.fair.bots.greedy import GreedyBot

BOTS: Mapping[str, Callable[[Rules[Any]], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
