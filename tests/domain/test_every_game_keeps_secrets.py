"""Two states that differ only in what a viewer may not know look the same in all that the rules answer."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice, takewhile
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import SPECTATOR, Plain, canonical
from kontor_games.domain.game import Fact, Move, Refusal, Rules
from tests.support.matches import Step, Table, every_table, played_match, random_move, states_after_facts

pytestmark = [pytest.mark.sampled, pytest.mark.slow, pytest.mark.untraced]

at_every_table = pytest.mark.parametrize("table", every_table(), ids=str)


def indistinguishable_state(rules: Rules[Any], state: Any, viewer: int, number: int = 0) -> Any:
    """Return a state that the viewer can't distinguish from this one."""
    return rules.resample(state, viewer, Seeded(seed_from(f"other world {viewer} {number}")))


def visible_outputs(
    rules: Rules[Any], state: Any, viewer: int, names: Sequence[str], tried: Sequence[Move] = ()
) -> bytes:
    """Return every output of the rules for a state that the viewer can see."""
    seen: dict[str, Plain] = {
        "view": rules.view(state, viewer),
        "scene": rules.scene(state, viewer, names),
        "to_act": list(rules.to_act(state)),
        "may_act": list(rules.may_act(state)),
        "result": (result := rules.result(state))
        and [dict(score) for score in result.scores] + [list(result.places)],
    }
    if viewer >= 0:
        seen["legal"] = [rules.move_codec.encode(move) for move in rules.legal_moves(state, viewer)]
        seen["quiet"] = [rules.move_codec.encode(move) for move in rules.quiet_moves(state, viewer)]
        seen["open"] = [kind.type for kind in rules.open_moves(state, viewer)]
        seen["labels"] = [
            rules.tell_move(state, viewer, move, names) for move in rules.legal_moves(state, viewer)
        ]
        seen["refusals"] = [refusal(rules, state, viewer, move) for move in tried]
    return canonical(seen)


def refusal(rules: Rules[Any], state: Any, seat: int, move: Move) -> Plain:
    """Return the refusal that a seat gets for a move, as plain data."""
    try:
        rules.verify(state, seat, move)
    except Refusal as refused:
        return [refused.code, refused.rule, refused.detail]
    return "may"


def guesses(rules: Rules[Any], number: int) -> list[Move]:
    """One move of every kind, whether it is possible or not."""
    draws = Seeded(seed_from("guesses")).draws("guesses", number)
    found = [random_move(rules, rules.move_codec.schema(name), draws) for name in rules.move_codec.types]
    return [move for move in found if move is not None]


@at_every_table
def test_a_viewer_cannot_tell_two_worlds_apart(table: Table) -> None:
    rules, tried = table.rules, list[Move]()
    for step in played_match(table).sampled_steps:
        tried = [*tried[-20:], step.move]
        for viewer in (*range(table.seats), SPECTATOR):
            untouched = step.after.digest()
            world = indistinguishable_state(rules, step.after, viewer, step.number)
            asked = (viewer, table.names, tried + guesses(rules, step.number))
            assert visible_outputs(rules, world, *asked) == visible_outputs(rules, step.after, *asked)
            assert step.after.digest() == untouched


@at_every_table
def test_the_facts_of_a_move_reveal_nothing_to_its_player_before_a_fact_marked_as_revealing(
    table: Table,
) -> None:
    rules = table.rules
    for step in played_match(table).sampled_steps:
        here, there = step.before.copy(), indistinguishable_state(rules, step.before, step.seat, step.number)
        shown = [
            _until_something_is_revealed(
                rules, rules.play(world, step.seat, step.move, Seeded(seed_from(chance))), step.seat
            )
            for world, chance in ((here, "one chance"), (there, "another chance"))
        ]
        assert shown[0] == shown[1]


def _until_something_is_revealed(rules: Rules[Any], facts: list[Fact], viewer: int) -> list[Plain]:
    quiet = list(takewhile(lambda fact: not fact.reveals, facts))
    return [*(rules.fact_codec.redacted(fact, viewer) for fact in quiet), len(quiet) < len(facts)]


@at_every_table
def test_resampling_changes_something(table: Table) -> None:
    states = [step.after for step in played_match(table).sampled_steps]
    assert any(
        indistinguishable_state(table.rules, state, SPECTATOR).digest() != state.digest() for state in states
    )


@at_every_table
def test_a_resampled_match_can_be_played_on(table: Table) -> None:
    match = table.match("another world")
    steps = match.steps()
    for _ in range(5):
        next(steps)
    match.state = indistinguishable_state(table.rules, match.state, 0)
    assert list(islice(match.steps(), 300))


@at_every_table
def test_a_sentence_contains_nothing_that_its_reader_may_not_know(table: Table) -> None:
    played = played_match(table)
    history = list(chain.from_iterable(played.batches))
    _assert_sentences_keep_secrets(table, table.initial_state(), played.match.dealt, history)
    for step in played.sampled_steps:
        _assert_sentences_keep_secrets(table, step.before, step.facts, history)
        _assert_the_state_adds_no_secret(table, step)


def _assert_sentences_keep_secrets(table: Table, before: Any, facts: list[Fact], history: list[Fact]) -> None:
    rules = table.rules
    for fact, state in states_after_facts(before, facts):
        for viewer in (*range(table.seats), SPECTATOR):
            told = rules.tell(state, fact, viewer, table.names)
            for other in _with_other_secrets(rules, fact, viewer, history):
                assert rules.tell(state, other, viewer, table.names) == told


def _assert_the_state_adds_no_secret(table: Table, step: Step) -> None:
    rules, fact = table.rules, step.facts[-1]
    for viewer in (*range(table.seats), SPECTATOR):
        world = indistinguishable_state(rules, step.after, viewer)
        assert rules.tell(world, fact, viewer, table.names) == rules.tell(
            step.after, fact, viewer, table.names
        )


def _with_other_secrets(rules: Rules[Any], fact: Fact, viewer: int, history: list[Fact]) -> list[Fact]:
    """The same fact for this viewer, with the hidden fields of other facts of its kind."""
    hidden = rules.fact_codec.redacted(fact, viewer).get("hidden", [])
    kin = list(islice((other for other in history if type(other) is type(fact)), 3)) if hidden else []
    secrets = [{name: getattr(other, name) for name in hidden} for other in kin]
    return [replace(fact, **other) for other in secrets]  # type: ignore[type-var]


def test_the_toy_game_has_secrets_of_every_kind() -> None:
    """Else the tests above would prove nothing: the pile is seen by nobody, a sold card by two seats."""
    hidden: set[tuple[str, int]] = set()
    for table in every_table():
        for seed in ("secrets", "more", "still more") if table.game == "fair" else ():
            match = table.match(seed)
            facts = match.dealt + [fact for step in match.steps() for fact in step.facts]
            for fact in facts:
                seen_by = [
                    seat
                    for seat in range(table.seats)
                    if "hidden" not in table.rules.fact_codec.redacted(fact, seat)
                ]
                hidden.add((fact.type, len(seen_by)) if len(seen_by) < table.seats else ("", 0))
    assert {
        ("deck_shuffled", 0),
        ("card_drawn", 1),
        ("card_laid", 1),
        ("offer_made", 1),
        ("card_sold", 2),
    } <= hidden
