"""`kontor tune`: weights are written only if they pass the test against those at the start."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kontor_games.domain.codec import digest
from kontor_games.domain.statistics import RunningMean
from kontor_games.service.arena.tuning import Step, Tuning, level_of
from kontor_games.service.cli import main

FIRST = level_of("speicherstadt", "search:1")
LEAD = {True: 0.8, False: 0.2, None: 0.5}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that tunes with given verdicts; steps and tests cost no time."""

    def steps(self: Tuning, weights: Any, first: int) -> Iterator[Step]:
        for number in range(first, self.plan.steps):
            yield Step(number, 0.5, dict.fromkeys(weights, number + 1.0))

    def tune(*verdicts: bool | None, arguments: tuple[str, ...] = ()) -> Result:
        left = list(verdicts)

        def gate(self: Tuning, *_: Any) -> Iterator[tuple[RunningMean, bool | None]]:
            score = RunningMean()
            for shift in (-0.1, 0.1):
                score.add(LEAD[left[0]] + shift)
            yield score, left.pop(0)

        monkeypatch.setattr(Tuning, "steps", steps)
        monkeypatch.setattr(Tuning, "gate", gate)
        players = [word for seats in range(2, 2 + len(verdicts)) for word in ("--players", str(seats))]
        files = ["--journal", str(tmp_path / "run.ndjson"), "--target", str(tmp_path / "weights.json")]
        command = ["tune", "speicherstadt", *files, *players, "--steps", "8", *arguments]
        return CliRunner().invoke(main, command)

    return tune


def test_weights_that_pass_are_written_with_version_and_hash(run: Any, tmp_path: Path) -> None:
    result = run(True, None)
    assert result.exit_code == 0, result.output
    assert "2 players, 2 deals: score 0.800" in result.output
    assert "3 players, 2 deals: score 0.500" in result.output
    written = json.loads((tmp_path / "weights.json").read_text())
    assert written["weights"] == dict.fromkeys(FIRST.weights, 7.5)
    assert (written["version"], written["hash"]) == (FIRST.version + 1, digest(written["weights"]))
    assert len((tmp_path / "run.ndjson").read_text().splitlines()) == 1 + 8


@pytest.mark.parametrize(("verdicts", "code"), [((True, False), 1), ((None, None), 3), ((False,), 1)])
def test_weights_that_do_not_pass_are_not_written(
    run: Any, tmp_path: Path, verdicts: tuple[bool | None, ...], code: int
) -> None:
    assert run(*verdicts).exit_code == code
    assert not (tmp_path / "weights.json").exists()


def test_a_number_of_players_that_the_game_does_not_have_is_refused(run: Any) -> None:
    result = run(True, arguments=("--players", "6"))
    assert result.exit_code == 2
    assert "speicherstadt is for 2, 3, 4, 5 players, not 6." in result.output


def test_a_bot_without_weights_is_refused(run: Any) -> None:
    result = run(True, arguments=("--bot", "greedy"))
    assert result.exit_code == 1
    assert "speicherstadt has no bot 'greedy' with weights." in result.output
