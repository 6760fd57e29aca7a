"""A fixture that installs the toy game."""

from collections.abc import Iterator

import pytest

from kontor_games.domain.games import installed_games
from kontor_games.domain.match_facts import fact_codec, find_rules
from tests.domain.toy.games.fair import GAME


@pytest.fixture(autouse=True)
def the_fair_is_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the toy game for one test; cached rules are cleared before and after."""
    monkeypatch.setitem(installed_games(), "fair", GAME)
    find_rules.cache_clear()
    fact_codec.cache_clear()
    yield
    find_rules.cache_clear()
    fact_codec.cache_clear()
