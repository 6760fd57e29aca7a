"""Searching bots: pinned weights, budgets in nodes, and states that their seat can't tell apart."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.chance import Draws, Seeded, seed_from
from kontor_games.domain.codec import digest
from kontor_games.domain.game import Move, Sight
from kontor_games.domain.games import installed_games
from kontor_games.domain.toolkit import searching
from kontor_games.domain.toolkit.searching import Imagine, Level, chance_from, read_weights
from tests.domain.toy.games.fair import GAME as FAIR

RULES = FAIR.rules()
SEED = Seeded(seed_from("a search"))


def position() -> Any:
    state = RULES.table(3, RULES.options())
    RULES.deal(state, SEED)
    return state


class Noting:
    """A search that notes what it imagines, and makes the first move."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.imagined: list[Any] = []

    def best(self, seat: int, imagine: Imagine, legal: Sequence[Move], draws: Draws) -> Move | None:
        self.imagined = [imagine() for _ in range(4)]
        return legal[0]


def searched(state: Any, seat: int = 0) -> list[str]:
    """The digests of the states that a search imagines."""
    search = Noting(7)
    bot = Level(1, 7, lambda rules, nodes, weights: search, {})(RULES)
    legal = RULES.legal_moves(state, seat)
    assert bot.choose(seat, Sight(RULES, state, seat), legal, SEED.draws("bot", 5)) == legal[0]
    return [one.digest() for one in search.imagined]


def test_a_level_gives_budget_and_weights_to_the_search() -> None:
    given: list[Any] = []

    def search(rules: Any, nodes: int, weights: Any) -> Noting:
        given.extend((nodes, weights))
        return Noting(nodes)

    Level(1, 99, search, {"coin": 1.0})(RULES)
    assert given == [99, {"coin": 1.0}]


def test_imagined_states_differ_from_each_other_and_look_the_same_to_the_seat() -> None:
    state = position()
    digests = searched(state)
    assert len({*digests}) > 1
    sight = Sight(RULES, state, 0)
    for _ in range(3):
        assert RULES.view(sight.imagined(chance_from(SEED.draws("x", 0))), 0) == sight()


def test_the_same_states_are_imagined_in_worlds_that_the_seat_cannot_tell_apart() -> None:
    state = position()
    twin = RULES.resample(state, 0, Seeded(seed_from("another world")))
    assert twin.digest() != state.digest()
    assert searched(twin) == searched(state)


def test_without_a_legal_move_no_state_is_imagined() -> None:
    bot = Level(1, 1, lambda rules, nodes, weights: Noting(nodes), {})(RULES)
    assert bot.choose(0, Sight(RULES, position(), 0), [], SEED.draws("bot", 0)) is None


def test_weights_that_were_changed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    document = {"version": 1, "hash": "", "weights": {"coin": 1.0}}
    document["hash"] = digest(document["weights"])
    monkeypatch.setattr(searching, "read_json", lambda package, name: document)
    assert read_weights("here", 1) == {"coin": 1.0}
    with pytest.raises(ValueError, match="version 2 of the weights in here was changed"):
        read_weights("here", 2)
    document["weights"] = {"coin": 1.1}
    with pytest.raises(ValueError, match="version 1 of the weights in here was changed"):
        read_weights("here", 1)


PUBLISHED = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
"""The hash of every released version of the weights, by game: matches pin the version of the bot alone."""


@pytest.mark.parametrize("game", PUBLISHED)
def test_released_weights_never_change(game: str) -> None:
    package = f"kontor_games.domain.games.{game}.bots.searching"
    for version, published in PUBLISHED[game].items():
        assert digest(read_weights(package, int(version))) == published


def test_every_level_has_published_weights_and_a_larger_budget_than_the_one_below() -> None:
    for game in installed_games().values():
        levels = {name: bot for name, bot in game.all_bots.items() if isinstance(bot, Level)}
        if levels:
            assert [*sorted(levels)] == [f"search:{level}" for level in range(1, len(levels) + 1)]
            budgets = [levels[name].nodes for name in sorted(levels)]
            assert budgets == sorted({*budgets})
            assert {str(level.version) for level in levels.values()} <= PUBLISHED[game.id].keys()
