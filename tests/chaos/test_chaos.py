"""A short chaos run, and tests that its checks find faults."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from uuid import UUID

import pytest
from rich.console import Console

from kontor_games.domain.games import installed_games
from kontor_games.service.kontor import Kontor
from kontor_games.service.settings import Settings
from kontor_games.service.store.match_cache import CachedMatch
from tests.chaos.__main__ import table_of
from tests.chaos.faults import Report, count_duplicates, find_fault, is_stored, run
from tests.chaos.players import Acknowledged, Receipt
from tests.domain.toy.games.fair import GAME as FAIR
from tests.service.tables import LocalPlayer, play_to_the_end, start_match


def test_nothing_acknowledged_is_lost_when_servers_and_databases_are_killed() -> None:
    report = run(seconds=3, tables=4, seed=1)
    assert (report.lost, report.duplicated, report.broken, report.unexpected) == (0, 0, [], [])
    assert report.acknowledged > 40
    assert report.workers_killed > 0
    assert report.databases_crashed > 0
    assert report.batched > 0
    assert report.good


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CachedMatch]:
    """The record of a finished match."""
    monkeypatch.setitem(installed_games(), "fair", FAIR)
    kontor = Kontor(Settings(database_url=f"sqlite:///{tmp_path}/kontor.db"))
    kontor.migrate()
    one, other = LocalPlayer(kontor), LocalPlayer(kontor)
    match_id = start_match(one, other)
    play_to_the_end(match_id, one, other)
    yield kontor.cache.get(UUID(match_id))
    kontor.close()


def test_a_missing_move_is_noticed(log: CachedMatch) -> None:
    entry, receipt = log.entries[-1], Receipt(log.heads[-1])
    assert is_stored(Acknowledged(log.name, entry.first, entry.last, receipt, entry.key), log)
    assert not is_stored(Acknowledged(log.name, entry.first, entry.last, receipt, "another"), log)
    assert not is_stored(Acknowledged(log.name, entry.first, entry.last + 1, receipt, entry.key), log)
    assert not is_stored(Acknowledged(log.name, entry.first, entry.last, Receipt("0" * 64), entry.key), log)


def test_a_move_that_is_stored_twice_is_noticed(log: CachedMatch) -> None:
    assert count_duplicates(log) == 0
    log.entries.append(log.entries[-1])
    assert count_duplicates(log) == 1


def test_a_gap_and_a_forged_time_are_noticed(log: CachedMatch) -> None:
    assert find_fault(log) == ""
    entry = log.entries[-2]
    log.entries[-2] = entry._replace(at=entry.at + 1)
    assert "hash" in find_fault(log)
    del log.entries[-2], log.heads[-2]
    assert "missing" in find_fault(log)


def test_the_table_shows_lost_moves() -> None:
    report = Report(9.0, 10, 1, 0, ["m: broken"], 1, 20, 1, 1, 3, [], 2, 0.5)
    console = Console(width=120, record=True, file=StringIO())
    console.print(table_of(report))
    assert not report.good
    assert "acknowledged moves missing" in console.export_text()
