"""House bots, which get the same view and the same legal moves as any player."""

from kontor_games.domain.game import BotClass
from kontor_games.domain.games.europe.bots.greedy import GreedyBot
from kontor_games.domain.toolkit.random_bot import RandomBot

BOTS: dict[str, BotClass] = {"random": RandomBot, "greedy": GreedyBot}
"""By name."""
