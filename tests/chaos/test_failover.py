"""One fail-over to the replica under load."""

from io import StringIO

from rich.console import Console

from tests.chaos.__main__ import fail_over_table
from tests.chaos.failover import FailOverResults, Watcher, run_drill
from tests.chaos.faults import Report


def test_nothing_acknowledged_is_lost_when_the_primary_is_killed_and_the_replica_takes_over() -> None:
    done = run_drill(tables=3, fail_overs=1)
    report = done.report
    assert (report.lost, report.duplicated, report.broken, report.unexpected, done.streams_with_gaps) == (
        0,
        0,
        [],
        [],
        [],
    )
    assert report.acknowledged > 100
    assert done.continued_streams > 0
    assert done.good


def test_the_table_shows_what_is_wrong() -> None:
    report = Report(9.0, 10, 0, 0, [], 1, 20, 0, 1, 3, [], 2, 0.5)
    done = FailOverResults(report, 1, 0.5, 2, ["a streams_with_gaps match"])
    console = Console(width=120, record=True, file=StringIO())
    console.print(fail_over_table(done))
    assert (report.good, done.good) == (True, False)
    assert "streams with a gap or a repetition" in console.export_text()


def test_a_stream_with_a_gap_or_a_repetition_is_noticed() -> None:
    assert not Watcher("m", [1, 2, 3]).has_gap
    assert Watcher("m", [1, 3]).has_gap
    assert Watcher("m", [1, 2, 2]).has_gap
