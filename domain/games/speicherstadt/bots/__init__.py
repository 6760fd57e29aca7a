"""House bots, which know what any player may know."""

from kontor_games.domain.game import BotClass
from kontor_games.domain.games.speicherstadt.bots.greedy import GreedyBot
from kontor_games.domain.games.speicherstadt.bots.searching import LEVELS, LEVELS_1
from kontor_games.domain.toolkit.random_bot import RandomBot

BOTS: dict[str, BotClass] = {"random": RandomBot, "greedy": GreedyBot}
"""By name."""
SLOW_BOTS: dict[str, BotClass] = {**LEVELS}
"""Those that may take a second for a move."""
OLD_BOTS: dict[str, tuple[BotClass, ...]] = {name: (level,) for name, level in LEVELS_1.items()}
"""Earlier versions by name."""
