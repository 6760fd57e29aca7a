"""Tuning: steps towards the better weights, whatever the number of processes and after an interruption."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kontor_games.domain.statistics import SequentialTest
from kontor_games.service.arena import tuning
from kontor_games.service.arena.tuning import (
    Block,
    Plan,
    Score,
    Step,
    Tuning,
    TuningError,
    TuningJournal,
    level_of,
    play_block,
    settled,
)

START = {"good": 1.0, "bad": 2.0}


def plan(**changes: Any) -> Plan:
    usual: dict[str, Any] = {
        "game": "speicherstadt", "data": "standard", "level": "search:1", "seats": (2,), "steps": 40,
        "deals": 2, "seed": "t", "start": START,
    }  # fmt: skip
    return Plan(**{**usual, **changes})


class Here:
    """Maps in this process, with a contest in which a larger `good` and a smaller `bad` win."""

    def map(self, play: Callable[[Block], Score], blocks: list[Block]) -> Iterator[Score]:
        assert play is play_block
        for block in blocks:
            lead = (block.a["good"] - block.b["good"]) - (block.a["bad"] - block.b["bad"])
            yield Score(max(-1.0, min(1.0, lead)), 0.5 + lead / 10)

    def shutdown(self, *, cancel_futures: bool) -> None: ...


@pytest.fixture
def tuned(monkeypatch: pytest.MonkeyPatch) -> Tuning:
    monkeypatch.setattr(tuning, "ProcessPoolExecutor", lambda jobs, mp_context: Here())
    return Tuning(plan())


def test_steps_move_the_weights_towards_the_side_that_leads(tuned: Tuning) -> None:
    steps = [*tuned.steps(START, 0)]
    assert [step.number for step in steps] == [*range(40)]
    assert steps[-1].weights["good"] > 1.1
    assert steps[-1].weights["bad"] < 1.9


def test_a_run_that_is_continued_makes_the_same_steps(tuned: Tuning, tmp_path: Path) -> None:
    whole = [*tuned.steps(START, 0)]
    path = tmp_path / "run.ndjson"
    journal = TuningJournal(path, tuned.plan)
    for step in whole[:3]:
        journal.add(step)
    with path.open("ab") as file:
        file.write(b'{"number":3,"le')
    resumed = TuningJournal(path, tuned.plan)
    assert resumed.steps == whole[:3]
    assert [*tuned.steps(resumed.steps[-1].weights, 3)] == whole[3:]
    resumed.add(whole[3])
    assert TuningJournal(path, tuned.plan).steps == whole[:4]


def test_the_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    TuningJournal(path, plan())
    with pytest.raises(TuningError, match="is the journal of another run"):
        TuningJournal(path, plan(seed="other"))


def test_the_result_is_the_mean_of_the_last_quarter() -> None:
    steps = [Step(number, 0.0, {"one": float(number)}) for number in range(8)]
    assert settled(steps) == {"one": 6.5}
    assert settled(steps[:1]) == {"one": 0.0}


def test_the_test_at_the_end_stops_when_it_is_decided_or_the_deals_are_used_up(tuned: Tuning) -> None:
    better = [*tuned.gate({"good": 2.0, "bad": 2.0}, 2, 100, SequentialTest())]
    assert better[-1][1] is True
    assert better[-1][0].count < 100
    [*_, (score, verdict)] = tuned.gate({"good": 1.1, "bad": 2.0}, 2, 20, SequentialTest(0.5, 0.52))
    assert (score.count, verdict) == (20, None)


def test_a_bot_without_weights_is_refused() -> None:
    with pytest.raises(TuningError, match="speicherstadt has no bot 'greedy' with weights"):
        level_of("speicherstadt", "greedy")


@pytest.mark.slow
def test_equal_weights_score_evenly_over_the_seats_of_a_deal() -> None:
    weights = dict(level_of("speicherstadt", "search:1").weights)
    score = play_block(plan(start=weights).block(weights, weights, 2, "even"))
    assert (score.lead, score.beaten) == (0.0, 0.5)


@pytest.mark.slow
@pytest.mark.untraced
def test_two_processes_give_the_same_step_as_one() -> None:
    weights = dict(level_of("speicherstadt", "search:1").weights)
    steps: list[Step] = []
    for jobs in (1, 2):
        with closing(Tuning(plan(start=weights, steps=1), jobs)) as run:
            assert isinstance(run._pool, ProcessPoolExecutor)
            steps += run.steps(weights, 0)
    assert steps[0] == steps[1]
    assert steps[0].weights.keys() == weights.keys()
