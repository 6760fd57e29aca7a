"""The boards: two that come with the game, and the check of boards that users bring (FORMAT.md)."""

from kontor_games.domain.data import read_json
from kontor_games.domain.games.europe.data.check import admit

__all__ = ["DATA_SETS", "admit"]

DATA_SETS = tuple(admit(name, read_json(__name__, f"{name}.json")) for name in ("short", "expert"))
"""The boards that come with the game, the default first."""
