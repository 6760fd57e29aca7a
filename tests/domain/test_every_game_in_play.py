"""Random matches of every game at every table, to the end, with checks at each step."""

import json
import os
import subprocess
import sys
from itertools import chain, islice, zip_longest
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER, SPECTATOR, canonical
from kontor_games.domain.game import Fact, Rules, Sight, State
from kontor_games.domain.position import dump_position, load_position
from tests.support.matches import Match, Step, Table, all_games, every_table, played_match, states_after_facts

pytestmark = [pytest.mark.sampled, pytest.mark.slow, pytest.mark.untraced]

TABLES = every_table()
at_every_table = pytest.mark.parametrize("table", TABLES, ids=str)


def viewers(table: Table) -> list[int]:
    return [*range(table.seats), SPECTATOR, ARBITER]


@at_every_table
def test_folding_stored_facts_gives_the_same_states(table: Table) -> None:
    played, rules, state = played_match(table), table.rules, table.initial_state()
    digests = {step.number: step.after.digest() for step in played.sampled_steps}
    for number, facts in enumerate(played.batches):
        assert facts
        for fact in facts:
            stored = json.loads(canonical(rules.fact_codec.encode(fact)))
            assert type(fact) in rules.facts
            assert rules.fact_codec.decode(stored) == fact
            rules.fact_codec.decode(stored).fold(state)
        assert number not in digests or state.digest() == digests[number]
    assert state.digest() == played.match.state.digest()


@at_every_table
def test_equal_states_look_equal_and_a_copy_is_independent(table: Table) -> None:
    rules = table.rules
    for step in played_match(table).sampled_steps:
        state, before = step.before, step.before.digest()
        twin = state.copy()
        assert twin.digest() == before
        for viewer in viewers(table):
            assert canonical(rules.view(state, viewer)) == canonical(rules.view(twin, viewer))
            assert isinstance(rules.scene(state, viewer, table.names), str)
        assert rules.play(twin, step.seat, step.move, _OtherChance())
        assert state.digest() == before
        assert rules.result(state) is None


@at_every_table
def test_matches_and_copies_that_share_rules_do_not_affect_each_other(table: Table) -> None:
    seeds, steps = ("one", "two", "three"), 60
    alone = [
        [step.facts for step in islice(_dealt(table, _new_rules(table), seed).steps(), steps)]
        for seed in seeds
    ]
    rules = _new_rules(table)
    matches = [_dealt(table, rules, seed) for seed in seeds]
    together: list[list[list[Fact]]] = [[] for _ in seeds]
    for taken in islice(zip_longest(*(match.steps() for match in matches)), steps):
        for match, facts, step in zip(matches, together, taken, strict=True):
            if step is not None:
                facts.append(step.facts)
                _play_on_copy(rules, match.state.copy(), step.number)
    assert together == alone


def _new_rules(table: Table) -> Rules[Any]:
    """Rules that no other test has played by, so that nothing is cached."""
    return all_games()[table.game].rules(table.data, table.version)


def _dealt(table: Table, rules: Rules[Any], seed: str) -> Match:
    return Match(rules, rules.table(table.seats, rules.options()), seed_from(f"{table}/{seed}"))


def _play_on_copy(rules: Rules[Any], state: State, number: int) -> None:
    """Play a few moves on a copy, as a command does that is refused or conflicts after all."""
    chance = _OtherChance()
    for place in range(4):
        for seat in rules.to_act(state)[:1]:
            legal = rules.legal_moves(state, seat)
            rules.play(state, seat, legal[chance.draws("copy", 4 * number + place).below(len(legal))], chance)


@at_every_table
def test_a_position_can_be_restored(table: Table) -> None:
    for step in played_match(table).sampled_steps:
        _assert_a_position_can_be_restored(table, step)


def _assert_a_position_can_be_restored(table: Table, step: Step) -> None:
    fresh = table.initial_state()
    load_position(fresh, json.loads(canonical(dump_position(step.before))))
    assert fresh.digest() == step.before.digest()
    assert table.rules.legal_moves(fresh, step.seat) == table.rules.legal_moves(step.before, step.seat)
    assert table.rules.play(fresh, step.seat, step.move, _OtherChance()) == table.rules.play(
        step.before.copy(), step.seat, step.move, _OtherChance()
    )
    assert dump_position(fresh) != dump_position(step.before)


class _OtherChance(Seeded):
    """Chance that is independent of the match's own."""

    def __init__(self) -> None:
        super().__init__(seed_from("bystander"))


@at_every_table
def test_a_match_comes_to_an_end_with_scores_and_places(table: Table) -> None:
    rules, state = table.rules, played_match(table).match.state
    result = rules.result(state)
    assert result is not None
    assert len(result.scores) == len(result.places) == table.seats
    assert len({frozenset(score) for score in result.scores}) == 1
    assert all(type(points) is int for score in result.scores for points in score.values())
    assert list(result.places) == [
        1 + sum(other < place for other in result.places) for place in result.places
    ]
    assert result.winners
    assert not rules.may_act(state)


# Telling


@at_every_table
def test_every_fact_has_a_sentence_for_every_viewer(table: Table) -> None:
    facts = list(chain.from_iterable(played_match(table).batches))
    told = {
        table.rules.tell(state, fact, viewer, table.names)
        for fact, state in states_after_facts(table.initial_state(), facts)
        for viewer in viewers(table)
    }
    assert all(isinstance(sentence, str) for sentence in told)
    assert any(name in sentence for sentence in told for name in table.names)


# Bots


def bots_of(table: Table) -> list[str]:
    return sorted(all_games()[table.game].bots)


@pytest.mark.parametrize(
    ("table", "bot"), [(table, bot) for table in TABLES for bot in bots_of(table)], ids=str
)
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
    """Let the bot choose a move; return whether it made one."""
    legal = match.rules.legal_moves(match.state, seat)
    if not legal:
        return False
    view, draws = Sight(match.rules, match.state, seat), match.chance.draws(f"bot{seat}", turn)
    move = player.choose(seat, view, legal, draws)
    if move is not None:
        match.rules.play(match.state, seat, move, match.chance)
    return move is not None


# The same everywhere


def test_matches_are_the_same_whatever_the_hash_seed_of_the_process() -> None:
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
