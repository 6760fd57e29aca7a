"""The analysis of a match judges decisions by what their seats could know."""

import pytest

from kontor_games.domain.analysis import MISTAKES, Decision, Step, analysed, mistakes, weighing_of
from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.commands import Play
from kontor_games.domain.export_reader import split_export
from kontor_games.domain.games import installed_games
from kontor_games.domain.match import Match
from kontor_games.domain.stream import Entry
from kontor_games.service.cli.replay_screen import Replay
from tests.corpus.record import CORPUS

FILES = {"speicherstadt": "v1-bot-greedy-1-2.ndjson", "europe": "v3-bot-greedy-2-3.ndjson"}
games = pytest.mark.parametrize("game", sorted(FILES))


def session(game: str) -> Replay:
    return Replay(split_export((CORPUS / game / FILES[game]).read_bytes()))


def decisions(game: str, count: int, seat: int | None = None) -> list[Decision]:
    """The first decisions of a recorded match."""
    replay, found = session(game), list[Decision]()
    for some in analysed(replay.id, replay.entries, {"en": replay.names}, seat):
        found += some
        if len(found) >= count:
            break
    return found


def test_every_installed_game_can_be_analysed() -> None:
    assert {game.id for game in installed_games().values() if game.appraiser} >= {*FILES}


@games
def test_the_best_move_is_worth_at_least_as_much_as_the_one_that_was_made(game: str) -> None:
    found = decisions(game, 15)
    assert len(found) >= 15
    assert all(one.loss >= 0 for one in found)
    assert any(one.loss > 0 for one in found)
    for one in found:
        assert (one.line == ()) == (one.loss == 0)
        assert not one.line or (one.line[0].seat, one.line[0].move != one.made.move) == (one.seat, True)
        assert all(step.labels["en"] for step in (one.made, *one.line))


@games
def test_the_same_record_gives_the_same_analysis(game: str) -> None:
    assert decisions(game, 4) == decisions(game, 4)


def test_the_decisions_of_one_seat_can_be_asked_for() -> None:
    one, all_seats = decisions("speicherstadt", 6, seat=1), decisions("speicherstadt", 12)
    assert {decision.seat for decision in one} == {1}
    assert one[:2] == [decision for decision in all_seats if decision.seat == 1][:2]


@games
def test_the_judgement_is_the_same_in_worlds_that_the_seat_cannot_tell_apart(game: str) -> None:
    replay, tried = session(game), 0
    for entry in replay.entries[::7]:
        match = replay.at(entry.last)
        if not match.begun or not match.to_act:
            continue
        seat = match.to_act[0]
        legal = match.rules.legal_moves(match.state, seat)
        if len(legal) < 2:
            continue
        other = match.rules.resample(match.state, seat, Seeded(seed_from(f"other {entry.last}")))
        judged = [
            weighing_of(match, state, seat, "same").best(legal, legal[0]) for state in (match.state, other)
        ]
        assert judged[0] == judged[1]
        tried += 1
        if tried == 6:
            break
    assert tried == 6


def test_several_moves_in_one_command_are_judged_one_by_one() -> None:
    replay = session("speicherstadt")
    match, before = Match(), list[Entry]()
    for first, second in zip(replay.entries, replay.entries[1:], strict=False):
        one, two = first.command, second.command
        if (
            isinstance(one, Play)
            and isinstance(two, Play)
            and first.by == second.by
            and (first.seat, one.seat) == (second.seat, two.seat)
            and len(match.rules.legal_moves(match.state, first.seat or 0)) > 1
        ):
            both = Play(one.moves + two.moves, one.seat)
            joined = first._replace(command=both, facts=first.facts + second.facts)
            *_, found = analysed(replay.id, [*before, joined], {"en": replay.names})
            assert found[0].made.move == one.moves[0]
            assert all(decision.seat == first.seat for decision in found)
            return
        match.fold(first)
        before.append(first)
    pytest.fail("no seat moved twice in a row")


def decision(seat: int, loss: float) -> Decision:
    return Decision(1, seat, Step(seat, Play((), None), {}), loss, 0.0, ())  # type: ignore[arg-type]


def test_the_largest_mistakes_come_first_and_small_differences_are_none() -> None:
    found = [
        decision(seat, loss) for seat, loss in ((0, 1.0), (1, 9.0), (0, 0.2), (0, 4.0), (0, 2.0), (0, 3.0))
    ]
    assert [one.loss for one in mistakes(found, 0)] == [4.0, 3.0, 2.0]
    assert len(mistakes(found, 0)) == MISTAKES
    assert mistakes(found, 2) == ()
