"""The rules of Settlers of Europe on the boards that come with the game."""

from typing import Any

from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.options import EuropeOptions
from kontor_games.domain.games.europe.rules import EuropeRules


def europe(board: str | None = None, version: int | None = None) -> EuropeRules:
    """The rules on a board that comes with the game."""
    rules = GAME.rules(board, version)
    assert isinstance(rules, EuropeRules)
    return rules


def options_of(rules: EuropeRules, **chosen: Any) -> EuropeOptions:
    """Options for a match by these rules."""
    options = rules.options(**chosen)
    assert isinstance(options, EuropeOptions)
    return options
