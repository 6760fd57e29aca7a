"""The boards that come with the game, in two drawings each, and the check of boards that users bring."""

from kontor_games.domain.data import read_json
from kontor_games.domain.games.europe.data.check import admit

__all__ = ["DATA_SETS", "admit"]

_NAMES = ("short-2", "expert-2", "short", "expert")

DATA_SETS = tuple(admit(name, read_json(__name__, f"{name}.json")) for name in _NAMES)
"""The boards that come with the game, the default first; a drawing that matches were played on stays."""
