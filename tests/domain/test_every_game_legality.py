"""Legality: lists, refusals and schemas of moves agree in every game at every table."""

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain, islice
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.codec import ARBITER, SPECTATOR
from kontor_games.domain.game import (
    MatchOverError,
    Move,
    NoSuchSeatError,
    Refusal,
    Rules,
    UnknownMoveError,
    record,
)
from tests.support.game_folders import own_tests
from tests.support.matches import (
    Step,
    Table,
    all_games,
    assert_cites_rule_and_reason,
    every_table,
    passes,
    played_match,
    random_move,
)

pytestmark = [pytest.mark.sampled, pytest.mark.slow, pytest.mark.untraced]

at_every_table = pytest.mark.parametrize("table", every_table(), ids=str)

GUESSES = 5000
"""Guesses at a move of a kind that is described but not listed: enough to find one if there is one."""


@record
class UnknownMove(Move):
    """A move that no game has."""


# Lists


@at_every_table
def test_whoever_is_waited_for_has_a_move_and_whoever_has_one_may_act(table: Table) -> None:
    rules = table.rules
    for step in played_match(table).sampled_steps:
        waited_for, may = list(rules.to_act(step.before)), list(rules.may_act(step.before))
        assert waited_for
        assert set(waited_for) <= set(may) <= set(range(table.seats))
        assert len(set(may)) == len(may)
        for seat in range(table.seats):
            legal = rules.legal_moves(step.before, seat)
            assert legal or seat not in waited_for
            assert bool(legal or rules.open_moves(step.before, seat)) == (seat in may)
            assert rules.has_move(step.before, seat) == (seat in may)


@at_every_table
def test_a_listed_move_is_listed_once_and_can_be_written_and_read(table: Table) -> None:
    rules = table.rules
    for step in played_match(table).sampled_steps:
        for seat in range(table.seats):
            legal = rules.legal_moves(step.before, seat)
            assert len(set(legal)) == len(legal)
            assert [rules.move_codec.parse(rules.move_codec.encode(move)) for move in legal] == legal
            assert [rules.move_codec.decode(rules.move_codec.encode(move)) for move in legal] == legal


@at_every_table
def test_each_rule_lists_moves_of_its_own_kind(table: Table) -> None:
    for step in played_match(table).sampled_steps:
        for seat in table.rules.to_act(step.before):
            for kind, rule in table.rules.move_rules.items():
                assert {type(move) for move in rule.listed(step.before, seat)} <= {kind}


@at_every_table
def test_a_move_is_either_listed_or_refused_in_a_sentence_that_cites_a_rule(table: Table) -> None:
    rules, played, refusals = table.rules, played_match(table), dict[str, Refusal]()
    for step in played.sampled_steps:
        before = step.before.digest()
        for seat in range(table.seats):
            legal = set(rules.legal_moves(step.before, seat))
            judged = {move: rules.refusal(step.before, seat, move) for move in played.candidates}
            allowed = {move for move, refusal in judged.items() if refusal is None}
            refusals |= {refusal.detail: refusal for refusal in judged.values() if refusal}
            assert legal <= allowed
            assert {type(move) for move in allowed - legal} <= not_listed_in_full(rules, step.before, seat)
        assert step.before.digest() == before
    assert refusals
    for refusal in refusals.values():
        assert_cites_rule_and_reason(refusal)


def not_listed_in_full(rules: Rules[Any], state: Any, seat: int) -> set[type[Move]]:
    """The kinds of move of which more is legal than is listed: open kinds, and kinds listed only in part."""
    chosen = {type(move) for move in rules.legal_moves(state, seat)}
    return {
        *rules.open_moves(state, seat),
        *(kind for kind in chosen if not rules.move_rules[kind].listed_in_full),
    }


@at_every_table
def test_an_open_kind_has_a_move_that_passes_and_any_other_kind_has_none_that_is_not_listed(
    table: Table,
) -> None:
    rules, played = table.rules, played_match(table)
    for step in played.sampled_steps[::3]:
        for seat in range(table.seats):
            opened, known = rules.open_moves(step.before, seat), not_listed_in_full(rules, step.before, seat)
            assert set(opened) <= set(rules.moves)
            for kind in opened:
                made = [move for move in played.candidates if type(move) is kind]
                assert unlisted(rules, step, seat, chain(made, guesses(rules, kind, step, GUESSES))), kind
            for kind in set(rules.moves) - known:
                assert not unlisted(rules, step, seat, guesses(rules, kind, step, 3)), kind


