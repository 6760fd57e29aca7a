"""House bots, which get the same view and the same legal moves as any player."""

from kontor_games.domain.game import BotClass
from kontor_games.domain.games.europe.bots.greedy import GreedyBot
from kontor_games.domain.games.europe.bots.greedy_1 import GreedyBot1
from kontor_games.domain.games.europe.bots.searching import LEVELS
from kontor_games.domain.toolkit.random_bot import RandomBot

BOTS: dict[str, BotClass] = {"random": RandomBot, "greedy": GreedyBot}
"""By name."""
SLOW_BOTS: dict[str, BotClass] = {**LEVELS}
"""Those that may take a second for a move."""

OLD_BOTS: dict[str, tuple[BotClass, ...]] = {"greedy": (GreedyBot1,)}
"""Earlier versions by name."""
