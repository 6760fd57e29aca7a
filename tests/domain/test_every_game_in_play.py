"""Random matches of every game at every table, to the end, with what must hold at each step."""

import json
import os
import re
import subprocess
import sys
from itertools import chain
from typing import Any

import pytest

from domain.chance import Seeded, seed_from
from domain.codec import ARBITER, SPECTATOR, canonical
from domain.game import Fact, MatchOverError, Move, NoSuchSeatError, Refusal, Rules, UnknownMoveError, record
from domain.position import freeze, thaw
from tests.support.matches import Match, Step, Table, all_games, every_table, one_by_one, passes

TABLES = every_table()
at_every_table = pytest.mark.parametrize("table", TABLES, ids=str)


@record
class Somersault(Move):
    """A move that no game has."""


def viewers(table: Table) -> list[int]:
    return [*range(table.seats), SPECTATOR, ARBITER]


def folded(rules: Rules[Any], table: Table, facts: list[Fact]) -> Any:
    """The state that the stored form of the facts gives."""
    state = table.laid()
    for fact in facts:
        rules.fact_codec.decode(rules.fact_codec.encode(fact)).fold(state)
    return state


@at_every_table
def test_a_random_match_comes_to_an_end_and_every_step_keeps_the_contract(table: Table) -> None:
    match = table.match()
    history = list(match.dealt)
    assert match.dealt
    for step in match.steps():
        _assert_facts_are_stored_as_they_are(table.rules, step.facts)
        history += step.facts
        if step.is_one_in(7):
            _assert_the_right_seats_can_move(table, step.before)
        if step.is_one_in(53):
            _assert_lists_are_what_passes(table, step)
            _assert_equal_states_look_equal(table, step)
            _assert_a_position_can_be_set_up_again(table, step)
            assert folded(table.rules, table, history).digest() == step.after.digest()
    assert folded(table.rules, table, history).digest() == match.state.digest()
    _assert_it_is_over(table, match.state)


def _assert_the_right_seats_can_move(table: Table, state: Any) -> None:
    rules = table.rules
    waited_for, may = list(rules.to_act(state)), list(rules.may_act(state))
    assert waited_for
    assert set(waited_for) <= set(may) <= set(range(table.seats))
    assert len(set(may)) == len(may)
    for seat in range(table.seats):
        legal = rules.legal_moves(state, seat)
        assert legal or seat not in waited_for
        assert bool(legal or rules.open_moves(state, seat)) == (seat in may)
        assert len(set(legal)) == len(legal)
        for move in legal:
            rules.verify(state, seat, move)
            assert rules.move_codec.parse(rules.move_codec.encode(move)) == move
            assert rules.move_codec.decode(rules.move_codec.encode(move)) == move


def _assert_facts_are_stored_as_they_are(rules: Rules[Any], facts: list[Fact]) -> None:
    assert facts
    for fact in facts:
        stored = rules.fact_codec.encode(fact)
        canonical(stored)
        assert type(fact) in rules.facts
        assert rules.fact_codec.decode(stored) == fact


def _assert_lists_are_what_passes(table: Table, step: Step) -> None:
    """One definition of legality: a move that is nobody's open move passes if, and only if, it is listed."""
    rules, state = table.rules, step.before
    untouched = state.digest()
    pool = {step.move, *chain.from_iterable(rules.legal_moves(state, seat) for seat in range(table.seats))}
    for seat in range(table.seats):
        legal, opened = rules.legal_moves(state, seat), rules.open_moves(state, seat)
        assert all(passes(rules, state, seat, move) == (move in legal) for move in pool if type(move) not in opened)
        assert set(rules.quiet_moves(state, seat)) <= set(legal)
        assert bool(rules.quiet_moves(state, seat)) or seat not in rules.to_act(state)
        assert all(kind in rules.moves for kind in opened)
    assert state.digest() == untouched


def _assert_equal_states_look_equal(table: Table, step: Step) -> None:
    rules, state = table.rules, step.before
    twin = state.copy()
    for viewer in viewers(table):
        assert canonical(rules.view(state, viewer)) == canonical(rules.view(twin, viewer))
        assert isinstance(rules.scene(state, viewer, table.names), str)
    before, played = state.digest(), rules.play(twin, step.seat, step.move, _Bystander())
    assert played
    assert state.digest() == before
    assert rules.result(state) is None


def _assert_a_position_can_be_set_up_again(table: Table, step: Step) -> None:
    fresh = table.laid()
    thaw(fresh, json.loads(canonical(freeze(step.before))))
    assert fresh.digest() == step.before.digest()
    assert table.rules.legal_moves(fresh, step.seat) == table.rules.legal_moves(step.before, step.seat)
    assert table.rules.play(fresh, step.seat, step.move, _Bystander()) == table.rules.play(
        step.before.copy(), step.seat, step.move, _Bystander()
    )
    assert freeze(fresh) != freeze(step.before)