def unlisted(rules: Rules[Any], step: Step, seat: int, tried: Iterable[Move]) -> Move | None:
    """The first of these moves that passes without being listed."""
    legal = rules.legal_moves(step.before, seat)
    return next(
        (move for move in tried if passes(rules, step.before, seat, move) and move not in legal), None
    )


def guesses(rules: Rules[Any], kind: type[Move], step: Step, number: int) -> Iterator[Move]:
    """Moves of a kind, whether they are possible or not."""
    chance, schema = Seeded(seed_from(f"guess {step.number}")), rules.move_codec.schema(kind.type)
    found = (random_move(rules, schema, chance.draws("guess", index), thin=True) for index in range(number))
    return (move for move in found if move is not None)


@at_every_table
def test_a_move_for_an_absent_player_is_a_legal_one(table: Table) -> None:
    rules = table.rules
    for step in played_match(table).sampled_steps:
        for seat in range(table.seats):
            quiet = rules.quiet_moves(step.before, seat)
            assert set(quiet) <= set(rules.legal_moves(step.before, seat))
            assert quiet or seat not in rules.to_act(step.before)


# What is offered first


@at_every_table
def test_the_legal_moves_are_offered_in_another_order(table: Table) -> None:
    rules = table.rules
    for step in played_match(table).sampled_steps:
        for seat in range(table.seats):
            legal, offered = rules.legal_moves(step.before, seat), rules.offered_moves(step.before, seat)
            assert len(offered) == len(legal)
            assert set(offered) == set(legal)
            reversible = [rules.move_rules[type(move)].reversible for move in offered]
            assert reversible == sorted(reversible)


@at_every_table
def test_players_who_always_take_the_first_move_offered_finish_the_match(table: Table) -> None:
    rules, match, moves = table.rules, table.match("first"), 0
    most: int = import_module(f"{own_tests(all_games()[table.game])}.measured").MOST_FIRST_MOVES
    while rules.to_act(match.state) and moves <= most:
        seat = rules.to_act(match.state)[0]
        rules.play(match.state, seat, rules.offered_moves(match.state, seat)[0], match.chance)
        moves += 1
    assert rules.is_over(match.state)
    assert moves <= most


# Refusals


def refusal_of(rules: Rules[Any], state: Any, seat: int, move: Move) -> Refusal:
    """The refusal, which leaves the state untouched."""
    before = state.digest()
    with pytest.raises(Refusal) as caught:
        rules.play(state, seat, move, Seeded(seed_from("refused")))
    assert state.digest() == before
    assert_cites_rule_and_reason(caught.value)
    return caught.value


@at_every_table
def test_a_refused_move_changes_nothing(table: Table) -> None:
    refused = 0
    for step in played_match(table).sampled_steps:
        for seat in range(table.seats):
            if not passes(table.rules, step.before, seat, step.move):
                refusal_of(table.rules, step.before, seat, step.move)
                refused += 1
    assert refused


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
        assert type(refusal_of(table.rules, match.state, seat, UnknownMove())) is UnknownMoveError


@at_every_table
def test_play_gives_the_facts_of_decide_and_the_refusals_of_verify(table: Table) -> None:
    """`Rules.play` is written out for speed."""
    rules, played = table.rules, played_match(table)
    for step in played.sampled_steps:
        for move in (step.move, *islice(played.candidates, step.number % 7, 40, 7)):
            played_copy, decided_copy = step.before.copy(), step.before.copy()
            if refusal := rules.refusal(step.before, step.seat, move):
                found = refusal_of(rules, played_copy, step.seat, move)
                assert (type(found), found.detail, found.rule) == (
                    type(refusal),
                    refusal.detail,
                    refusal.rule,
                )
            else:
                facts = rules.play(played_copy, step.seat, move, Seeded(seed_from("play")))
                assert facts == rules.decide(decided_copy, step.seat, move, Seeded(seed_from("play")))
                assert played_copy.digest() == decided_copy.digest()


@at_every_table
def test_when_the_match_is_over_every_move_is_refused(table: Table) -> None:
    played = played_match(table)
    for seat in range(table.seats):
        assert not table.rules.legal_moves(played.match.state, seat)
        assert not table.rules.open_moves(played.match.state, seat)
        for move in islice(played.candidates, 100):
            assert type(refusal_of(table.rules, played.match.state, seat, move)) is MatchOverError
