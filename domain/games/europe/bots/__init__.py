"""House bots: they see what any player sees, and choose among the moves that any player is given."""

from kontor_games.domain.game import BotClass
from kontor_games.domain.games.europe.bots.greedy import GreedyBot
from kontor_games.domain.toolkit.random_bot import RandomBot

BOTS: dict[str, BotClass] = {"random": RandomBot, "greedy": GreedyBot}
"""By name."""