class _Bystander(Seeded):
    """Other chance than the match's own."""

    def __init__(self) -> None:
        super().__init__(seed_from("bystander"))


def _assert_it_is_over(table: Table, state: Any) -> None:
    rules = table.rules
    result = rules.result(state)
    assert result is not None
    assert len(result.scores) == len(result.places) == table.seats
    assert len({frozenset(score) for score in result.scores}) == 1
    assert all(type(points) is int for score in result.scores for points in score.values())
    assert list(result.places) == [1 + sum(other < place for other in result.places) for place in result.places]
    assert result.winners
    assert not rules.may_act(state)
    for seat in range(table.seats):
        assert not rules.legal_moves(state, seat)
        assert not rules.open_moves(state, seat)


# Refusals


def refusal_of(rules: Rules[Any], state: Any, seat: int, move: Move) -> Refusal:
    """The refusal, which cites a rule and leaves the state untouched."""
    untouched = state.digest()
    with pytest.raises(Refusal) as caught:
        rules.play(state, seat, move, _Bystander())
    assert state.digest() == untouched
    assert re.fullmatch(r"[A-Z]+-\d+", caught.value.rule)
    assert caught.value.detail
    return caught.value


@at_every_table
def test_a_seat_that_is_not_there_is_refused(table: Table) -> None:
    match = table.match()
    move = table.rules.legal_moves(match.state, table.rules.to_act(match.state)[0])[0]
    for seat in (SPECTATOR, ARBITER, table.seats, 99):
        assert type(refusal_of(table.rules, match.state, seat, move)) is NoSuchSeatError


@at_every_table
def test_a_move_that_the_game_does_not_have_is_refused(table: Table) -> None:
    match = table.match()
    for seat in table.rules.to_act(match.state):
        assert type(refusal_of(table.rules, match.state, seat, Somersault())) is UnknownMoveError


@at_every_table
def test_when_the_match_is_over_every_move_is_refused(table: Table) -> None:
    match = table.match()
    last = [step.move for step in match.steps()][-20:]
    for seat in range(table.seats):
        for move in {*last}:
            assert type(refusal_of(table.rules, match.state, seat, move)) is MatchOverError


@at_every_table
def test_a_move_of_another_seat_is_refused_by_a_rule(table: Table) -> None:
    refused = 0
    for step in table.match().steps():
        for seat in range(table.seats):
            if step.is_one_in(53) and not passes(table.rules, step.before, seat, step.move):
                refusal_of(table.rules, step.before, seat, step.move)
                refused += 1
    assert refused


# Telling


@at_every_table
def test_every_fact_is_told_to_every_viewer(table: Table) -> None:
    match = table.match("telling")
    told = _told(table, table.laid(), match.dealt)
    for step in match.steps():
        told |= _told(table, step.before, step.facts)
    assert all(isinstance(sentence, str) for sentence in told)
    assert any(name in sentence for sentence in told for name in table.names)


def _told(table: Table, before: Any, facts: list[Fact]) -> set[str]:
    return {table.rules.tell(state, fact, viewer, table.names) for fact, state in one_by_one(before, facts) for viewer in viewers(table)}


# Bots


def bots_of(table: Table) -> list[str]:
    return sorted(all_games()[table.game].bots)


@pytest.mark.parametrize(("table", "bot"), [(table, bot) for table in TABLES for bot in bots_of(table)], ids=str)
def test_a_house_bot_makes_legal_moves_to_the_end(table: Table, bot: str) -> None:
    match, rules = table.match(bot), table.rules
    player = all_games()[table.game].bots[bot](rules)
    for turn in range(100_000):
        if not rules.to_act(match.state):
            break
        moved = [_bot_moves(match, player, seat, turn) for seat in rules.to_act(match.state)[:1]]
        assert moved == [True], "a seat that is waited for must move"
        for seat in rules.may_act(match.state):
            if seat not in rules.to_act(match.state):
                _bot_moves(match, player, seat, turn)
    assert rules.result(match.state) is not None


def _bot_moves(match: Match, player: Any, seat: int, turn: int) -> bool:
    """Lets the bot choose; whether it did."""
    legal = match.rules.legal_moves(match.state, seat)
    if not legal:
        return False
    move = player.choose(seat, lambda: match.rules.view(match.state, seat), legal, match.chance.draws(f"bot{seat}", turn))
    if move is not None:
        match.rules.play(match.state, seat, move, match.chance)
    return move is not None


# The same everywhere


def test_matches_go_the_same_way_whatever_the_hash_seed_of_the_process() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-m", "tests.support.matches"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(TABLES)
