"""Positions of every game: restored ones are the same, and resampling depends on nothing hidden."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER, SPECTATOR, Plain, canonical
from kontor_games.domain.plain import MAX_INTEGER
from kontor_games.domain.position import dump_position, load_position
from tests.support.matches import Step, Table, every_table
from tests.support.walks import sample_size

pytestmark = [pytest.mark.sampled, pytest.mark.slow, pytest.mark.untraced]

at_every_table = pytest.mark.parametrize("table", every_table(), ids=str)


def decisions(table: Table, seed: str, *, one_in: int) -> Iterator[Step]:
    """Yield the first steps of a match, and then every `one_in`-th, up to its end or a maximum."""
    steps = islice(table.match(seed).steps(), sample_size(10 * one_in, 10**6))
    return (step for step in steps if step.number < 20 or step.number % one_in == 0)


def set_up_again(table: Table, state: Any) -> Any:
    """Dump a state, store it as JSON and restore it."""
    fresh = table.initial_state()
    load_position(fresh, json.loads(canonical(dump_position(state))))
    return fresh


@at_every_table
def test_a_restored_position_is_the_same(table: Table) -> None:
    rules = table.rules
    for step in decisions(table, "position", one_in=41):
        state, again = step.after, set_up_again(table, step.after)
        assert again.digest() == state.digest()
        assert dump_position(again) == dump_position(state)
        for viewer in (*range(table.seats), SPECTATOR, ARBITER):
            assert rules.view(again, viewer) == rules.view(state, viewer)
        for seat in range(table.seats):
            assert rules.legal_moves(again, seat) == rules.legal_moves(state, seat)
            assert rules.open_moves(again, seat) == rules.open_moves(state, seat)
        assert (rules.to_act(again), rules.may_act(again), rules.result(again)) == (
            rules.to_act(state),
            rules.may_act(state),
            rules.result(state),
        )


@at_every_table
def test_a_match_continues_from_a_position_as_from_the_state_itself(table: Table) -> None:
    for step in decisions(table, "go on", one_in=41):
        state, again = step.before, set_up_again(table, step.before)
        chance = Seeded(seed_from("go on"))
        assert table.rules.play(again, step.seat, step.move, chance) == table.rules.play(
            state, step.seat, step.move, chance
        )
        assert again.digest() == state.digest()


@at_every_table
def test_a_position_contains_only_portable_json(table: Table) -> None:
    for step in decisions(table, "numbers", one_in=97):
        assert _largest(dump_position(step.after)) <= MAX_INTEGER


def _largest(value: Plain) -> int:
    if isinstance(value, list):
        return max(map(_largest, value), default=0)
    if isinstance(value, dict):
        return max(map(_largest, value.values()), default=0)
    assert value is None or isinstance(value, bool | int | str)
    return abs(value) if isinstance(value, int) else 0


@at_every_table
def test_a_position_and_the_match_it_was_taken_from_share_nothing_that_changes(table: Table) -> None:
    match = table.match("apart")
    steps = match.steps()
    next(steps)
    again, digest = set_up_again(table, match.state), match.state.digest()
    for _ in range(5):
        next(steps)
    assert again.digest() == digest


@at_every_table
def test_resampling_depends_on_nothing_hidden(table: Table) -> None:
    """Two worlds that look the same to a viewer are resampled, with equal chance, to the same third one."""
    for step in decisions(table, "worlds", one_in=239):
        for viewer in (*range(table.seats), SPECTATOR):
            other = table.rules.resample(step.after, viewer, Seeded(seed_from(f"other {step.number}")))
            drawn = [
                dump_position(table.rules.resample(world, viewer, Seeded(seed_from("the same"))))
                for world in (step.after, other)
            ]
            assert drawn[0] == drawn[1]


@at_every_table
def test_worlds_that_look_the_same_to_a_viewer_mostly_differ(table: Table) -> None:
    """Otherwise the previous test would prove nothing."""
    states = (step.after for step in table.match("worlds").steps() if step.number % 7 == 0)
    assert any(
        dump_position(table.rules.resample(state, 0, Seeded(seed_from("another")))) != dump_position(state)
        for state in states
    )
