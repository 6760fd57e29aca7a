"""Each version of the rules decides like the one before, except where the rules document says otherwise."""

from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.game import Move
from kontor_games.domain.games.europe import GAME
from kontor_games.domain.games.europe.moves import (
    FormCaravan,
    LeaveHexEmpty,
    MoveCaravan,
    PlaceStartPost,
    PlaceToken,
    ShiftToken,
)
from kontor_games.domain.games.europe.options import EuropeOptions
from kontor_games.domain.games.europe.rules import VERSION_1, VERSION_2, VERSION_3
from kontor_games.domain.games.europe.state import EuropeState
from tests.domain.games.europe.installed import europe, options_of
from tests.domain.games.europe.random_matches import FastRandom, choose
from tests.domain.games.europe.small import RULES, RULES_2
from tests.domain.games.europe.test_listing import universe
from tests.support.walks import sample_size

pytestmark = [pytest.mark.sampled, pytest.mark.slow, pytest.mark.untraced]


def test_new_matches_are_played_by_version_3() -> None:
    assert GAME.rulesets == (VERSION_1, VERSION_2, VERSION_3)
    assert europe().version == 3


def test_version_2_replaces_three_entries_and_the_options() -> None:
    replaced = {kind for kind, rule in VERSION_1.moves.items() if VERSION_2.moves[kind] is not rule}
    assert replaced == {PlaceStartPost, FormCaravan, MoveCaravan}
    assert list(VERSION_2.moves) == list(VERSION_1.moves)
    assert (VERSION_2.steps, VERSION_2.facts) == (VERSION_1.steps, VERSION_1.facts)
    assert issubclass(VERSION_2.options, VERSION_1.options)


def test_version_3_replaces_one_entry() -> None:
    replaced = {kind for kind, rule in VERSION_2.moves.items() if VERSION_3.moves[kind] is not rule}
    assert replaced == {LeaveHexEmpty}
    assert list(VERSION_3.moves) == list(VERSION_2.moves)
    assert (VERSION_3.steps, VERSION_3.facts) == (VERSION_2.steps, VERSION_2.facts)
    assert VERSION_3.options is VERSION_2.options


def stays(state: EuropeState, seat: int, move: Move) -> bool:
    """Whether a move forms a caravan where it stands already (E-40)."""
    return (
        isinstance(move, FormCaravan)
        and move.moved is not None
        and state.tables.path_ids[state.caravan(seat, move.moved)] == move.path
    )


def goes_past_full(state: EuropeState, move: Move) -> bool:
    """Whether a caravan goes past full routes alone (E-46)."""
    index = state.tables.board.path_index
    return (
        isinstance(move, MoveCaravan)
        and len(move.path) > 1
        and all(index[path] in state.index.full for path in move.path[:-1])
    )


def refusals_of(rules: Any, state: EuropeState, seat: int) -> dict[Move, Any]:
    """Return the refusal, or None, of every conceivable move."""
    found = {move: rules.refusal(state, seat, move) for move in universe(state)}
    return {move: refusal and (type(refusal), str(refusal)) for move, refusal in found.items()}


@pytest.mark.parametrize(("seats", "seed"), [(3, 1), (4, 2), (4, 3)][: sample_size(2, 3)])
def test_e40_and_e46_are_all_that_differs_after_the_set_up(seats: int, seed: int) -> None:
    state, luck = RULES.table(seats, EuropeOptions()), FastRandom(seed)
    chance, number, kinds = Seeded(seed_from(f"versions {seed}")), 0, set[type[Move]]()
    RULES.deal(state, chance)
    while RULES.to_act(state):
        seat, move = choose(RULES, state, luck)
        old, new = RULES.legal_moves(state, seat), RULES_2.legal_moves(state, seat)
        added = [one for one in new if one not in old]
        assert [one for one in old if one not in new] == [one for one in old if stays(state, seat, one)]
        assert all(goes_past_full(state, one) for one in added)
        assert [one for one in new if one not in added] == [one for one in old if one in new]
        kinds |= {type(one) for one in {*old} ^ {*new}}
        if number % 100 == 0:
            first, second = refusals_of(RULES, state, seat), refusals_of(RULES_2, state, seat)
            assert all(stays(state, seat, one) for one in first if first[one] != second[one])
        other = state.copy()
        facts = RULES.play(state, seat, move, chance)
        if not stays(other, seat, move):
            assert RULES_2.play(other, seat, move, chance) == facts
            assert other.digest() == state.digest()
        number += 1
    assert kinds == {FormCaravan, MoveCaravan}


def test_e12_with_the_option_violet_the_free_set_up_is_that_of_version_1() -> None:
    old, new = (europe("expert", version) for version in (1, 2))
    states = old.table(3, options_of(old)), new.table(3, options_of(new, start_cities="violet"))
    chance, luck = Seeded(seed_from("violet")), FastRandom(4)
    for rules, state in zip((old, new), states, strict=True):
        rules.deal(state, chance)
    while not states[0].turn:
        seat = states[0].active
        legal = old.legal_moves(states[0], seat)
        assert new.legal_moves(states[1], seat) == legal
        move = legal[luck.below(len(legal))]
        assert old.play(states[0], seat, move, chance) == new.play(states[1], seat, move, chance)
    assert states[0].digest() == states[1].digest()


@pytest.mark.parametrize(("seats", "seed"), [(3, 9), (4, 14)])
def test_e45_is_all_that_differs_between_versions_2_and_3(seats: int, seed: int) -> None:
    before, after = (europe("short-2", version) for version in (2, 3))
    state, luck = before.table(seats, options_of(before)), FastRandom(seed)
    chance, differing = Seeded(seed_from(f"versions {seed}")), 0
    before.deal(state, chance)
    while before.to_act(state):
        seat, move = choose(before, state, luck)
        old, new = before.legal_moves(state, seat), after.legal_moves(state, seat)
        if old != new:
            assert [one for one in old if one not in new] == [LeaveHexEmpty()] == old[-1:]
            assert new == old[:-1]
            assert {PlaceToken, ShiftToken} == {type(one) for one in new}
            differing += 1
        other = state.copy()
        facts = before.play(state, seat, move, chance)
        if move in new:
            assert after.play(other, seat, move, chance) == facts
            assert other.digest() == state.digest()
    assert differing
