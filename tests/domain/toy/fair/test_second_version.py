"""A rule changes (T-4): only what the replaced entry decides is different, and version 1 stays as it is."""

from tests.domain.toy.fair.second_version import VERSION_2
from tests.domain.toy.fair.table import RULES, Table
from tests.domain.toy.games.fair.facts.rounds import RoundTaken
from tests.domain.toy.games.fair.rules import VERSION_1


def test_version_2_replaces_one_entry() -> None:
    assert VERSION_2.moves == VERSION_1.moves
    changed = [
        name for name, step in vars(VERSION_2.steps).items() if step is not getattr(VERSION_1.steps, name)
    ]
    assert changed == ["take_round"]


def test_a_round_is_worth_five_points_in_version_2_and_three_in_version_1() -> None:
    assert Table(VERSION_2.rules(RULES.data)).lay(23, 19, 15)[-1] == RoundTaken(0, 5)
    assert Table(VERSION_1.rules(RULES.data)).lay(23, 19, 15)[-1] == RoundTaken(0, 3)
