"""House bots, which know what any player may know."""

from kontor_games.domain.game import BotClass
from kontor_games.domain.games.speicherstadt.bots.greedy import GreedyBot
from kontor_games.domain.games.speicherstadt.bots.searching import LEVELS, LEVELS_1
from kontor_games.domain.toolkit.random_bot import RandomBot

_QUICK = ("search:1", "search:2")

BOTS: dict[str, BotClass] = {
    "random": RandomBot,
    **{name: LEVELS[name] for name in _QUICK},
    "greedy": GreedyBot,
}
"""By name."""
SLOW_BOTS: dict[str, BotClass] = {name: level for name, level in LEVELS.items() if name not in _QUICK}
"""Those that may take a second for a move."""
OLD_BOTS: dict[str, tuple[BotClass, ...]] = {name: (LEVELS_1[name],) for name in _QUICK}
"""Earlier versions by name."""
