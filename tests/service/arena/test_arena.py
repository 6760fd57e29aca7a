import os
import pickle
import signal
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.chance import Seeded, seed_from
from kontor_games.domain.games import installed_games
from kontor_games.service.arena import BotFaultError, BotMatch, Contest, Outcome, WorkerDiedError, outcomes
from tests.domain.toy.games.fair.facts.trade import OfferMade
from tests.domain.toy.games.fair.moves import TakeOffer
from tests.service.fair import GAME, FairgroundOptions, fairground
from tests.support.recording import table_of


def fair_contest(*bots: str, seed: str = "7", **chosen: Any) -> Contest:
    return Contest("fair", bots, seed, FairgroundOptions(**chosen), GAME.data_sets[0], fairground)


def bot_match(*bots: str) -> BotMatch:
    rules = GAME.rules()
    return BotMatch(
        rules, [GAME.bots[name](rules) for name in bots], FairgroundOptions(), Seeded(seed_from("7"))
    )


def test_a_match_is_played_until_no_seat_is_to_act() -> None:
    match = bot_match("random", "random", "random")
    played = list(match)
    assert not match.rules.to_act(match.state)
    assert match.rules.result(match.state) is not None
    assert match.facts == sum(len(one.facts) for one in played)
    assert match.decisions == len(played) - 1


def test_the_set_up_comes_first_and_belongs_to_no_seat() -> None:
    first = next(iter(bot_match("random", "random")))
    assert (first.seat, first.move) == (None, None)
    assert first.facts[0].type == "deck_shuffled"


def test_the_facts_of_a_match_fold_to_its_state() -> None:
    match = bot_match("random", "greedy", "random")
    follower = match.rules.table(3, FairgroundOptions())
    for played in match:
        for fact in played.facts:
            fact.fold(follower)
    assert follower.digest() == match.state.digest()


def test_the_starter_is_the_seat_that_moves_first() -> None:
    match = bot_match("greedy", "greedy", "greedy")
    movers = [played.seat for played in match if played.seat is not None]
    assert match.starter == movers[0]


def test_seats_that_are_not_to_act_may_answer_a_move() -> None:
    played = list(bot_match("trader", "trader", "trader"))
    offers = [index for index, one in enumerate(played) if isinstance(one.facts[0], OfferMade)]
    assert len(offers) == 3
    for index in offers:
        assert isinstance(played[index + 1].move, TakeOffer)
        assert played[index + 1].seat != played[index].seat


def test_no_further_seat_is_asked_once_an_offer_is_taken() -> None:
    taken = [
        one for one in bot_match("trader", "trader", "trader", "trader") if isinstance(one.move, TakeOffer)
    ]
    assert len(taken) == 3


def test_a_seat_that_does_not_answer_is_not_recorded() -> None:
    played = list(bot_match("trader", "quiet", "quiet"))
    assert "offer_made" in {fact.type for one in played for fact in one.facts}
    assert not [one for one in played if isinstance(one.move, TakeOffer)]


def test_if_several_seats_are_to_act_the_next_one_clockwise_moves() -> None:
    movers = [one.seat for one in bot_match("greedy", "greedy", "greedy", "greedy")][1:5]
    assert movers == [0, 1, 2, 3]


def test_a_refused_choice_is_a_fault_of_the_bot_and_names_the_rule() -> None:
    with pytest.raises(
        BotFaultError,
        match=r"seat 0 chose CloseFair\(\), which is refused: "
        r"The fair opens when everybody has laid a card\. \(T-5\)",
    ):
        list(bot_match("cheat", "cheat"))


def test_a_bot_that_has_to_move_and_does_not_is_at_fault() -> None:
    with pytest.raises(BotFaultError, match="has to move and chose nothing"):
        list(bot_match("sleepy", "sleepy"))


def test_after_each_match_everybody_moves_one_seat_on() -> None:
    contest = fair_contest("random", "greedy", "cheat")
    assert [contest.seats(number) for number in range(4)] == [
        ("random", "greedy", "cheat"),
        ("cheat", "random", "greedy"),
        ("greedy", "cheat", "random"),
        ("random", "greedy", "cheat"),
    ]


def test_the_same_seed_gives_the_same_outcomes() -> None:
    assert list(outcomes(fair_contest("random", "random", "greedy"), 20)) == list(
        outcomes(fair_contest("random", "random", "greedy"), 20)
    )


def test_another_seed_gives_other_outcomes() -> None:
    assert list(outcomes(fair_contest("random", "random"), 20)) != list(
        outcomes(fair_contest("random", "random", seed="8"), 20)
    )


