"""The toy games, found like the installed ones."""

from collections.abc import Mapping

from kontor_games.domain.game import Game
from kontor_games.domain.games import find_games


def toy_games() -> Mapping[str, Game]:
    """Every game in this folder, by id."""
    return find_games(__name__, __path__)
