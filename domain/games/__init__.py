"""The installed games. Each folder in this package is one game and defines `GAME`."""

import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module

from kontor_games.domain.game import Game


def find_games(package: str, path: Iterable[str]) -> dict[str, Game]:
    """The games in the folders of a package, by id."""
    names = sorted(module.name for module in pkgutil.iter_modules(path) if module.ispkg)
    games: dict[str, Game] = {}
    for name in names:
        game = import_module(f"{package}.{name}").GAME
        if game.id in games:
            raise ValueError(f"two games are called {game.id}")
        games[game.id] = game
    return games


@cache
def installed_games() -> Mapping[str, Game]:
    """Every game of this installation."""
    return find_games(__name__, __path__)