def test_a_match_does_not_depend_on_those_before_it() -> None:
    assert (
        fair_contest("random", "random", "greedy").outcome(5)
        == list(outcomes(fair_contest("random", "random", "greedy"), 6))[5]
    )


@pytest.mark.slow
def test_several_processes_give_the_outcomes_of_one() -> None:
    contest = fair_contest("random", "greedy", "random")
    assert list(outcomes(contest, 25, jobs=3)) == list(outcomes(contest, 25, jobs=1))


def test_more_processes_than_matches_are_not_started() -> None:
    assert [outcome.number for outcome in outcomes(fair_contest("random", "random"), 1, jobs=8)] == [0]


def test_a_fault_in_another_process_arrives_here_with_match_and_seed() -> None:
    with pytest.raises(BotFaultError, match="match 0 of seed 7: seat"):
        list(outcomes(fair_contest("cheat", "cheat"), 4, jobs=2))


def test_a_contest_can_be_stopped_early() -> None:
    running: Any = outcomes(fair_contest("random", "random"), 10_000, jobs=2)
    assert next(running).number == 0
    running.close()


def test_a_pickled_contest_does_not_contain_its_rules() -> None:
    contest = fair_contest("random", "greedy")
    contest.outcome(0)
    assert "rules" not in vars(pickle.loads(pickle.dumps(contest)))  # noqa: S301 - what was just written


def test_an_outcome_holds_everything_by_seat() -> None:
    contest = fair_contest("greedy", "random", seed="1")
    match = contest.match(1)
    facts = sum(len(played.facts) for played in match)
    result = match.rules.result(match.state)
    assert result is not None
    assert contest.outcome(1) == Outcome(
        number=1,
        bots=("random", "greedy"),
        starter=0,
        places=result.places,
        scores=tuple(result.scores),
        facts=facts,
        decisions=match.decisions,
        rounds=3,
    )


def test_a_match_in_which_nobody_is_to_act_without_a_result_is_an_error_of_the_game() -> None:
    contest = fair_contest("greedy", "random")
    with pytest.raises(LookupError, match="match 0 of seed 7 has ended without a result"):
        contest.ended(0, contest.match(0))


@pytest.mark.parametrize("name", sorted(installed_games()))
def test_a_match_of_the_service_with_the_same_open_seed_has_the_same_deal(name: str) -> None:
    game = installed_games()[name]
    contest = Contest(
        name, (next(iter(game.bots)),) * 3, "Hamburg", game.rules().options(), game.data_sets[0]
    )
    for match, seed in (
        (contest.single_match(), "Hamburg"),
        (contest.match(0), "Hamburg/0"),
        (contest.match(4), "Hamburg/4"),
    ):
        dealt = next(iter(match)).facts
        assert dealt
        assert table_of(name, 3, open_seed=seed).entries[-1].facts[-len(dealt) :] == tuple(dealt)


def test_the_seed_of_one_match_of_a_contest_plays_that_match_alone() -> None:
    contest = fair_contest("greedy", "random", "random")
    alone = fair_contest(*contest.seats(5), seed=contest.seed_text(5)).single_match()
    assert list(alone) == list(contest.match(5))


def killed_once(self: Contest, number: int) -> Outcome:
    """Kill this process at match 5, but only once: a file records the attempt."""
    tried = Path(self.seed)
    if number == 5 and not tried.exists():
        tried.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return Contest.outcome(self, number)


class ContestKilledOnce(Contest):
    outcome = killed_once


class ContestThatKillsEveryProcess(Contest):
    def outcome(self, number: int) -> Outcome:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


@pytest.mark.slow
def test_a_killed_process_is_replaced_and_the_outcomes_stay_the_same(tmp_path: Path) -> None:
    seed = str(tmp_path / "tried")
    contest = ContestKilledOnce(
        "fair", ("random", "greedy"), seed, FairgroundOptions(), GAME.data_sets[0], fairground
    )
    played = list(outcomes(contest, 12, jobs=2))
    assert played == list(outcomes(fair_contest("random", "greedy", seed=seed), 12))
    assert Path(seed).exists()


@pytest.mark.slow
def test_a_match_that_kills_every_process_is_given_up() -> None:
    contest = ContestThatKillsEveryProcess(
        "fair", ("random", "greedy"), "7", FairgroundOptions(), GAME.data_sets[0], fairground
    )
    with pytest.raises(WorkerDiedError, match="3 processes died in match 0 of 7"):
        list(outcomes(contest, 4, jobs=2))
