"""The house bots."""

from collections.abc import Mapping

from kontor_games.domain.game import BotClass
from kontor_games.domain.toolkit.random_bot import RandomBot
from tests.domain.toy.games.fair.bots.greedy import GreedyBot

BOTS: Mapping[str, BotClass] = {"random": RandomBot, "greedy": GreedyBot}
