"""The memory benchmark runs and its arithmetic is right; its results are not tested."""

from io import StringIO

from rich.console import Console

from kontor_games.service.memory import MemoryReport, resident, resident_bytes
from tests.bench.memory import Day, run, table_of


def test_a_short_day_is_played_and_measured() -> None:
    day = run(hours=2, moves=25)
    assert day.moves >= 50
    assert len(day.resident) == 2
    assert day.growth > 0


def test_growth_is_that_after_the_warm_up() -> None:
    day = Day([50, 80, 90, 100, 100, 100] + [100] * 14 + [120] * 4, 24)
    assert day.growth == 1.2
    console = Console(width=100, file=StringIO(), record=True)
    console.print(table_of(day))
    assert "× 1.200 ≤ 1.1 ✗" in console.export_text()


def test_a_process_reports_its_memory() -> None:
    MemoryReport().report()
    assert 0.5 < resident._value.get() / resident_bytes() < 2
