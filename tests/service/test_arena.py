import pickle

import pytest

from domain.chance import Seeded, seed_from
from service.arena import BotFaultError, BotMatch, Contest, Outcome, outcomes
from tests.service.pebbles import GAME, Cheer, Cheered, PebbleOptions, pebble_games


def contest(*bots: str, seed: str = "7", **chosen: object) -> Contest:
    return Contest("pebbles", bots, seed, PebbleOptions(**chosen), GAME.data_sets[0], pebble_games)


def bot_match(*bots: str) -> BotMatch:
    rules = GAME.rules()
    return BotMatch(rules, [GAME.bots[name](rules) for name in bots], PebbleOptions(), Seeded(seed_from("7")))


def test_a_match_is_played_until_it_waits_for_nobody() -> None:
    match = bot_match("any", "any", "any")
    played = list(match)
    assert not match.rules.to_act(match.state)
    assert match.rules.result(match.state) is not None
    assert match.facts == sum(len(one.facts) for one in played)
    assert match.decisions == len(played) - 1


def test_the_set_up_comes_first_and_belongs_to_no_seat() -> None:
    first = next(iter(bot_match("any", "any")))
    assert (first.seat, first.move) == (None, None)
    assert [fact.type for fact in first.facts] == ["heap_poured"]


def test_the_facts_of_a_match_fold_to_its_state() -> None:
    match = bot_match("any", "wise", "any")
    follower = match.rules.table(3, PebbleOptions())
    for played in match:
        for fact in played.facts:
            fact.fold(follower)
    assert follower.digest() == match.state.digest()


def test_the_starter_is_the_seat_that_moves_first() -> None:
    match = bot_match("wise", "wise", "wise")
    movers = [played.seat for played in match if played.seat is not None]
    assert match.starter == movers[0]


def test_onlookers_are_asked_once_after_each_move() -> None:
    played = list(bot_match("any", "any", "any"))[1:]
    takes = [index for index, one in enumerate(played) if not isinstance(one.move, Cheer)]
    for index in takes[:-1]:
        assert [type(fact) for one in played[index + 1 : index + 3] for fact in one.facts] == [Cheered, Cheered]


def test_an_onlooker_with_nothing_to_say_leaves_no_trace() -> None:
    match = bot_match("wise", "wise", "wise")
    assert {fact.type for played in match for fact in played.facts} == {"heap_poured", "pebbles_taken"}


def test_a_refused_choice_is_the_fault_of_the_bot_and_says_which_rule() -> None:
    with pytest.raises(BotFaultError, match=r"chose Take\(pebbles=9\), which is refused: so many can't be taken \(P-3\)"):
        list(bot_match("cheat", "cheat"))


def test_a_bot_that_has_to_move_and_does_not_is_at_fault() -> None:
    with pytest.raises(BotFaultError, match="has to move and chose nothing"):
        list(bot_match("sleepy", "sleepy"))


def test_after_each_match_everybody_moves_one_seat_on() -> None:
    held = contest("any", "wise", "cheat")
    assert [held.seats(number) for number in range(4)] == [
        ("any", "wise", "cheat"),
        ("cheat", "any", "wise"),
        ("wise", "cheat", "any"),
        ("any", "wise", "cheat"),
    ]


def test_the_same_seed_gives_the_same_outcomes() -> None:
    assert list(outcomes(contest("any", "any", "wise"), 20)) == list(outcomes(contest("any", "any", "wise"), 20))


def test_another_seed_gives_other_outcomes() -> None:
    assert list(outcomes(contest("any", "any"), 20)) != list(outcomes(contest("any", "any", seed="8"), 20))


def test_a_match_does_not_depend_on_those_before_it() -> None:
    assert contest("any", "any", "wise").outcome(5) == list(outcomes(contest("any", "any", "wise"), 6))[5]


def test_several_processes_give_the_outcomes_of_one() -> None:
    held = contest("any", "wise", "any")
    assert list(outcomes(held, 25, jobs=3)) == list(outcomes(held, 25, jobs=1))


def test_more_processes_than_matches_are_not_started() -> None:
    assert [outcome.number for outcome in outcomes(contest("any", "any"), 1, jobs=8)] == [0]


def test_a_fault_in_another_process_arrives_here_with_match_and_seed() -> None:
    with pytest.raises(BotFaultError, match="match 0 of seed 7: seat"):
        list(outcomes(contest("cheat", "cheat"), 4, jobs=2))


def test_a_contest_can_be_left_halfway() -> None:
    running = outcomes(contest("any", "any"), 10_000, jobs=2)
    assert next(running).number == 0
    running.close()


def test_a_contest_travels_without_its_rules() -> None:
    held = contest("any", "wise")
    held.outcome(0)
    assert "rules" not in vars(pickle.loads(pickle.dumps(held)))  # noqa: S301 - what was just written


def test_an_outcome_holds_everything_by_seat() -> None:
    outcome = contest("wise", "any", seed="1").outcome(1)
    assert outcome == Outcome(
        number=1,
        bots=("any", "wise"),
        starter=outcome.starter,
        places=(2, 1),
        scores=outcome.scores,
        facts=outcome.decisions + 1,
        decisions=outcome.decisions,
        rounds=1 + sum(score["taken"] for score in outcome.scores) // 5,
    )
