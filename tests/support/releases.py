"""Support for tests of a changed rule: releases of a game with one or two versions of its rules."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import pytest

from kontor_games.domain.game import Game, Ruleset
from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import find_rules
from tests.support.game_folders import own_tests
from tests.support.matches import all_games


@dataclass(frozen=True)
class RuleChange:
    """A game, and a second version of its rules that was made by replacing one entry of the first."""

    game: Game
    second: Ruleset[Any]
    noticed: str
    """The error of the verifier for a match of the first version under the rules of the second one."""

    def __str__(self) -> str:
        return self.game.id

    @property
    def first(self) -> Ruleset[Any]:
        """The version with which all recorded matches of the game were played."""
        return self.game.rulesets[0]

    @property
    def edited(self) -> Ruleset[Any]:
        """The second version under the number of the first: a rule edited in place, which is forbidden."""
        return replace(self.second, version=self.first.version)


Release = Callable[..., None]
"""`release(rule_change, *rulesets)` installs the game with these versions of its rules alone."""


def rule_changes() -> list[RuleChange]:
    """Return one rule change for each game, from the folder with the game's own tests."""
    found = [(game, import_module(f"{own_tests(game)}.second_version")) for game in all_games().values()]
    return [RuleChange(game, rule_change.VERSION_2, rule_change.NOTICED) for game, rule_change in found]


for_each_rule_change = pytest.mark.parametrize("rule_change", rule_changes(), ids=str)


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Iterator[Release]:
    """A function that installs a game as a deployment does, with empty caches of rules."""

    def install(rule_change: RuleChange, *rulesets: Ruleset[Any]) -> None:
        released = replace(rule_change.game, rulesets=rulesets)
        games: dict[str, Game] = installed_games()  # type: ignore[assignment]  # it is the cached dict
        monkeypatch.setitem(games, rule_change.game.id, released)
        find_rules.cache_clear()

    yield install
    find_rules.cache_clear()
