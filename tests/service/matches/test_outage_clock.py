"""The clock that the processes of one machine share, by which outages are measured."""

import time
from pathlib import Path

import pytest

from kontor_games.service.errors import UnavailableError
from kontor_games.service.kontor import Kontor
from kontor_games.service.matches.outages import Outages, Reading, clock_of_machine, is_same_clock
from kontor_games.service.stalls import Stalls
from tests.service.conftest import NOON, SettableClock


def test_a_machine_without_a_boot_id_has_no_clock_that_others_can_be_compared_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_same_clock(clock_of_machine(), clock_of_machine())
    monkeypatch.setattr("kontor_games.service.matches.outages._BOOT_ID", tmp_path / "missing")
    assert not is_same_clock(clock_of_machine(), clock_of_machine())


def test_the_clock_of_the_machine_counts_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor_games.service.matches.outages.uptime", lambda: 12.3456)
    assert clock_of_machine().ms == 12_345


def test_a_process_writes_the_time_again_after_more_than_a_second(
    kontor: Kontor, clock: SettableClock
) -> None:
    passed = [0]
    outages = Outages(kontor.database, clock, lambda: passed[0] / 1000, Stalls())
    outages.shared_clock = lambda: Reading("a clock", passed[0])
    outages.role = "serves"

    def written_after(ms: int) -> int:
        passed[0] += ms
        clock.advance(ms)
        outages.check()
        [row] = kontor.database.read("SELECT at FROM service_heartbeat")
        return int(row["at"]) - NOON

    assert [written_after(ms) for ms in (0, 1000, 1, 1000, 1)] == [0, 0, 1001, 1001, 2002]


def test_a_process_whose_heartbeats_are_late_is_not_ready_and_does_not_ask_the_database(
    kontor: Kontor, monkeypatch: pytest.MonkeyPatch
) -> None:
    kontor.outages.role = "serves"
    kontor.outages.require_beat()
    monkeypatch.setattr(kontor.outages, "_threads", ["beating"])
    monkeypatch.setattr(kontor.outages, "_ms_since_beat", lambda: 60_000.0)
    monkeypatch.setattr("kontor_games.service.matches.outages._PATIENCE_S", 0.1)
    monkeypatch.setattr(kontor.outages, "_monotonic", time.monotonic)
    with pytest.raises(UnavailableError, match="does not answer"):
        kontor.outages.require_beat()
