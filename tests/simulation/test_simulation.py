"""Short simulated runs without violations, exact replays of a seed, and the journal."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.simulation.journal import Journal
from tests.simulation.world import Report, World

SHORT, HOSTS = 80, 3
"""Few moves and few concurrent matches, since this is part of `make test`."""


def test_the_toy_game_has_no_violation_despite_faults() -> None:
    for seed in (1, 2):
        report = World(seed, hosts=HOSTS).run(SHORT)
        assert report.violation is None, "\n".join(report.last_lines)
        assert report.moves >= SHORT
        assert min(report.acknowledged, report.audited) > 0
        assert report.checks > SHORT
        assert report.counts["batches of several moves"] > 0


def test_tournaments_seeks_and_ratings_have_no_violation_despite_faults() -> None:
    report = World(3, hosts=1).run(SHORT)
    assert report.violation is None, "\n".join(report.last_lines)
    assert min(report.counts[what] for what in ("tournaments verified", "seeks matched", "matches rated")) > 0


def test_the_real_games_have_no_violation_despite_faults() -> None:
    report = World(5, hosts=HOSTS).run(SHORT)
    assert report.violation is None, "\n".join(report.last_lines)
    assert report.moves >= SHORT


def test_a_seed_replays_its_run_exactly_in_another_process() -> None:
    command = [sys.executable, "-m", "tests.simulation", "--seed", "3", "--moves", "30"]
    shown = subprocess.run(
        command, env=os.environ | {"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True
    )
    found = re.search(r"seed 3 · trace (\w+)", shown.stdout)
    here = World(3).run(30)
    assert found is not None
    assert found[1] == here.trace
    assert here.trace != World(4, hosts=HOSTS).run(30).trace


def test_a_series_of_runs_continues_from_its_journal(tmp_path: Path) -> None:
    path, finished = tmp_path / "build" / "runs.ndjson", Report(7, moves=30, counts=Counter(refusals=2))
    with Journal(path, 30, "this program") as journal:
        journal.add(finished)
    with path.open("ab") as broken_off:
        broken_off.write(b'{"seed":8,')
    with Journal(path, 30, "this program") as journal:
        assert list(journal.finished()) == [finished]
        journal.add(Report(8))
    with Journal(path, 30, "this program") as journal:
        assert list(journal.finished()) == [finished, Report(8)]
    with Journal(path, 30, "another program") as journal:
        assert list(journal.finished()) == []
