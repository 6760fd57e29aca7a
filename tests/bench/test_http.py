"""The HTTP benchmark runs and its arithmetic is right; its results are not tested."""

import json
from io import StringIO
from typing import Any

from rich.console import Console

from kontor_games.domain.codec import Fault, Shape
from kontor_games.domain.games import installed_games
from tests.bench.http import Figures, run, tables_of, verdict, written
from tests.bench.load import Series, Slot, percentile
from tests.bench.measures import (
    BatchThroughput,
    Growth,
    Storage,
    Throughput,
    Waiting,
    WatchedMatch,
    seats_of,
    watched_match_of,
    widest_options,
)
from tests.bench.scripts import make_script


def test_moves_and_ceiling_are_measured_in_turn() -> None:
    game = min(
        installed_games().values(),
        key=lambda game: len(make_script(game, seats_of(game), "x", most_facts=400).moves),
    )
    figures = run([game], seconds=0.3, repeats=1, at_once=(2,), clients=0, together=3, peer=False)
    (rate,) = figures.throughput
    assert (rate.game, rate.matches) == (game.id, 2)
    assert rate.moves_per_second > 0
    assert rate.ceiling_per_second > 0
    assert 0 < rate.p50_ms <= rate.p99_ms
    assert figures.storage[0].bytes_per_move > 0
    assert [(many.game, many.brief, many.matches) for many in figures.together] == [
        (game.id, False, 3),
        (game.id, True, 3),
    ]
    assert all(many.moves_per_second > 0 for many in figures.together)
    assert all(1 <= many.moves_per_request <= 3 for many in figures.together)


def test_a_script_is_reproducible_and_ends_where_it_should() -> None:
    for game in installed_games().values():
        once, again = (make_script(game, seats_of(game), "seed", most_facts=60) for _ in range(2))
        assert once == again
        assert sum(once.facts[:-1]) < 60
        assert len(once.facts) == len(once.moves)


def test_the_widest_options_are_the_largest_that_a_game_accepts() -> None:
    for game in installed_games().values():
        shape, widest = game.rules().options_shape, widest_options(game)
        assert faults_of(shape, widest) == []
        assert shape.encode(game.rules().options(**widest)).items() >= widest.items()
        assert [faults_of(shape, {**widest, name: value + 1}) for name, value in widest.items()] == [
            [f"/{name}"] for name in widest
        ]


def faults_of(shape: Shape, options: dict[str, Any]) -> list[str]:
    faults: list[Fault] = []
    shape.parse(options, "", faults)
    return [fault.pointer for fault in faults]


def test_percentiles_and_medians() -> None:
    assert [percentile([3.0, 1.0, 2.0], share) for share in (0.0, 0.5, 0.99)] == [1.0, 2.0, 3.0]
    series = Series(
        [
            Slot([0.1] * 10, 1.0, 0.5, 0.2, 0.1),
            Slot([0.2] * 30, 1.0, 3.0, 0.2, 0.1),
            Slot([0.3] * 20, 1.0, 1.0, 0.2, 0.1),
        ]
    )
    assert series.rate == 20
    assert series.cpu_milliseconds(lambda slot: slot.served_cpu) == 50.0


def test_the_delay_of_a_move_is_that_of_its_last_watcher() -> None:
    assert watched_match_of(3, 3, [[0.25, 0.5], [0.125, 2.0], [1.0, 0.25]]) == WatchedMatch(
        3, 3, 6, 500.0, 2000.0, 1500.0
    )
    assert watched_match_of(2, 0, [[], []]).last_ms == float("inf")


def test_the_results_are_shown_with_their_targets_and_written_as_json() -> None:
    figures = Figures(
        [Throughput("fair", 16, 600.0, 1.0, 2.0, 1000.0, 0.6, 0.6, 1.0, 0.1, 0.1)],
        [Storage("fair", 100, 500.0, 700.0)],
        [BatchThroughput("fair", True, 64, 3000.0, 16.0, 1000.0, 3.0, 0.3, 0.1, 0.1)],
        Growth("fair", 5000, 1.0, 1.1, 1.1),
        Waiting(1000, 1000, 10.0, 30.0, 3.0, 1.0, 300.0),
        [WatchedMatch(1000, 1000, 5000, 50.0, 100.0, 200.0)],
    )
    console = Console(width=200, file=StringIO(), record=True)
    for table in tables_of(figures):
        console.print(table)
    shown = console.export_text()
    assert "≥ 500 ✓" in shown
    assert "≥ 2500 ✓" in shown
    assert "≤ 2 ✗" in shown
    assert json.loads(written(figures, 1.0, 2))["growth"]["facts"] == 5000
    assert verdict(1.0, 2.0, "≥").endswith("✗[/]")
