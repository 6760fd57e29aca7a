"""The drill for a rule that changes: releases of a game with one version of its rules or two."""

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
class Drill:
    """A game, and a second version of its rules that was made by replacing one entry of the first."""

    game: Game
    second: Ruleset[Any]
    noticed: str
    """What the verifier says of a match of version 1 that is verified by the second version's rules."""

    def __str__(self) -> str:
        return self.game.id

    @property
    def first(self) -> Ruleset[Any]:
        """The version that all recorded matches of the drill were played by."""
        return self.game.rulesets[0]

    @property
    def edited(self) -> Ruleset[Any]:
        """The same change made in place, as it must never be."""
        return replace(self.second, version=self.first.version)


Release = Callable[..., None]
"""`release(drill, *rulesets)` installs the game with these versions of its rules alone."""


def drills() -> list[Drill]:
    """The drill of every game, which lies beside the game's own tests."""
    found = [(game, import_module(f"{own_tests(game)}.second_version")) for game in all_games().values()]
    return [Drill(game, drill.VERSION_2, drill.NOTICED) for game, drill in found]


every_drill = pytest.mark.parametrize("drill", drills(), ids=str)


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Iterator[Release]:
    """Releases a game as a deployment does: rules that were looked up before are forgotten."""

    def install(drill: Drill, *rulesets: Ruleset[Any]) -> None:
        released = replace(drill.game, rulesets=rulesets)
        games: dict[str, Game] = installed_games()  # type: ignore[assignment]  # it is the cached dict
        monkeypatch.setitem(games, drill.game.id, released)
        find_rules.cache_clear()

    yield install
    find_rules.cache_clear()
